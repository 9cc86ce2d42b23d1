"""The loop: how it ends, and that every end is told."""

import time
from dataclasses import replace

import pytest

from moot.agents.agent import AgentLimits, Choice
from moot.agents.loop import work
from moot.models.chosen import ChosenModels
from moot.models.port import Profile
from moot.models.scripted import Line, ScriptedModel, calls, says
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.values.errors import ModelCode
from moot.values.events import AgentEnded, AgentStarted, Nudged, Said
from moot.values.usage import Limits
from tests.agents.play import Answer, Play, World, agent, writer
from tests.conftest import MakeRun

LOOK = calls("look", at="the sky")
NO_TOOLS = Profile(tools="none")


def looks(count: int) -> list[Line]:
    """Lines that look at another place each."""
    return [calls("look", at=f"place {place}") for place in range(count)]


async def test_with_no_model_the_understudy_plays_and_that_is_finished(play: Play) -> None:
    played = await play(agent(["look"]))
    assert played.worked.output == Answer(a=0, why="understudy")
    assert (played.worked.end, played.worked.by, played.worked.steps) == ("finished", "understudy", 0)
    assert [type(event) for event in played.events] == [AgentStarted, AgentEnded]


async def test_finish_gives_the_answer(play: Play) -> None:
    played = await play(agent(["look"]), [LOOK, says(Answer(a=1))])
    worked = played.worked
    assert worked.output == Answer(a=1)
    assert (worked.end, worked.by, worked.steps, worked.calls) == ("finished", "model", 2, 1)
    assert worked.why == "answered in turn 2 of 20"
    assert worked.tokens == sum(event.usage.tokens for event in played.events if isinstance(event, Said)) > 0


async def test_a_text_that_fits_is_a_typed_answer(play: Play) -> None:
    played = await play(agent(["look"]), [Line(text='So: {"a": 7}')])
    assert played.worked.output == Answer(a=7)


async def test_a_text_is_the_answer_of_an_agent_that_owes_words(play: Play) -> None:
    text = "[Source](https://x) says so.\n```json\n{}\n```\n"
    played = await play(writer(["look"]), [Line(text=text)])
    assert played.worked.output == text
    assert played.worked.steps == 1


async def test_finish_gives_words_too(play: Play) -> None:
    played = await play(writer(["look"]), [says({"answer": "It is so."})])
    assert played.worked.output == "It is so."


async def test_an_agent_without_tools_answers_at_once(play: Play) -> None:
    played = await play(agent(), [says(Answer(a=3))])
    assert (played.worked.output, played.worked.steps) == (Answer(a=3), 1)
    assert played.model.requests[0].tools == ()


async def test_the_same_call_for_ever_is_nudged_in_turn_four_and_then_stuck(play: Play) -> None:
    played = await play(agent(["look"]), [*[LOOK] * 4, says(Answer(a=1))])
    said = 'You have done this 3 times with the same outcome: look({"at":"the sky","hard":false}).'
    assert played.notes[3].startswith(said)
    assert "You have" not in played.notes[2]
    assert (played.worked.end, played.worked.steps) == ("stuck", 4)
    assert len(played.model.requests) == 5
    assert played.model.requests[4].tools == ()
    assert [event.why for event in played.events if isinstance(event, Nudged)] == [played.notes[3].split("\n")[0]]


async def test_a_nudge_is_never_stored(play: Play) -> None:
    played = await play(agent(["look"]), [LOOK, LOOK, LOOK, *looks(1), says(Answer(a=1))])
    assert "You have done this" in played.notes[3]
    assert "You have done this" not in played.model.requests[4].words


async def test_the_same_sentence_twice_is_taken_as_the_answer_where_a_call_is_required(play: Play) -> None:
    required = replace(writer(["look"]), choice="required")
    played = await play(required, [Line(text="I am done.", times=2)])
    assert (played.worked.output, played.worked.end, played.worked.steps) == ("I am done.", "finished", 2)
    assert "text alone" in played.notes[1]


