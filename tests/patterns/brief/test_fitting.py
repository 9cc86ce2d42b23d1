"""What fits a window: results, passages in parts, points; and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.patterns.brief.collecting import told_results
from moot.patterns.brief.fitting import chunks, fit_points, fit_results, pieces, room_for
from moot.patterns.brief.values import Searched
from moot.patterns.told import told_results as told_points
from moot.text.tokens import estimate
from moot.values.errors import SettingWrong
from moot.values.plans import Claim, Finding, StepResult
from moot.values.ports import Found


def searched(query: str, *titles: str, snippet: str = "") -> Searched:
    found = tuple(Found(address=f"//a/{title}", url="", title=title, snippet=snippet) for title in titles)
    return Searched(query=query, results=found)


def titles(searches: list[Searched]) -> list[list[str]]:
    return [[found.title for found in one.results] for one in searches]


def test_the_longest_list_loses_its_last_result_and_of_equal_ones_the_later() -> None:
    lists = [searched("a", "a1", "a2", "a3"), searched("b"), searched("c", "c1", "c2", "c3")]
    kept = fit_results(lists, 20, lambda some: "x" * 20 * sum(len(one.results) for one in some))
    assert titles(kept) == [["a1", "a2"], [], ["c1", "c2"]]


def test_an_empty_list_is_skipped() -> None:
    kept = fit_results([searched("a"), searched("b", "b1")], 0, told_results)
    assert titles(kept) == [[], ["b1"]]


def test_with_one_result_each_snippets_are_cut_and_at_last_only_titles_stay() -> None:
    lists = [searched("a", "one", "two", snippet="s" * 500), searched("b", "three", snippet="s" * 500)]
    assert [len(one.results[0].snippet) for one in fit_results(lists, 160, told_results)] == [200, 200]
    assert [one.results[0].snippet for one in fit_results(lists, 40, told_results)] == ["", ""]
    assert titles(fit_results(lists, 0, told_results)) == [["one"], ["three"]]


@pytest.mark.parametrize(
    ("passages", "room", "parts"),
    [
        ([10] * 50, 190, [190, 190, 120]),
        ([100, 300, 50], 200, [100, 200, 150]),
        ([5], 100, [5]),
        ([], 100, []),
        ([200, 200], 200, [200, 200]),
        ([500], 200, [200, 200, 100]),
    ],
)
def test_a_page_is_cut_at_passages_and_nothing_is_lost(passages: list[int], room: int, parts: list[int]) -> None:
    made = chunks(["x" * size for size in passages], room, len)
    assert [sum(map(len, part)) for part in made] == parts


def test_a_passage_too_long_is_cut_at_sentences_then_words_then_characters() -> None:
    assert pieces("One two three. Four five six.", 16, len) == ["One two three. ", "Four five six."]
    assert pieces("One two three four.", 9, len) == ["One two ", "three ", "four."]
    assert pieces("Donaudampfschiff", 6, len) == ["Donaud", "ampfsc", "hiff"]


def test_every_piece_of_a_passage_stands_after_its_mark() -> None:
    made = chunks(["One two three. Four five six.", "Seven."], 24, len, marks=["[S1.1]", "[S1.2]"])
    assert made == [["[S1.1] One two three. "], ["[S1.1] Four five six."], ["[S1.2] Seven."]]


@given(st.lists(st.text(min_size=1, max_size=300), max_size=8), st.integers(1, 80))
def test_of_any_passages_nothing_is_lost_and_no_part_is_empty_or_too_long(passages: list[str], room: int) -> None:
    made = chunks(passages, room, len)
    assert "".join(piece for part in made for piece in part) == "".join(passages)
    assert all(0 < sum(map(len, part)) <= room for part in made)


def test_a_window_too_small_for_a_page_is_refused_with_the_numbers() -> None:
    with pytest.raises(SettingWrong, match=r"context_too_small: -4 of 4,096 tokens"):
        room_for(window=4_096, prompt=3_000, reserve=1_000)
    assert room_for(window=4_400, prompt=3_000, reserve=1_000) == 300
    assert room_for(window=200_000, prompt=3_000, reserve=1_000) == 8_000


def result(number: int, *pages: list[str]) -> StepResult:
    claims = tuple(
        Claim(text=text, marks=(f"S00{page}{number}.1",)) for page, texts in enumerate(pages) for text in texts
    )
    return StepResult(
        id=str(number), title=f"q{number}", step_type="research", status="done", finding=Finding(claims=claims)
    )


def texts(results: list[StepResult]) -> list[list[str]]:
    return [[claim.text for claim in one.finding.claims] for one in results if one.finding]


def test_the_page_with_most_points_loses_its_last_and_each_keeps_one() -> None:
    given_ = [result(1, ["a1", "a2", "a3"], ["b1"]), result(2, ["c1", "c2"])]

    def told(some: object) -> str:
        assert isinstance(some, list)
        return "x" * 20 * sum(map(len, texts(some)))

    assert texts(fit_points(given_, 20, told, window=100)) == [["a1", "a2", "b1"], ["c1"]]
    assert texts(fit_points(given_, 15, told, window=100)) == [["a1", "b1"], ["c1"]]


def test_then_points_are_shortened_and_at_last_the_window_is_refused() -> None:
    long = [result(1, ["a" * 600], ["b" * 600])]
    kept = fit_points(long, 140, told_points, window=100)
    assert [len(text) for text in texts(kept)[0]] == [200, 200]
    assert estimate(told_points(kept)) <= 140
    with pytest.raises(SettingWrong, match="context_too_small: 30 of 100 tokens"):
        fit_points(long, 30, told_points, window=100)
