"""The gate: what is run, beside what, after whose word, and what the model reads of it."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from moot.agents.agent import Gate
from moot.agents.gate import addresses_in
from moot.agents.loop import work
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.models.scripted import Line, ScriptedModel, Wanted, calls, says
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.text.marks import mark_of
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed, WaitingForHuman
from moot.values.events import PageRead, PageUnread, ToolAnswered, ToolCalled, ToolUnavailable
from moot.values.usage import Limits
from tests.agents.play import Answer, Play, World, agent
from tests.conftest import MakeRun

DONE = says(Answer(a=1))


def turn(*wanted: Wanted) -> Line:
    """A reply with these calls."""
    return Line(calls=wanted)


def want(name: str, **args: str | int | bool) -> Wanted:
    return Wanted(name=name, args=dict(args))


async def test_observations_keep_the_order_called_and_one_failure_loses_no_sibling(play: Play) -> None:
    lines = [turn(want("look", at="a"), want("fail"), want("look", at="b")), DONE]
    played = await play(agent(["look", "fail"]), lines)
    assert played.observations == ["a is there", "Failed: there is no such thing.", "b is there"]
    assert played.worked.calls == 3
    assert played.worked.failed == ("fail",)


async def test_two_calls_without_ids_get_their_own_results(play: Play) -> None:
    lines = [turn(Wanted(name="look", args={"at": "a"}, id=""), Wanted(name="fail", id="")), DONE]
    played = await play(agent(["look", "fail"]), lines)
    said = played.model.requests[1].messages
    ids = [call.id for message in said for call in message.calls]
    assert ids == ["c1_1", "c1_2"] == [message.call_id for message in said if message.role == "tool"]
    assert played.observations == ["a is there", "Failed: there is no such thing."]


async def test_what_a_tool_raises_is_an_observation(play: Play) -> None:
    lines = [calls("fail", how="bug"), calls("fail", how="silent"), DONE]
    played = await play(agent(["fail"]), lines)
    assert played.observations == ["Failed: ZeroDivisionError: division by zero", "(no output)"]


async def test_what_no_journal_can_hold_is_replaced_before_anybody_sees_it(play: Play, journal: SqliteJournal) -> None:
    played = await play(agent(["look"]), [calls("look", at="a\x00b\ud800c"), DONE])
    assert played.observations == ["a\ufffdb\ufffdc is there"]
    bodies = [entry.request + (entry.reply or b"") for entry in await journal.entries(played.run.id)]
    bodies = [body for body in bodies if b'"look"' in body and b"arguments" not in body]
    assert bodies
    assert not any(rb"\u0000" in body or rb"\ud800" in body for body in bodies)


async def test_a_tool_that_runs_too_long_is_stopped(play: Play) -> None:
    played = await play(agent(["hang"]), [calls("hang"), DONE])
    assert played.observations == ["Failed: hang took longer than 0.01 s and was stopped."]


async def test_an_agent_may_give_a_tool_less_time_than_the_tool_takes_for_itself(play: Play) -> None:
    @tool(timeout_s=60)
    async def ponder(bench: Workbench) -> ToolResult:
        """Never comes to an end."""
        await asyncio.Event().wait()
        raise AssertionError

    hasty = agent(["ponder"])
    hasty = replace(hasty, limits=hasty.limits.model_copy(update={"tool_seconds": {"ponder": 0.01}}))
    played = await play(hasty, [calls("ponder"), DONE], change=lambda doors: replace(doors, tools={"ponder": ponder}))
    assert played.observations == ["Failed: ponder took longer than 0.01 s and was stopped."]


async def test_arguments_that_are_cut_off_run_nothing_and_take_a_turn(play: Play, world: World) -> None:
    played = await play(agent(["look"]), [turn(Wanted(name="look", args='{"at": "the s')), DONE])
    assert played.observations[0].startswith("The arguments of look were cut off before their end")
    assert world.ran == []
    assert (played.worked.steps, played.worked.calls) == (2, 0)


async def test_the_last_call_of_a_reply_cut_by_the_output_limit_is_not_run(play: Play, world: World) -> None:
    cut = turn(want("look", at="a"), want("look", at="b")).model_copy(update={"stop": "length"})
    played = await play(agent(["look"]), [cut, DONE])
    assert world.ran == ["a"]
    assert "cut off" in played.observations[1]


async def test_reads_run_side_by_side_five_at_most_and_a_write_by_itself(play: Play, world: World) -> None:
    reads = [want("look", at=str(n)) for n in range(8)]
    played = await play(agent(["look", "write"]), [turn(*reads, want("write", text="x"), want("look", at="8")), DONE])
    assert world.most_at_once == 5
    assert world.ran[8:] == ["write x", "8"]
    assert len(played.observations) == 10


async def test_a_seventeenth_call_of_a_reply_is_not_run(play: Play, world: World) -> None:
    played = await play(agent(["look"]), [turn(*(want("look", at=str(n)) for n in range(17))), DONE])
    assert played.observations[16] == "Not run: at most 16 calls in one reply."
    assert len(world.ran) == 16


async def test_a_tools_own_cap_holds_over_turns(play: Play, world: World) -> None:
    lines = [turn(want("look", at="a"), want("look", at="b")), calls("look", at="c"), DONE]
    played = await play(agent(["look"], caps={"look": 2}), lines)
    assert played.observations[2] == "Not run: at most 2 calls of look here."
    assert world.ran == ["a", "b"]


async def test_the_same_read_twice_in_a_reply_is_run_once(play: Play, world: World) -> None:
    twice = turn(
        want("look", at="a"), want("look", at="a", hard=False), want("write", text="x"), want("write", text="x")
    )
    played = await play(agent(["look", "write"]), [twice, DONE])
    assert played.observations[1] == "Same call as above; see its result."
    assert world.ran == ["a", "write x", "write x"]


async def test_finish_beside_a_failed_call_is_not_taken(play: Play) -> None:
    both = turn(want("fail"), want("finish", a=1))
    played = await play(agent(["fail"]), [both, DONE])
    assert played.observations[1] == "Not taken: fail failed. Look at it, then finish again."
    assert played.worked.steps == 2


async def test_finish_beside_calls_that_went_well_is_taken_after_them(play: Play, world: World) -> None:
    played = await play(agent(["look"]), [turn(want("finish", a=1), want("look", at="a"))])
    assert played.worked.output == Answer(a=1)
    assert world.ran == ["a"]


async def test_finish_that_does_not_fit_is_an_ordinary_failed_call(play: Play) -> None:
    played = await play(agent(["look"]), [turn(want("finish", why="x")), DONE])
    assert played.observations == ["The arguments of finish don't fit: a: missing. Nothing was done."]


async def test_a_tool_that_cannot_work_here_is_not_offered_and_that_is_told(play: Play) -> None:
    played = await play(agent(["look", "away"]), [DONE])
    assert [spec.name for spec in played.model.requests[0].tools] == ["finish", "look"]
    assert ToolUnavailable(tool="away", why="it is not built here") in played.events


async def test_a_tool_gets_back_what_it_must_know(play: Play, world: World) -> None:
    await play(agent(["look"]), [calls("look", at="a"), calls("look", at="b"), DONE])
    assert [bench.before for bench in world.benches] == [None, "a"]


async def test_each_call_has_its_own_key_and_fence(play: Play, world: World) -> None:
    await play(agent(["look"]), [turn(want("look", at="a"), want("look", at="b")), calls("look", at="c"), DONE])
    assert [bench.key for bench in world.benches] == [
        "look#1/side#1/1/tool#1",
        "look#1/side#1/2/tool#1",
        "look#1/tool#1",
    ]
    assert len({bench.fence for bench in world.benches}) == 3
    assert all(bench.at == world.benches[0].at is not None for bench in world.benches)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See https://Example.org/a?utm_source=x, please.", {"//example.org/a"}),
        ("docs://python/with (and docs://python/del).", {"docs://python/with", "docs://python/del"}),
        ("见https://example.org/水。好", {"//example.org/%E6%B0%B4"}),
        ("ftp://example.org http://u:p@example.org nothing", set()),
    ],
)
def test_addresses_of_a_text_are_found_in_their_canonical_form(text: str, found: set[str]) -> None:
    assert addresses_in(text) == found


async def test_only_what_was_given_found_or_read_may_be_opened(play: Play) -> None:
    lines = [
        calls("read", address="docs://x/b"),
        calls("read", address="docs://x/a"),
        calls("read", address="docs://x/a/next"),
        DONE,
    ]
    played = await play(agent(["read"]), lines, task="Read docs://x/a.")
    assert [text.partition(" ")[0] for text in played.observations] == [
        "Failed:",
        f"[{mark_of('docs://x/a')}.1]",
        f"[{mark_of('docs://x/a/next')}.1]",
    ]
    assert [shown.address for shown in played.worked.sources] == ["docs://x/a", "docs://x/a/next"]
    assert [page.address for page in played.worked.unread] == ["docs://x/b"]
    assert played.worked.tried == ("docs://x/b", "docs://x/a", "docs://x/a/next")
    assert [event.address for event in played.events if isinstance(event, PageRead)] == [
        "docs://x/a",
        "docs://x/a/next",
    ]
    assert [event.why for event in played.events if isinstance(event, PageUnread)] == ["docs://x/b is not known."]


async def test_two_addresses_whose_marks_clash_are_told_apart_in_the_order_called(play: Play) -> None:
    one, other = "//example.org/page/110", "//example.org/page/157"
    both = turn(want("read", address=one), want("read", address=other))
    played = await play(agent(["read"]), [both, DONE], task="https://example.org/page/110 https://example.org/page/157")
    assert [shown.mark for shown in played.worked.sources] == ["S931a", "S931aa"]
    assert played.observations == ["[S931a.1] It is so.", "[S931aa.1] It is so."]


async def test_an_observation_of_a_million_characters_is_capped_and_the_whole_is_in_a_file(
    play: Play, tmp_path: Path
) -> None:
    played = await play(
        agent(["pour"]), [calls("pour", lines=40_000), DONE], change=lambda doors: replace(doors, workspace=tmp_path)
    )
    assert (
        "[… 212,898 of 228,894 characters left out; all of it: /workspace/.moot/out/look.1.tool.1.txt …]"
        in (played.observations[0])
    )
    whole = (tmp_path / ".moot/out/look.1.tool.1.txt").read_text()
    assert len(whole) == 228_894


async def test_calls_and_results_are_told(play: Play) -> None:
    played = await play(agent(["look"]), [turn(want("look", at="a"), want("loook", at="a")), DONE])
    assert [event for event in played.events if isinstance(event, ToolCalled | ToolAnswered)] == [
        ToolAnswered(name="loook", status="failed", chars=len(played.observations[1])),
        ToolCalled(name="look", arguments={"at": "a"}),
        ToolAnswered(name="look", status="ok", chars=len("a is there")),
    ]
    assert played.observations[1] == "No tool named 'loook'. Your tools: finish, look. Did you mean 'look'?"


# people


async def test_a_refused_call_is_not_run_and_the_model_reads_why(play: Play, world: World) -> None:
    played = await play(
        agent(["look"]),
        [calls("look", at="a"), DONE],
        change=lambda doors: replace(doors, approve=frozenset({"look"}), nobody_there=True),
    )
    assert played.observations == ["Not run: the person refused. Nobody is there to allow it."]
    assert world.ran == []


async def test_a_call_that_needs_approval_waits_for_a_person(play: Play, world: World) -> None:
    with pytest.raises(WaitingForHuman):
        await play(
            agent(["look"]),
            [calls("look", at="a")],
            change=lambda doors: replace(doors, approve=frozenset({"look"})),
        )
    assert world.ran == []


async def test_two_calls_that_need_approval_are_asked_for_together(play: Play) -> None:
    with pytest.raises(WaitingForHuman) as waiting:
        await play(
            agent(["look"]),
            [turn(want("look", at="a"), want("look", at="b"))],
            change=lambda doors: replace(doors, approve=frozenset({"look"})),
        )
    assert len(waiting.value.question_ids) == 2


async def test_a_question_to_a_person_is_put_after_the_other_calls(play: Play, world: World) -> None:
    with pytest.raises(WaitingForHuman):
        await play(agent(["look", "ask_human"]), [turn(want("ask_human", question="Which?"), want("look", at="a"))])
    assert world.ran == ["a"]


async def test_with_nobody_there_a_question_gets_the_advice_to_decide(play: Play) -> None:
    played = await play(
        agent(["ask_human"]),
        [calls("ask_human", question="Which?"), DONE],
        change=lambda doors: replace(doors, nobody_there=True),
    )
    assert played.observations == ["Nobody is there to answer. Decide, and say what you assumed."]


# plain code


async def test_an_understudys_calls_pass_the_same_gate(play: Play) -> None:
    async def reads(gate: Gate, given: Mapping[str, object]) -> Answer:
        assert gate.has("read")
        assert not gate.has("write")
        result = await gate.call("read", address="docs://x/a")
        assert result.sources == gate.ledger.sources
        with pytest.raises(ToolFailed, match="at most 1 calls of read"):
            await gate.call("read", address="docs://x/a/next")
        with pytest.raises(ToolFailed, match="no such thing"):
            await gate.call("fail")
        with pytest.raises(ToolFailed, match="granted"):
            await gate.call("write", text="x")
        return Answer(a=9)

    reader = replace(agent(["read", "fail"], caps={"read": 1}), understudy=reads)
    played = await play(reader, task="Read docs://x/a.")
    assert (played.worked.output, played.worked.calls) == (Answer(a=9), 2)
    assert [shown.address for shown in played.worked.sources] == ["docs://x/a"]


async def test_an_understudy_is_not_kept_from_a_tool_that_the_model_used_up(play: Play, world: World) -> None:
    async def looks(gate: Gate, given: Mapping[str, object]) -> Answer:
        await gate.call("look", at="b")
        return Answer(a=0)

    looker = replace(agent(["look"], caps={"look": 1}), understudy=looks)
    await play(looker, [calls("look", at="a"), Line(error="unavailable")])
    assert world.ran == ["a", "b"]


async def test_an_understudy_whose_calls_the_budget_refuses_ends_with_budget(play: Play) -> None:
    async def reads(gate: Gate, given: Mapping[str, object]) -> Answer:
        with pytest.raises(ToolFailed, match="stopped"):
            await gate.call("look", at="a")
        return Answer(a=0)

    out_of_time = Limits(seconds=0.000_001, keep_back=0)
    played = await play(replace(agent(["look"]), understudy=reads), limits=out_of_time)
    assert (played.worked.end, played.worked.by) == ("budget", "understudy")


async def test_a_write_cut_off_by_a_crash_is_unknown_and_never_repeated(
    make_run: MakeRun, doors: Doors, prompts: Prompts
) -> None:
    begun, ran = asyncio.Event(), list[str]()

    @tool(effect="write")
    async def write(bench: Workbench) -> ToolResult:
        """Writes."""
        ran.append("write")
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def walk(*lines: Line) -> ScriptedModel:
        model = ScriptedModel(lines)
        run = await make_run(
            doors=replace(doors, models=ChosenModels({"fast": model}), prompts=prompts, tools={"write": write})
        )
        await work(agent(["write"]), run, task="Do it.")
        return model

    first = asyncio.create_task(walk(calls("write")))
    await begun.wait()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    second = await walk(DONE)
    assert ran == ["write"]
    assert [message.text for message in second.requests[0].messages if message.role == "tool"] == [
        "Unknown whether done: the machine stopped while write was running. Look before you do it again."
    ]


async def test_what_a_tool_opened_lives_between_calls_and_is_closed_when_the_work_ends(
    play: Play, world: World
) -> None:
    await play(agent(["shell"]), [calls("shell"), calls("shell"), DONE])
    first, second = world.shells
    assert first is second
    assert first.closed


async def test_what_a_tool_opened_is_closed_while_a_person_is_waited_for(play: Play, world: World) -> None:
    with pytest.raises(WaitingForHuman):
        await play(agent(["shell", "ask_human"]), [calls("shell"), calls("ask_human", question="Which?")])
    assert [shell.closed for shell in world.shells] == [True]
