from collections.abc import Callable

import pytest

from moot.text.passages import cut
from moot.values.ports import Page
from moot.web.passages_for import left_out, passages_for

TEXT = "\n\n".join(
    [
        "It begins.",
        "Cats sleep.",
        "The dam holds water.",
        "Dogs bark.",
        "A dam and a dam of water.",
        "Birds sing.",
        "It ends.",
    ]
)


def page(text: str) -> Page:
    return Page(address="docs://n/a.md", title="A", text=text, text_hash="h", snapshot="s", passages=cut(text))


def at_most(chars: int) -> Callable[[str], bool]:
    return lambda words: len(words) <= chars


@pytest.mark.parametrize(
    ("chars", "chosen"),
    [(1_000, [1, 2, 3, 4, 5, 6, 7]), (60, [1, 3, 5]), (40, [1, 3]), (31, [1, 3]), (12, [1]), (1, [1])],
)
def test_the_first_and_the_nearest_are_chosen_in_page_order(chars: int, chosen: list[int]) -> None:
    assert [one.n for one in passages_for(page(TEXT), "Which dam holds water?", fits=at_most(chars))] == chosen


def test_a_question_that_nothing_answers_brings_the_first_alone() -> None:
    assert [one.n for one in passages_for(page(TEXT), "zebra", fits=at_most(60))] == [1]


def test_what_is_left_out_is_named_where_it_is_missing() -> None:
    whole = page(TEXT)
    chosen = [whole.passages[0], whole.passages[4]]
    assert left_out(whole, chosen) == {
        1: "… [3 passages left out; read_page(address='docs://n/a.md', from_passage=2)]",
        5: "… [2 passages left out; read_page(address='docs://n/a.md', from_passage=6)]",
    }
    assert left_out(whole, whole.passages) == {}


def test_a_page_without_a_passage_brings_none() -> None:
    assert passages_for(page("# Only a heading\n"), "dam", fits=at_most(5)) == ()
