"""What the measures compute, and that a figure over its limit is told."""

import asyncio

import pytest
from pydantic import JsonValue

from bench.measured import Table, costs
from bench.research import CALLS, MOST_STEPS, common, plan, repeated, report, script, sentence, turns


@pytest.mark.parametrize(
    ("one", "other", "both"), [(b"", b"abc", 0), (b"abc", b"abd", 2), (b"abc", b"abc", 3), (b"abcd", b"abc", 3)]
)
def test_the_bytes_that_two_prompts_begin_with_are_counted(one: bytes, other: bytes, both: int) -> None:
    assert common(one, other) == both


def test_a_prompt_that_goes_on_from_an_earlier_one_repeats_it() -> None:
    asked: JsonValue = {"role": "user", "content": "x" * 500}
    first: dict[str, JsonValue] = {"messages": [asked]}
    second: dict[str, JsonValue] = {"messages": [asked, {"role": "user", "content": "y" * 500}]}
    assert repeated([first]) == 0
    assert 0.3 < repeated([first, second]) < 0.36
    assert repeated([{**first, "tools": [{"type": "function"}]}, second]) > 0.3, "tools come behind rules and role"
    assert repeated([{"messages": [{"role": "user", "content": "z"}]}, second]) < 0.1


def test_a_figure_over_its_limit_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("Figures")
    table.row("fine", 1.0, "ms", most=2)
    table.row("slow", 3.0, "ms", most=2)
    table.row("little", 0.5, "", least=0.6)
    assert table.over == ["slow", "little"]
    assert [line.endswith("OVER") for line in capsys.readouterr().out.splitlines()[3:]] == [False, True, True]


async def test_what_is_compared_takes_turns() -> None:
    ran: list[str] = []

    async def one(number: int) -> None:
        ran.append("one")

    async def other(number: int) -> None:
        ran.append("other")
        await asyncio.sleep(0)

    found = await costs([one, other], pieces=2, rounds=2)
    assert len(found) == 2
    assert ran == ["one", "other", *["one", "one", "other", "other"] * 2]


def test_the_script_knows_a_run_of_any_size() -> None:
    made = script("")
    planned = plan(MOST_STEPS)
    assert isinstance(planned, dict)
    steps = planned["steps"]
    assert isinstance(steps, list)
    assert len(steps) == MOST_STEPS
    assert all(sentence(n)[:-1] in report(MOST_STEPS) for n in range(1, MOST_STEPS + 1))
    assert len(list(turns(1))) * 3 + 3 == CALLS
    assert all(line.times is None for line in made.lines)
