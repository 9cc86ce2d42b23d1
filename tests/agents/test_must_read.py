"""An answer that must rest on something read: one nudge, then the program reads for the model."""

from collections.abc import Mapping
from dataclasses import replace

from moot.agents.agent import Agent, Gate
from moot.models.port import Profile
from moot.models.scripted import Line, calls, says
from moot.values.errors import ToolFailed
from tests.agents.play import Answer, Play, agent

NO_TOOLS = Profile(tools="none")


async def prefetch(gate: Gate, given: Mapping[str, object]) -> None:
    await gate.call("look", at="the shelf")
    await gate.call("read", address="docs://x/a")


async def failing(gate: Gate, given: Mapping[str, object]) -> None:
    raise ToolFailed("the shelf is empty.")


def reader() -> Agent[Answer]:
    return replace(agent(["look", "read"]), must_read=True, prefetch=prefetch)


TASK = "Read docs://x/a."


async def test_an_answer_after_reading_is_taken(play: Play) -> None:
    played = await play(reader(), [calls("read", address="docs://x/a"), says(Answer(a=1))], task=TASK)
    assert (played.worked.output, played.worked.steps) == (Answer(a=1), 2)
    assert "prefetched" not in played.worked.notes


async def test_an_answer_from_memory_is_nudged_once_and_then_read_for(play: Play) -> None:
    played = await play(reader(), [says(Answer(a=1)), says(Answer(a=2)), says(Answer(a=3))], task=TASK)
    assert played.worked.output == Answer(a=3)
    assert played.worked.notes == ("prefetched",)
    told = next(message.text for message in played.model.requests[1].messages if message.role == "tool")
    assert told.startswith("Not taken: Nothing was read yet")
    last = played.model.requests[2]
    assert last.tools == ()
    assert "It is so." in last.messages[-1].text
    assert "the shelf is there" in last.messages[-1].text
    assert [shown.address for shown in played.worked.sources] == ["docs://x/a"]


async def test_a_nudge_is_enough_for_a_model_that_then_reads(play: Play) -> None:
    lines = [says(Answer(a=1)), calls("read", address="docs://x/a"), says(Answer(a=2))]
    played = await play(reader(), lines, task=TASK)
    assert (played.worked.output, played.worked.notes) == (Answer(a=2), ())


async def test_prose_to_the_last_gets_one_nudge_and_ends_with_the_understudy(play: Play) -> None:
    played = await play(reader(), [Line(text="There are 42 of them.", times=None)], task=TASK)
    assert (played.worked.end, played.worked.by) == ("error", "understudy")
    assert len(played.model.requests) == 4
    assert "42" not in repr(played.worked.output)


async def test_turns_that_end_with_nothing_read_are_read_for_too(play: Play) -> None:
    short = replace(reader(), limits=reader().limits.model_copy(update={"max_steps": 1}))
    played = await play(short, [calls("look", at="a"), says(Answer(a=5))], task=TASK)
    assert (played.worked.end, played.worked.output, played.worked.notes) == ("max_steps", Answer(a=5), ("prefetched",))


async def test_a_model_that_calls_no_tools_answers_from_what_is_read_for_it(play: Play) -> None:
    played = await play(reader(), [says(Answer(a=4))], profile=NO_TOOLS, task=TASK)
    assert (played.worked.output, played.worked.by, played.worked.steps) == (Answer(a=4), "model", 1)
    request = played.model.requests[0]
    assert request.tools == ()
    assert "It is so." in request.messages[-1].text
    assert '"a": 1' in request.messages[0].text
    assert played.worked.calls == 2


async def test_reading_that_fails_is_told_and_the_answer_says_what_is_missing(play: Play) -> None:
    empty = replace(reader(), prefetch=failing)
    played = await play(empty, [says(Answer(a=0, why="nothing there"))], profile=NO_TOOLS, task=TASK)
    assert "Failed: the shelf is empty." in played.notes[0]
    assert played.worked.output.why == "nothing there"