@pytest.mark.parametrize("choice", ["auto", "required"])
async def test_prose_twice_is_put_into_form_by_one_more_call(play: Play, choice: Choice) -> None:
    asked = replace(agent(["look"]), choice=choice)
    played = await play(asked, [Line(text="It is one."), Line(text="One!"), says(Answer(a=1))])
    assert (played.worked.output, played.worked.end) == (Answer(a=1), "finished")
    assert played.model.requests[2].output is Answer
    assert played.model.requests[2].tools == ()


async def test_prose_that_cannot_be_put_into_form_is_stuck(play: Play) -> None:
    played = await play(agent(["look"]), [Line(text="It is one.", times=4)])
    assert (played.worked.end, played.worked.by) == ("stuck", "understudy")


async def test_three_turns_that_never_finish_take_four_calls(play: Play) -> None:
    played = await play(agent(["look"], max_steps=3), [*looks(3), says(Answer(a=1))])
    assert (played.worked.end, played.worked.steps, played.worked.output) == ("max_steps", 3, Answer(a=1))
    assert len(played.model.requests) == 4
    assert "no more turns" in played.notes[3]


async def test_an_answer_on_the_very_last_turn_is_finished(play: Play) -> None:
    played = await play(agent(["look"], max_steps=3), [*looks(2), says(Answer(a=1))])
    assert (played.worked.end, played.worked.steps) == ("finished", 3)
    assert len(played.model.requests) == 3


async def test_a_last_call_that_gives_nothing_usable_is_the_understudys(play: Play) -> None:
    played = await play(agent(["look"], max_steps=1), [LOOK, Line(text="no idea")])
    assert (played.worked.end, played.worked.by, played.worked.why) == (
        "max_steps",
        "understudy",
        "1 of 1 turns were taken",
    )


async def test_each_call_of_work_begins_at_turn_one_and_carries_no_nudge_over(
    make_run: MakeRun, doors: Doors, prompts: Prompts, world: World
) -> None:
    model = ScriptedModel([LOOK, LOOK, LOOK, says(Answer(a=1)), LOOK, LOOK, says(Answer(a=2))])
    models = ChosenModels({"fast": model})
    run = await make_run(doors=replace(doors, models=models, prompts=prompts, tools=world.tools()))
    one = agent(["look"])
    first = await work(one, run, task="Do it.")
    second = await work(one, run, task="Do it.")
    assert (first.steps, second.steps, second.output) == (4, 3, Answer(a=2))
    notes = [request.messages[-1].text for request in model.requests]
    assert notes[3].startswith("You have done this 3 times")
    assert [note.partition(".")[0] for note in notes[4:]] == ["Turn 1 of 20", "Turn 2 of 20", "Turn 3 of 20"]


@pytest.mark.parametrize("code", ["unavailable", "refused", "cut"])
async def test_a_model_that_fails_for_good_is_played_by_its_understudy(play: Play, code: ModelCode) -> None:
    played = await play(agent(["look"]), [LOOK, Line(error=code)])
    assert (played.worked.end, played.worked.by, played.worked.steps) == ("error", "understudy", 1)
    assert played.worked.why == f"{code}: the script of scripted:test says so."
    assert [event.by for event in played.events if isinstance(event, AgentStarted)] == ["model", "understudy"]


async def test_a_filtered_reply_is_a_refusal(play: Play) -> None:
    played = await play(agent(), [Line(text="no", stop="filtered")])
    assert played.worked.why == "refused: scripted:test refused to answer as tester."


async def test_an_empty_reply_is_asked_for_once_more(play: Play) -> None:
    played = await play(writer(), [Line(text=" "), Line(text="Here.")])
    assert (played.worked.output, played.worked.steps) == ("Here.", 1)
    assert "empty" in played.notes[1]


