"""What a model is asked, that its replies are kept, and how they are passed on as they come."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest

from moot.agents.agent import AgentLimits
from moot.agents.loop import work
from moot.journal.port import Journal
from moot.models.chosen import ChosenModels
from moot.models.port import Profile
from moot.models.scripted import Line, Request, ScriptedModel, Wanted, calls, says
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.values.errors import ReplayDiverged
from moot.values.events import Compacted, Said
from moot.values.usage import Limits, Usage
from tests.agents.play import Answer, Play, World, agent, writer
from tests.conftest import MakeRun

DONE = says(Answer(a=1))
NO_LIMITS = Limits(tokens=None)


def rendered(request: Request) -> list[str]:
    """The messages of a request, byte for byte."""
    return [message.model_dump_json() for message in request.messages]


async def test_the_request_of_a_turn_without_its_newest_message_begins_the_next_one(play: Play) -> None:
    lines = [calls("look", at=str(n)) for n in range(5)]
    requests = [rendered(request) for request in (await play(agent(["look"]), [*lines, DONE])).model.requests]
    for before, after in pairwise(requests):
        assert after[: len(before) - 1] == before[:-1]


async def test_tools_are_offered_sorted_by_name_and_the_same_in_every_turn(play: Play) -> None:
    requests = (await play(agent(["read", "look", "fail"]), [calls("look", at="a"), DONE])).model.requests
    assert [spec.name for spec in requests[0].tools] == ["fail", "finish", "look", "read"]
    assert requests[0].tools == requests[1].tools


async def test_rules_and_role_come_first_then_what_was_given_and_date_and_turn_last(play: Play) -> None:
    first = (await play(agent(["look"], max_steps=7), [DONE], task="Measure it.")).model.requests[0].messages
    assert [message.role for message in first] == ["system", "user", "user"]
    assert first[0].text.startswith("# Rules of the house")
    assert "# You are the tester" in first[0].text
    assert first[1].text == "Measure it."
    assert first[2].text.startswith("Turn 1 of 7. Today is ")


async def test_what_an_agents_note_says_stands_in_the_newest_message_only(play: Play) -> None:
    noting = replace(agent(["look"]), note=lambda after: f"looked last at {after.get('look')}")
    played = await play(noting, [calls("look", at="the sky"), DONE])
    assert "looked last at None" in played.notes[0]
    assert "looked last at the sky" in played.notes[1]
    assert "looked last at None" not in played.model.requests[1].words


async def test_in_130_turns_no_result_stands_without_its_call(play: Play) -> None:
    lines = [calls("pour", lines=100 + n) for n in range(130)]
    played = await play(
        agent(["pour"], max_steps=200), [*lines, DONE], profile=Profile(window=24_000), limits=NO_LIMITS
    )
    for request in played.model.requests:
        said = request.messages
        for place, message in enumerate(said):
            if message.role == "tool":
                assert said[place - 1].calls[0].id == message.call_id
    assert any(isinstance(event, Compacted) and event.after < event.before for event in played.events)
    assert "Earlier turns, shortened:" in played.model.requests[-1].words


async def test_a_task_that_no_window_holds_is_the_understudys(play: Play) -> None:
    played = await play(
        agent(["look"]), [says("never", times=None)], profile=Profile(window=9_000), task="word " * 9_000
    )
    assert (played.worked.end, played.worked.by) == ("error", "understudy")
    assert played.worked.why.startswith("too_long: context_too_small: ")


async def test_a_call_that_the_seconds_of_the_run_are_over_for_ends_by_the_budget_and_is_counted(
    play: Play, journal: Journal, make_run: MakeRun
) -> None:
    slow = Line(text="late", delay_s=30)
    played = await play(writer(), [slow], limits=Limits(seconds=1, keep_back=0))
    assert (played.worked.end, played.worked.by) == ("budget", "understudy")
    assert played.worked.why == (
        "budget_spent: 2 of 1 seconds would be in use at look#1/model#1. Resume with --more-seconds 60."
    )
    (entry,) = [entry for entry in await journal.entries(played.run.id) if entry.kind == "model"]
    assert (entry.state, entry.failure and entry.failure.dimension) == ("refused", "seconds")
    assert (played.run.budget.spent().calls, (await make_run()).budget.spent().calls) == (1, 1)


async def test_calls_of_a_model_that_was_offered_no_tools_are_ignored_and_noted(play: Play) -> None:
    line = Line(text='{"a": 1}', calls=(Wanted(name="look", args={"at": "a"}),))
    played = await play(agent(), [line])
    assert (played.worked.output, played.worked.notes) == (Answer(a=1), ("calls_ignored",))


async def test_what_was_said_is_told_with_its_usage(play: Play) -> None:
    usage = Usage(input=10, output=5)
    played = await play(writer(), [Line(text="Hello.", usage=usage, notes=("fallback",))])
    said = [event for event in played.events if isinstance(event, Said)]
    assert said == [Said(role="tester", text="Hello.", usage=usage, by="scripted:test", notes=("fallback",))]
    assert (played.worked.tokens, played.worked.notes) == (15, ("fallback",))


async def test_live_text_and_thought_are_passed_on_apart(play: Play) -> None:
    heard: list[tuple[str, str, str]] = []
    await play(
        writer(),
        [Line(deltas=("<think>hm", "</think>Hel", "lo."))],
        change=lambda doors: replace(doors, live=lambda *piece: heard.append(piece)),
    )
    assert heard == [("look#1", "thought", "hm"), ("look#1", "text", "Hel"), ("look#1", "text", "lo.")]


async def test_thoughts_go_back_to_the_model_apart_from_the_text_and_never_into_an_answer(play: Play) -> None:
    line = Line(text="<think>secret</think>I look.", calls=(Wanted(name="look", args={"at": "a"}),))
    played = await play(agent(["look"]), [line, Line(text='<think>{"a": 5}</think>{"a": 6}')])
    assert played.worked.output == Answer(a=6)
    said = next(message for message in played.model.requests[1].messages if message.role == "assistant")
    assert (said.text, said.reasoning) == ("I look.", "secret")


async def test_limits_reach_the_model_within_what_it_can(play: Play) -> None:
    wide = replace(writer(), limits=AgentLimits(max_output_tokens=50_000, temperature=0.2))
    played = await play(wide, [says("x")], profile=Profile(max_output=8_000))
    assert (played.model.requests[0].limits.max_output_tokens, played.model.requests[0].limits.temperature) == (
        8_000,
        0.2,
    )


async def test_a_second_walk_asks_nobody_and_comes_to_the_same(
    make_run: MakeRun, doors: Doors, prompts: Prompts, world: World
) -> None:
    lines = [
        Line(calls=(Wanted(name="look", args={"at": "a"}), Wanted(name="read", args={"address": "docs://x/a"}))),
        calls("fail"),
        Line(text='{"a": "one"}'),
        DONE,
    ]

    async def walk(model: ScriptedModel) -> object:
        tools = world.tools()
        run = await make_run(doors=replace(doors, models=ChosenModels({"fast": model}), prompts=prompts, tools=tools))
        return await work(agent(["look", "read", "fail"]), run, task="Read docs://x/a.")

    first = await walk(ScriptedModel(lines))
    ran = list(world.ran)
    second = await walk(ScriptedModel())
    assert first == second
    assert world.ran == ran


async def test_another_prompt_under_a_kept_key_diverges_and_asks_nobody(
    make_run: MakeRun, doors: Doors, prompts: Prompts
) -> None:
    async def walk(task: str, *lines: Line) -> None:
        models = ChosenModels({"fast": ScriptedModel(lines)})
        run = await make_run(doors=replace(doors, models=models, prompts=prompts))
        await work(writer(), run, task=task)

    await walk("Do it.", says("Done."))
    with pytest.raises(ReplayDiverged, match=r"messages\[1\]\.content, character 3"):
        await walk("Do that.")


async def test_a_kept_request_names_no_provider_and_nothing_that_is_empty(play: Play, journal: Journal) -> None:
    played = await play(agent(), [says(Answer(a=1))])
    (entry,) = [entry for entry in await journal.entries(played.run.id) if entry.kind == "model"]
    request = json.loads(entry.request)["request"]
    assert sorted(request) == ["messages", "schema", "tier"]
    assert [sorted(message) for message in request["messages"]] == [["content", "role"]] * 3
    assert "scripted" not in json.dumps(request["messages"][1:])
