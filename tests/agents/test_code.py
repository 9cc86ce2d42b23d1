"""Code in place of calls: the tools are functions of one cell, and each call passes the same gate under its own key."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from moot.agents.agent import Agent, AgentLimits
from moot.agents.code import with_cell
from moot.agents.loop import work
from moot.models.chosen import ChosenModels
from moot.models.scripted import Line, ScriptedModel, calls, says
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.sandbox.monty import Monty
from moot.tools.python import python
from moot.values.messages import Reply
from tests.agents.play import Answer, Play, Played, World, understudy
from tests.conftest import MakeRun

CODER = Agent("tester", "test/tester", Answer, understudy, tools=("look", "fail", "read"), calls="code")


@pytest.fixture
async def sandbox() -> AsyncIterator[Monty]:
    opened = Monty()
    yield opened
    await opened.close()


@pytest.fixture
def coding(sandbox: Monty) -> Callable[[Doors], Doors]:
    """The doors of a run with the small Python."""
    return lambda doors: replace(doors, sandbox=sandbox, tools={**doors.tools, "python": python})


def cell(code: str) -> Line:
    return calls("python", code=code)


async def observed(play: Play, coding: Callable[[Doors], Doors], code: str) -> Played[Answer]:
    return await play(CODER, [cell(code), cell("finish(a=1)")], change=coding)


async def test_a_fenced_block_counts_as_the_call(play: Play, coding: Callable[[Doors], Doors], world: World) -> None:
    said = "I look.\n```python\nprint(look(at='door'))\nfinish(a=3)\n```\n"
    played = await play(CODER, [says(said)], change=coding)
    assert played.worked.output.a == 3
    assert played.worked.end == "finished"
    assert world.ran == ["door"]


def test_blocks_of_one_reply_are_one_cell_and_calls_go_before_them() -> None:
    reply = with_cell(Reply(text="```python\na = 1\n```\nand\n```py\nprint(a)\n```\n```\nno\n```"))
    assert [call.arguments for call in reply.calls] == ['{"code": "a = 1\\n\\nprint(a)\\n"}']


async def test_only_python_is_offered_and_its_manual_names_every_function(
    play: Play, coding: Callable[[Doors], Doors]
) -> None:
    played = await observed(play, coding, "1+1")
    tools = played.model.requests[0].tools
    assert [tool.name for tool in tools] == ["python"]
    for line in ("look(at, hard=False)", "fail(how='tool')", "finish(a, why='')", "each(function, "):
        assert line in tools[0].description


async def test_each_call_has_a_key_beneath_its_cell(play: Play, coding: Callable[[Doors], Doors], world: World) -> None:
    played = await play(
        CODER, [cell("look(at='a')\nlook(at='b')"), cell("look(at='c')"), cell("finish(a=1)")], change=coding
    )
    assert [bench.key.partition("/")[2] or bench.key for bench in world.benches] == [
        "python#1/tool#1", "python#1/tool#2", "python#2/tool#1",
    ]  # fmt: skip
    assert played.worked.calls == 6


async def test_a_failure_is_a_runtime_error_that_the_code_may_catch(
    play: Play, coding: Callable[[Doors], Doors]
) -> None:
    code = "try:\n    fail()\nexcept RuntimeError as e:\n    print('caught', e)\nfail()"
    text = (await observed(play, coding, code)).observations[0]
    assert text.startswith("caught Failed: there is no such thing.")
    assert "RuntimeError: Failed: there is no such thing." in text


async def test_arguments_that_do_not_fit_say_so_and_run_nothing(
    play: Play, coding: Callable[[Doors], Doors], world: World
) -> None:
    text = (await observed(play, coding, "look(hard=True)")).observations[0]
    assert "RuntimeError: The arguments of look don't fit: at:" in text
    assert world.ran == []


async def test_an_unknown_name_is_a_name_error(play: Play, coding: Callable[[Doors], Doors]) -> None:
    assert "NameError: name 'peek' is not defined" in (await observed(play, coding, "peek()")).observations[0]


async def test_a_fifty_first_call_of_a_cell_is_not_run(
    play: Play, coding: Callable[[Doors], Doors], world: World
) -> None:
    text = (await observed(play, coding, "for n in range(51):\n    look(at=str(n))")).observations[0]
    assert "RuntimeError: Not run: at most 50 calls in one piece of code." in text
    assert len(world.ran) == 50


async def test_each_runs_reads_side_by_side_and_keeps_their_order(
    play: Play, coding: Callable[[Doors], Doors], world: World
) -> None:
    code = "print(each(look, [{'at': str(n)} for n in range(20)] + [{'at': '3'}]))\nprint(each(fail, [{}]))"
    text = (await observed(play, coding, code)).observations[0]
    assert text.startswith(str([f"{n} is there" for n in [*range(20), 3]]))
    assert "['Failed: there is no such thing.']" in text
    assert world.most_at_once == 5
    assert len(world.ran) == 20


async def test_finish_is_taken_whatever_the_code_does_after_it(play: Play, coding: Callable[[Doors], Doors]) -> None:
    played = await play(CODER, [cell("finish(a=1)\nfinish(a=2)\n1/0")], change=coding)
    assert played.worked.output.a == 1
    assert played.worked.end == "finished"


async def test_finish_that_does_not_fit_is_a_runtime_error(play: Play, coding: Callable[[Doors], Doors]) -> None:
    text = (await observed(play, coding, "finish(a='many')")).observations[0]
    assert "RuntimeError: The arguments of finish don't fit: a:" in text


async def test_the_clock_stands_still_and_chance_follows_from_the_key(
    make_run: MakeRun, doors: Doors, prompts: Prompts, coding: Callable[[Doors], Doors], world: World
) -> None:
    code = "import random, time\nprint(random.random(), time.time())"
    seen = list[list[str]]()
    for run_id in ("testrun000", "testrun001"):
        model = ScriptedModel([cell(code), cell(code), cell("finish(a=1)")])
        given = replace(doors, models=ChosenModels({"fast": model}), prompts=prompts, tools=world.tools())
        await work(CODER, await make_run(doors=coding(given), run_id=run_id), task="Do it.")
        texts = [message.text.split() for message in model.requests[-1].messages if message.role == "tool"]
        assert texts[0][1] == texts[1][1]
        seen.append([text[0] for text in texts])
    assert seen[0] == seen[1]
    assert seen[0][0] != seen[0][1]


async def test_a_second_walk_meets_its_own_replies_and_calls_nobody(
    make_run: MakeRun, doors: Doors, prompts: Prompts, coding: Callable[[Doors], Doors], world: World
) -> None:
    lines = [cell("x = look(at='a')"), cell("print(x)\nfinish(a=5)")]
    given = replace(doors, prompts=prompts, tools=world.tools())
    scripted = ScriptedModel(lines)
    first = await work(
        CODER, await make_run(doors=coding(replace(given, models=ChosenModels({"fast": scripted})))), task="Do it."
    )
    silent = ScriptedModel()
    second = await work(
        CODER, await make_run(doors=coding(replace(given, models=ChosenModels({"fast": silent})))), task="Do it."
    )
    assert first == second
    assert first.output.a == 5
    assert world.ran == ["a"]
    assert silent.requests == []


async def test_a_functions_time_is_not_the_cells(play: Play, coding: Callable[[Doors], Doors]) -> None:
    line = calls("python", code="try:\n    hang()\nexcept RuntimeError as e:\n    print(e)", timeout_s=0.5)
    agent = replace(CODER, tools=("hang",), limits=AgentLimits())
    played = await play(agent, [line, cell("finish(a=1)")], change=coding)
    assert "hang took longer than 0.01 s" in played.observations[0]
