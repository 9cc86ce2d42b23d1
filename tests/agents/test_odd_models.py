"""Agents whose model is odd, over a real socket: a small window, no tools, calls in its text. A replay is the same."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

import pytest

from bench.scripted.script import WireLine, WireScript
from moot.agents.agent import Agent, AgentLimits, Gate
from moot.agents.loop import work
from moot.journal.sqlite import SqliteJournal
from moot.models.port import Profile
from moot.models.rate import Rate
from moot.models.scripted import Wanted
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.run.run import Run
from moot.values.events import AgentEnded, EventBody
from tests.agents.odd import Asking, wired
from tests.agents.play import Answer, World, agent, writer
from tests.conftest import MakeRun

pytestmark = pytest.mark.loopback
ANSWER = WireLine(value={"a": 1}, times=None)
TEXT, NONE = Profile(tools="text"), Profile(tools="none")
LONG = AgentLimits(observation_chars=400_000)


@pytest.fixture
def asking(make_run: MakeRun, doors: Doors, prompts: Prompts, world: World) -> Asking:
    return Asking(make_run, replace(doors, prompts=prompts, tools=world.tools()))


async def prefetch(gate: Gate, given: Mapping[str, object]) -> None:
    await gate.call("pour", lines=60_000)
    await gate.call("look", at="the shelf")


def reader(*, limits: AgentLimits = AgentLimits()) -> Agent[Answer]:
    """An agent for which the program can read."""
    return replace(agent(["look", "pour"]), prefetch=prefetch, limits=limits)


def pours(turns: int) -> list[WireLine]:
    """Turns that each read some three thousand tokens, then an answer."""
    made = [Wanted(name="pour", args={"lines": 2_000 + turn}) for turn in range(turns)]
    return [*(WireLine(calls=(call,)) for call in made), WireLine(value={"a": 1})]


# a window smaller than it was taken for


@pytest.mark.parametrize("told", [True, False], ids=["told its size", "not told its size"])
async def test_a_history_too_long_for_the_server_is_shrunk_and_asked_once_more(asking: Asking, told: bool) -> None:
    script = WireScript(lines=tuple(pours(7)), window=20_000, window_told=told)
    asked = await asking.work(agent(["pour"]), script)
    assert (asked.worked.end, asked.worked.by, asked.worked.output) == ("finished", "model", Answer(a=1))
    assert "window_lowered" in asked.worked.notes
    assert len(asked.server.counts.refused) == 1
    assert "Earlier turns, shortened:" in asked.sent[-1] or "[…]" in asked.sent[-1]


async def test_what_was_learned_of_a_window_holds_for_the_agents_after(asking: Asking) -> None:
    async with wired(WireScript(lines=(*pours(7), *pours(7)), window=20_000)) as (model, server):
        run = await asking.run_with(model)
        for part in ("one", "two"):
            async with run.scope(part):
                worked = await work(agent(["pour"]), run, task="Do it.")
            assert (worked.output, len(server.counts.refused)) == (Answer(a=1), 1)
        assert "window_lowered" not in worked.notes


async def test_a_task_that_is_too_long_for_the_server_is_the_understudys(asking: Asking) -> None:
    asked = await asking.work(agent(["pour"]), WireScript(lines=(ANSWER,), window=100))
    assert (asked.worked.end, asked.worked.by) == ("error", "understudy")
    assert asked.worked.why.startswith("too_long: ")
    assert len(asked.server.counts.refused) == 1


@pytest.mark.parametrize("known", [True, False], ids=["a window that is known", "a window that is learned"])
@pytest.mark.parametrize("words", ["passage ", "段落"])
async def test_what_is_given_in_one_long_request_is_shortened_to_the_window(
    asking: Asking, known: bool, words: str
) -> None:
    task = "\n".join(["What was found:", *(f"- [S{n:04x}.1] {n} begins {words * 2_000}{n} ends" for n in range(12))])
    profile, window = (Profile(window=12_000), 0) if known else (Profile(window=900_000), 12_000)
    script = WireScript(lines=(ANSWER,), window=window)
    asked = await asking.work(agent(), script, profile=profile, task=task)
    assert (asked.worked.end, asked.worked.by, asked.worked.output) == ("finished", "model", Answer(a=1))
    assert ("window_lowered" in asked.worked.notes, len(asked.server.counts.refused)) == (not known, int(not known))
    sent = asked.sent[-1]
    assert all(f"[S{n:04x}.1] {n} begins" in sent and f"{n} ends" in sent for n in range(12))
    assert sent.count("characters left out") == 12


async def test_what_is_given_that_cannot_be_shortened_is_the_understudys(asking: Asking) -> None:
    script = WireScript(lines=(ANSWER,), window=12_000)
    task = "\n".join(f"- line {n} of many" for n in range(9_000))
    asked = await asking.work(agent(), script, profile=Profile(window=900_000), task=task)
    assert (asked.worked.end, asked.worked.by) == ("error", "understudy")
    assert asked.worked.why.startswith("too_long: context_too_small: ")
    assert len(asked.server.counts.refused) == 1


@pytest.mark.parametrize("window", [0, 12_000])
async def test_a_page_of_a_megabyte_read_for_an_unknown_model_is_cut_to_its_window(asking: Asking, window: int) -> None:
    asked = await asking.work(reader(limits=LONG), WireScript(lines=(ANSWER,), window=window), profile=NONE)
    assert (asked.worked.end, asked.worked.by) == ("finished", "model")
    assert asked.worked.notes[0] == "prefetched"
    assert ("window_lowered" in asked.worked.notes) == (window > 0)
    assert "characters left out" in asked.sent[-1]
    assert "the shelf is there" in asked.sent[-1]


# calls in its text, or none


async def test_a_call_written_as_text_is_run_and_its_result_comes_back_fenced(asking: Asking) -> None:
    written = WireLine(turn=1, text='I look.\n<tool_call>{"name": "look", "arguments": {"at": "`a`"}}')
    asked = await asking.work(agent(["look"]), WireScript(lines=(written, ANSWER)), profile=TEXT)
    assert (asked.worked.output, asked.worked.calls) == (Answer(a=1), 1)
    first, second = asked.server.bodies
    assert first["stop"] == second["stop"] == ["</tool_call>"]
    assert "tools" not in first
    assert '"name": "look"' in asked.sent[0]
    messages = second["messages"]
    assert isinstance(messages, list)
    assert {"role": "user", "content": "Result of look:\n```\n`a` is there\n```"} in messages


@pytest.mark.parametrize("refuses", [(), ("tools",)], ids=["known to write its calls", "learned to"])
async def test_two_turns_that_neither_call_nor_answer_are_read_for(asking: Asking, refuses: tuple[str, ...]) -> None:
    prose = WireLine(text="I would look on the shelf.", times=2)
    script = WireScript(lines=(prose, ANSWER), refuses=refuses)
    asked = await asking.work(reader(), script, profile=Profile() if refuses else TEXT)
    assert (asked.worked.output, asked.worked.by, asked.worked.steps) == (Answer(a=1), "model", 3)
    assert "prefetched" in asked.worked.notes
    assert len(asked.server.bodies) == 3
    assert "stop" not in asked.server.bodies[2]
    assert "the shelf is there" in asked.sent[2]


async def test_without_a_prefetch_the_understudy_plays_after_two_such_turns(asking: Asking) -> None:
    prose = WireLine(text="I would look on the shelf.", times=None)
    asked = await asking.work(agent(["look"]), WireScript(lines=(prose,)), profile=TEXT)
    assert (asked.worked.end, asked.worked.by, len(asked.server.bodies)) == ("finished", "understudy", 2)
    assert asked.worked.why == "compatible:m wrote no call in two turns running"


async def test_one_such_turn_is_only_nudged(asking: Asking) -> None:
    lines = (
        WireLine(text="Hm."),
        WireLine(turn=2, text='<tool_call>{"name": "look", "arguments": {"at": "a"}}'),
        WireLine(text="Hm, hm."),
        ANSWER,
    )
    asked = await asking.work(reader(), WireScript(lines=lines), profile=TEXT)
    assert (asked.worked.output, asked.worked.calls, asked.worked.notes) == (Answer(a=1), 1, ("call_in_text",))


async def test_that_it_was_read_for_is_told(asking: Asking, told: Callable[[Run], Awaitable[list[EventBody]]]) -> None:
    asked = await asking.work(reader(), WireScript(lines=(ANSWER,)), profile=NONE)
    (ended,) = [event for event in await told(asked.run) if isinstance(event, AgentEnded)]
    assert ended.notes == asked.worked.notes == ("prefetched",)


async def test_a_model_that_makes_one_call_a_turn_is_asked_for_one_and_reads_them_one_by_one(asking: Asking) -> None:
    both = WireLine(turn=1, calls=tuple(Wanted(name="look", args={"at": at}) for at in "ab"))
    asked = await asking.work(agent(["look"]), WireScript(lines=(both, ANSWER)), profile=Profile(parallel_tools=False))
    assert asked.worked.calls == 2
    assert [body["parallel_tool_calls"] for body in asked.server.bodies] == [False, False]
    messages = asked.server.bodies[1]["messages"]
    assert isinstance(messages, list)
    assert [message["role"] for message in messages if isinstance(message, dict)] == [
        "system", "user", "assistant", "tool", "assistant", "tool", "user",
    ]  # fmt: skip


async def test_words_without_end_are_stopped_and_not_gone_on_with(asking: Asking) -> None:
    endless = WireLine(text="It is so. ", quirk="stream_endless", times=None)
    async with wired(WireScript(lines=(endless,))) as (model, server):
        limits = AgentLimits(max_output_tokens=50)
        worked = await work(replace(writer(), limits=limits), await asking.run_with(model), task="Do it.")
    assert (worked.end, worked.by, server.counts.calls) == ("finished", "model", 1)
    assert worked.output.startswith("It is so.")
    assert worked.notes == ("endless", "cut")


# time and money


async def test_standing_in_line_before_a_provider_is_no_time_of_the_call(asking: Asking) -> None:
    slow = WireLine(value={"a": 1}, delay_s=0.25, times=None)
    async with wired(WireScript(lines=(slow,)), rate=Rate(concurrent=1)) as (model, server):
        hurried = replace(model.endpoint, timeouts=replace(model.endpoint.timeouts, whole_s=0.6))
        model.endpoint = hurried
        run = await asking.run_with(model)
        three = await run.together(*[lambda: work(agent(), run, task="Do it.") for _ in range(4)])
        assert [worked.by for worked in three] == ["model"] * 4
        assert server.counts.calls == 4


async def test_what_was_streamed_before_a_cancel_is_counted_and_stays_so(
    asking: Asking, journal: SqliteJournal
) -> None:
    endless = WireScript(lines=(WireLine(text="It is ", quirk="stream_endless", times=None),))
    heard = asyncio.Event()
    async with wired(endless) as (model, _):
        doors = replace(asking.doors, live=lambda here, of, text: heard.set() if of == "text" else None)
        run = await replace(asking, doors=doors).run_with(model)
        working = asyncio.create_task(work(agent(), run, task="Do it."))
        await heard.wait()
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
    spent = run.budget.spent()
    assert spent.tokens > 20
    (entry,) = [entry for entry in await journal.entries(run.id) if entry.kind == "model"]
    assert (entry.state, entry.usage and entry.usage.tokens) == ("begun", spent.tokens)
    async with wired(WireScript(lines=(ANSWER,))) as (model, _):
        again = await asking.run_with(model)
        assert again.budget.spent().tokens == spent.tokens
        assert (await work(agent(), again, task="Do it.")).output == Answer(a=1)
    (entry,) = [entry for entry in await journal.entries(run.id) if entry.kind == "model"]
    assert entry.usage is not None
    assert (entry.state, entry.usage.tokens) == ("kept", again.budget.spent().tokens)
    assert entry.usage.tokens > spent.tokens


async def test_a_server_that_knows_nothing_of_one_call_a_turn_is_asked_without_it(asking: Asking) -> None:
    script = WireScript(lines=(ANSWER,), refuses=("parallel_tool_calls",))
    asked = await asking.work(agent(["look"]), script, profile=Profile(parallel_tools=False))
    assert (asked.worked.output, asked.worked.notes) == (Answer(a=1), ("lowered:parallel_tool_calls",))
    assert "parallel_tool_calls" not in asked.server.bodies[0]
