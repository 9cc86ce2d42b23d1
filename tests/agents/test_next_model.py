"""Agents of several models: the next of the chain is asked when one said nothing twice, or what never fits."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest

from moot.agents.agent import Agent, Owed, Worked
from moot.agents.loop import work
from moot.models.chosen import ChosenModels
from moot.models.fallback import Chain
from moot.models.scripted import Line, ScriptedModel, calls, says
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.run.run import Run
from moot.values.events import EventBody, Said
from tests.agents.play import Answer, World, agent, writer
from tests.conftest import MakeRun

UNFIT, EMPTY, FIT, FAILS = Line(text='{"a": "one"}'), Line(text=""), says(Answer(a=1)), Line(error="unavailable")


@dataclass
class Playing:
    """Works agents of one test by a chain of models that have these lines."""

    make_run: MakeRun
    doors: Doors
    told: Callable[[Run], Awaitable[list[EventBody]]]
    said: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    """Who said something in the last work, and its notes."""

    async def work(self, one: Agent[Owed], *lines: list[Line]) -> Worked[Owed]:
        """Fails when a line is left over, or when a walk with nobody there comes to something else."""
        models = [ScriptedModel(said, name=f"scripted:{n}") for n, said in enumerate(lines)]
        worked = await self._walk(one, models)
        for model in models:
            model.assert_done()
        again = await self._walk(one, [ScriptedModel(name=model.name) for model in models])
        assert again == worked, "a replay goes another way"
        return worked

    async def _walk(self, one: Agent[Owed], models: list[ScriptedModel]) -> Worked[Owed]:
        run = await self.make_run(doors=replace(self.doors, models=ChosenModels({"fast": Chain(models)})))
        worked = await work(one, run, task="Do it.")
        self.said = [(event.by[-1], event.notes) for event in await self.told(run) if isinstance(event, Said)]
        return worked


@pytest.fixture
def playing(
    make_run: MakeRun,
    doors: Doors,
    prompts: Prompts,
    world: World,
    told: Callable[[Run], Awaitable[list[EventBody]]],
) -> Playing:
    return Playing(make_run, replace(doors, prompts=prompts, tools=world.tools()), told)


async def test_an_answer_that_does_not_fit_twice_is_asked_of_each_of_the_next(playing: Playing) -> None:
    worked = await playing.work(agent(), [UNFIT, UNFIT], [UNFIT, UNFIT], [FIT])
    assert (worked.output, worked.by, worked.notes) == (Answer(a=1), "model", ("fallback",))
    next_one = [("1", ("fallback",))] * 2
    assert playing.said == [("0", ()), ("0", ()), *next_one, ("2", ("fallback",))]


async def test_when_no_answer_of_theirs_fits_the_understudy_plays(playing: Playing) -> None:
    worked = await playing.work(agent(), [UNFIT, UNFIT], [UNFIT, UNFIT])
    assert (worked.by, worked.end) == ("understudy", "error")
    assert worked.why.startswith("malformed: scripted:1 as tester: a: ")


async def test_an_empty_reply_twice_goes_to_the_next_which_goes_on_with_the_turns(playing: Playing) -> None:
    worked = await playing.work(agent(["look"]), [calls("look", at="a"), EMPTY, EMPTY], [calls("look", at="b"), FIT])
    assert (worked.output, worked.calls, worked.steps) == (Answer(a=1), 2, 3)
    assert [by for by, _ in playing.said] == ["0", "0", "0", "1", "1"]


async def test_words_that_are_none_are_asked_of_the_next_too(playing: Playing) -> None:
    worked = await playing.work(writer(), [EMPTY, EMPTY], [Line(text="Done.")])
    assert (worked.output, worked.by) == ("Done.", "model")


async def test_who_was_passed_over_because_it_failed_is_not_asked_again(playing: Playing) -> None:
    worked = await playing.work(agent(), [FAILS], [UNFIT, UNFIT], [FIT])
    assert (worked.output, [by for by, _ in playing.said]) == (Answer(a=1), ["1", "1", "2"])


async def test_a_chain_that_failed_as_a_whole_is_not_asked_once_more(playing: Playing) -> None:
    worked = await playing.work(agent(), [UNFIT, Line(error="malformed")], [Line(error="malformed")])
    assert (worked.by, worked.end) == ("understudy", "error")


REPORT = '[A tower](https://x/y) says so.\n\n```json\n{"a": 1}\n```\n\n- [ ] {"a": 2}\n'


async def test_words_that_hold_json_and_links_come_back_as_they_were_said(playing: Playing) -> None:
    assert (await playing.work(writer(), [Line(text=REPORT)])).output == REPORT


@pytest.mark.parametrize("said", ["{}", "<think>What is a?</think>", '{"error": "no"}', '{"task": "hand off"}'])
async def test_what_is_no_answer_at_all_is_asked_for_once_more_and_then_the_understudys(
    said: str, playing: Playing
) -> None:
    worked = await playing.work(agent(), [Line(text=said), Line(text=said)])
    assert (worked.by, worked.end) == ("understudy", "error")
    assert worked.why.startswith("malformed: ")