async def test_an_empty_reply_twice_is_the_understudys(play: Play) -> None:
    played = await play(agent(["look"]), [Line(text=""), Line(text="<think>hm</think>")])
    assert (played.worked.end, played.worked.by) == ("error", "understudy")
    assert played.worked.why == "malformed: scripted:test gave an empty reply twice as tester."


async def test_an_answer_that_does_not_fit_is_asked_for_once_with_its_faults(play: Play) -> None:
    played = await play(agent(), [Line(text='{"why": "x"}'), says(Answer(a=2))])
    assert played.worked.output == Answer(a=2)
    assert "a: missing" in played.notes[1]
    assert played.worked.steps == 1


async def test_an_answer_that_does_not_fit_twice_is_the_understudys(play: Play) -> None:
    played = await play(agent(), [Line(text="Here is a plan in prose."), Line(text='{"error": "no"}')])
    assert (played.worked.end, played.worked.by) == ("error", "understudy")
    assert played.worked.why.startswith("malformed: scripted:test as tester: none of a, why is there")


async def test_an_answer_cut_off_is_asked_for_once_shorter_and_with_twice_the_room(play: Play) -> None:
    small = replace(agent(), limits=AgentLimits(max_output_tokens=1_000))
    played = await play(small, [Line(text='{"a": 1, "why": "be', stop="length"), says(Answer(a=1))])
    assert played.worked.output == Answer(a=1)
    assert [request.limits.max_output_tokens for request in played.model.requests] == [1_000, 2_000]


async def test_a_text_cut_off_is_gone_on_with(play: Play) -> None:
    played = await play(writer(), [Line(text="It is the one", stop="length"), Line(text=" and only.")])
    assert played.worked.output == "It is the one and only."


async def test_a_text_that_never_ends_is_cut_back_and_marked(play: Play) -> None:
    long = [Line(text=f"Sentence {n} stands here. And ", stop="length") for n in range(4)]
    played = await play(writer(), long)
    assert played.worked.output.endswith("Sentence 3 stands here.\n\n⟨cut: output limit⟩")
    assert "cut" in played.worked.notes


async def test_a_spent_budget_ends_with_the_understudys_answer(play: Play) -> None:
    played = await play(agent(["look"]), [LOOK], limits=Limits(calls=1, keep_back_calls=0))
    assert (played.worked.end, played.worked.by, played.worked.steps) == ("budget", "understudy", 1)
    assert played.worked.why.startswith("budget_spent: 2 of 1 calls")


async def test_out_of_its_own_limits_an_agent_gives_one_last_answer_of_what_they_keep_back(
    make_run: MakeRun, doors: Doors, prompts: Prompts, world: World
) -> None:
    model = ScriptedModel([LOOK, says(Answer(a=1, why="best so far"))])
    models = ChosenModels({"fast": model})
    run = await make_run(doors=replace(doors, models=models, prompts=prompts, tools=world.tools()))
    with run.limited(Limits(tokens=None, seconds=None, calls=2, keep_back=0, keep_back_calls=1)):
        worked = await work(agent(["look"]), run, task="Do it.")
    assert (worked.end, worked.by, worked.output) == ("budget", "model", Answer(a=1, why="best so far"))
    assert worked.why.endswith("(the limit of look#1).")
    assert model.requests[1].tools == ()
    model.assert_done()


async def test_a_model_that_calls_no_tools_and_has_no_prefetch_is_played_by_its_understudy(play: Play) -> None:
    from_none = await play(agent(["look"]), [says("never", times=None)], profile=NO_TOOLS)
    assert (from_none.worked.end, from_none.worked.by) == ("finished", "understudy")


async def test_thirty_turns_take_no_second(play: Play, world: World) -> None:
    begun = time.perf_counter()
    played = await play(agent(["look"], max_steps=40), [*looks(30), says(Answer(a=1))])
    assert played.worked.steps == 31
    assert len(world.ran) == 30
    assert time.perf_counter() - begun < 2
