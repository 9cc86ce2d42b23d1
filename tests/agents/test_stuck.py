"""Circles: seen at the third same outcome or the sixth same call, and not where work goes on."""

import pytest

from moot.agents.history import Called, Turn
from moot.agents.stuck import repeat_of
from moot.values.messages import Call, Reply


def said(text: str) -> Turn:
    return Turn(Reply(text=text))


def called(name: str, arguments: str = "{}", text: str = "the same", *, wrote: bool = False) -> Turn:
    reply = Reply(calls=(Call(id="c1", name=name, arguments=arguments),))
    return Turn(reply, (Called(name, arguments, text, effect="write" if wrote else "read"),))


def first_repeat(turns: list[Turn]) -> int | None:
    """The turn, from 1, that repeats what was done."""
    return next((n for n in range(1, len(turns) + 1) if repeat_of(turns[:n])), None)


A, B, C = called("a"), called("b"), called("c")


@pytest.mark.parametrize(
    ("turns", "repeat"),
    [
        ([A, A, A], 3),
        ([A, B, A, C, A], 5),
        ([A, A, B, C], None),
        ([said("A"), said(" a "), said("ａ")], 3),
        ([said("A"), said("b"), said("A")], None),
        ([called("look", text=str(n)) for n in range(6)], 6),
        ([called("look", f'{{"n":{n}}}', "same") for n in range(9)], None),
    ],
)
def test_a_repeat_is_seen_where_it_is_one(turns: list[Turn], repeat: int | None) -> None:
    assert first_repeat(turns) == repeat


def test_only_the_last_ten_turns_count() -> None:
    others = [called(f"t{n}") for n in range(9)]
    assert first_repeat([A, A, *others, A]) is None


def test_to_edit_and_meet_the_same_failing_test_is_work() -> None:
    turns = []
    for n in range(8):
        turns += [called("edit", f'{{"line":{n}}}', "done", wrote=True), called("test", text="1 failed")]
    assert first_repeat(turns) is None


def test_the_same_edit_again_and_again_is_a_circle() -> None:
    edit, test = called("edit", text="done", wrote=True), called("test", text="1 failed")
    assert first_repeat([edit, test] * 4) == 6


def test_the_words_name_the_call_and_the_count() -> None:
    assert repeat_of([A, A, A]).startswith("You have done this 3 times with the same outcome: a({}). Do something")
    six = [called("look", text=str(n)) for n in range(6)]
    assert repeat_of(six).startswith("You have called this 6 times: look({}).")
    long = called("write", "x" * 500)
    assert f"write({'x' * 200})." in repeat_of([long] * 3)
