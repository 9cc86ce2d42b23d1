"""A history that outgrows the window: shortened by steps, always the same way, and never a result without its call."""

from collections.abc import Sequence

import pytest

from moot.agents.compact import Room, fit_history
from moot.agents.history import Called, Turn
from moot.models.reserve import estimate_message
from moot.values.errors import ModelFailed
from moot.values.messages import Call, Message, Reply


def turn(n: int, chars: int = 2_000) -> Turn:
    text = f"page {n} [S7f3a.{n}] " + "word " * (chars // 5) + f"[S91bc.{n}]"
    reply = Reply(calls=(Call(id=f"c{n}", name="read_page", arguments=f'{{"address":"docs://{n}"}}'),))
    return Turn(reply, (Called("read_page", reply.calls[0].arguments, text),))


def shortened(lines: Sequence[str]) -> str:
    return "Earlier:\n" + "\n".join(lines)


def fitted(turns: Sequence[Turn], room: int) -> tuple[Message, ...]:
    window = 10 * room
    fixed = int(0.8 * window) - room
    return fit_history(turns, Room(window, 0, fixed), shortened=shortened).messages


TURNS = [turn(n) for n in range(1, 11)]
COST = sum(estimate_message(message) for one in TURNS for message in one.messages)


def test_a_history_that_fits_is_left_as_it_is() -> None:
    assert len(fitted(TURNS, COST)) == 20


def test_older_turns_become_a_line_each_with_their_marks() -> None:
    messages = fitted(TURNS, COST - 1)
    assert len(messages) == 1 + 8
    assert messages[0].text.count("\n") == 6
    first = messages[0].text.splitlines()[1]
    assert first.startswith('- read_page({"address":"docs://1"}): page 1 [S7f3a.1] word')
    assert first.endswith("… [S91bc.1]")
    assert len(first) < 400


def test_then_observations_are_cut_oldest_first() -> None:
    turns = [turn(n, 9_000) for n in range(1, 5)]
    room = sum(estimate_message(message) for one in turns for message in one.messages) - 100
    sizes = [len(message.text) for message in fitted(turns, room) if message.role == "tool"]
    assert sizes[0] < 2_010
    assert sizes[1:] == sorted(sizes[1:])
    assert sizes[1] > 8_900


def test_then_only_the_last_turn_is_left() -> None:
    messages = fitted(TURNS, 700)
    assert [message.role for message in messages] == ["assistant", "tool"]
    assert messages[1].text.startswith("page 10")


def test_what_does_not_fit_at_all_is_told_with_the_figures() -> None:
    with pytest.raises(ModelFailed, match=r"context_too_small: [0-9,]+ of 1,000 tokens\.") as failed:
        fitted(TURNS, 100)
    assert failed.value.code == "too_long"


def test_every_result_stands_right_behind_its_call() -> None:
    for room in range(700, COST, 97):
        messages = fitted(TURNS, room)
        for place, message in enumerate(messages):
            if message.role == "tool":
                assert messages[place - 1].calls[0].id == message.call_id


def test_the_same_history_always_comes_out_the_same() -> None:
    assert fitted(TURNS, 1_500) == fitted(list(TURNS), 1_500)
