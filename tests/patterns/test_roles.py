"""Roles that wake on each other's messages: who gets what and when, how rounds end, and how a role works."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.journal.sqlite import SqliteJournal
from moot.models.chosen import ChosenModels
from moot.models.priced import Priced
from moot.models.prices import Price
from moot.models.scripted import Line, ScriptedModel
from moot.patterns.memory import SELF, Memory, Message, message
from moot.patterns.roles import Action, Declined, Environment, Requirement, Role, Roles, performed, roles
from moot.patterns.roles_work import NOTHING_YET, React, Reaction, react
from moot.patterns.team import Given as TeamGiven
from moot.prompts.render import Prompts
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from moot.run.opened import all_events
from moot.run.run import Run
from moot.values.errors import ToolFailed
from moot.values.events import (
    Chose,
    EventBody,
    MessageUnread,
    Published,
    RoleEnded,
    RoundStarted,
    Warned,
)
from moot.values.usage import Limits, Usage
from moot.values.value import Value
from tests.conftest import MakeRun
from tests.run.walking import RUN, Walks


class Speech(Value):
    words: str


class Paper(Value):
    words: str


def says(words: str, to: tuple[str, ...] = ("<all>",)) -> Callable[[Memory, Run], Any]:  # awaited by the pattern
    async def speak(memory: Memory, run: Run) -> Message:
        return message(Speech(words=words), send_to=to)

    return speak


def speaker(name: str, *, to: tuple[str, ...] = ("<all>",), watch: tuple[type[Value], ...] = (Speech,)) -> Role:
    """A role that answers any speech with a speech."""
    return Role(name, f"Speaker {name}", watch=watch, actions=(Action("speak", "say something", says(name, to)),))


@dataclass
class Company:
    """Runs of a team of roles. Owned by one test."""

    walks: Walks
    team: Roles
    state: dict[str, Any] = field(default_factory=dict)  # a team's own, as wide as LangGraph's

    async def work(self, wanted: str = "Say something.", *, limits: Limits = Limits()) -> Environment:
        """A run from its first message to its end."""
        await self.walks.start(limits=limits)
        begun = self.team.begin(TeamGiven(question=wanted))
        end = await self.walks.go(self.team.draw(), {**begun})
        self.state = dict(end.state)
        return begun

    async def told(self) -> list[EventBody]:
        return [event.read() for event in await all_events(self.walks.journal, RUN)]

    async def speakers(self) -> list[str]:
        """Who published, in the order of delivery; the first message aside."""
        return [body.by for body in await self.told() if isinstance(body, Published)][1:]

    async def rounds(self) -> list[tuple[str, ...]]:
        return [body.roles for body in await self.told() if isinstance(body, RoundStarted)]

    async def ends(self) -> list[tuple[str, str]]:
        return [(body.role, body.end) for body in await self.told() if isinstance(body, RoleEnded)]


class Found(Protocol):
    """`found(*roles, lines=…)`: see the fixture."""

    def __call__(self, *members: Role, lines: Sequence[Line] | None = None, price: str = "", **of: Any) -> Company: ...


@pytest.fixture
async def found(journal: SqliteJournal, doors: Doors, tmp_path: Path) -> AsyncIterator[Found]:
    """Makes a company; lines: what its model says (None: there is no model)."""
    checkpoints = await Checkpoints.open(None)
    (tmp_path / "talk").mkdir()
    (tmp_path / "talk" / "think.md").write_text("Think.", encoding="utf-8")
    doors = replace(doors, prompts=Prompts(tmp_path))

    def make(*members: Role, lines: Sequence[Line] | None = None, price: str = "", **of: Any) -> Company:
        return Company(Walks(journal, checkpoints, with_model(doors, lines, price)), roles("talk", *members, **of))

    yield make
    await checkpoints.close()


def with_model(doors: Doors, lines: Sequence[Line] | None, price: str = "") -> Doors:
    if lines is None:
        return doors
    model = ScriptedModel(lines)
    played = Priced(model, Price.model_validate(price)) if price else model
    return replace(doors, models=ChosenModels({"fast": played, "strong": played}))


def to(*names: str) -> Callable[[TeamGiven], Message]:
    """A first message that is addressed to these."""
    return lambda given: message(Speech(words=given.question), send_to=names)


# who gets what


async def test_two_who_address_each_other_speak_in_turn_until_the_rounds_are_over(found: Found) -> None:
    company = found(speaker("a", to=("b",)), speaker("b", to=("a",)), first=to("a"), rounds=6)
    await company.work()
    assert await company.speakers() == ["a", "b", "a", "b", "a", "b"]
    assert company.state["end"] == "rounds"
    assert [(did.role, did.action) for did in company.state["did"]] == [("a", "speak"), ("b", "speak")]


async def test_a_role_addressed_by_name_reacts_though_it_does_not_watch_and_the_others_do_not(found: Found) -> None:
    company = found(speaker("a", to=("x",)), speaker("b", watch=(Paper,), to=("x",)), first=to("b"))
    await company.work()
    assert await company.rounds() == [("b",)]
    assert company.state["end"] == "done"


async def test_what_is_published_goes_to_all_but_its_sender(found: Found) -> None:
    company = found(speaker("a"), speaker("b"), speaker("c", watch=(Paper,)), first=to("a"), rounds=2)
    await company.work()
    assert await company.rounds() == [("a",), ("b",)]


async def test_a_message_to_oneself_wakes_its_sender_alone(found: Found) -> None:
    company = found(speaker("a", to=(SELF,)), speaker("b"), first=to("a"), rounds=3)
    await company.work()
    assert await company.rounds() == [("a",), ("a",), ("a",)]


async def test_what_a_round_publishes_is_delivered_in_the_next_in_the_order_of_declaration(found: Found) -> None:
    company = found(
        speaker("c", to=("x",)), speaker("a", to=("x",)), speaker("b", to=("x",)), rounds=3, first=to("<all>")
    )
    await company.work()
    assert await company.rounds() == [("c", "a", "b")]
    assert [(one.id, one.sent_by, one.round) for one in company.state["messages"]] == [
        ("m1", "", 0), ("m2", "c", 1), ("m3", "a", 1), ("m4", "b", 1)
    ]  # fmt: skip


async def test_a_message_for_nobody_is_kept_and_told(found: Found) -> None:
    company = found(speaker("a", to=("nobody",)), first=to("a"))
    await company.work()
    assert [body.id for body in await company.told() if isinstance(body, MessageUnread)] == ["m2"]
    assert company.state["messages"][-1].read(Speech) == Speech(words="a")


async def test_the_first_paper_is_the_requirement_word_for_word(found: Found) -> None:
    seen: list[Requirement | None] = []

    async def read(memory: Memory, run: Run) -> None:
        seen.append(memory.newest(Requirement))

    company = found(Role("a", "A", watch=(Requirement,), actions=(Action("read", "read it", read),)))
    await company.work("  Do {x}\nnow.  ")
    assert [paper.text for paper in seen if paper] == ["  Do {x}\nnow.  "]
    assert await company.ends() == [("a", "idle")]


async def test_other_delivered_messages_are_remembered_and_not_reacted_to(found: Found) -> None:
    known: list[list[str]] = []

    async def read(memory: Memory, run: Run) -> Paper:
        known.append([one.kind for one in memory.messages])
        return Paper(words="x")

    reader = Role("r", "R", watch=(Paper,), actions=(Action("read", "read", read),))
    writer = Role("w", "W", watch=(Speech,), actions=(Action("write", "write", says_paper),))
    await found(writer, reader, first=to("<all>"), rounds=3).work()
    assert known == [["Speech", "Paper"]]


async def says_paper(memory: Memory, run: Run) -> Paper:
    return Paper(words="p")


# how it ends


async def test_it_is_done_when_the_kind_it_waits_for_is_published(found: Found) -> None:
    writer = Role("w", "W", watch=(Speech,), actions=(Action("write", "write", says_paper),))
    reader = Role("r", "R", watch=(Paper,), actions=(Action("write", "write", says_paper),))
    company = found(writer, reader, first=to("w"), until=Paper)
    await company.work()
    assert company.state["end"] == "done"
    assert await company.speakers() == ["w"]


async def test_a_paper_that_a_person_refused_ends_it_as_declined(found: Found) -> None:
    async def ask(memory: Memory, run: Run) -> None:
        raise Declined

    company = found(
        Role("a", "A", watch=(Speech,), actions=(Action("put", "put it to a person", ask),)),
        speaker("b"),
        first=to("a"),
    )
    await company.work()
    assert company.state["end"] == "declined"
    assert await company.ends() == [("a", "declined")]


async def test_a_call_that_the_investment_does_not_bear_is_refused_before_it_is_made(found: Found) -> None:
    """Invested 1.00, spent 0.80, the next call may cost 0.30."""
    used = Usage(input=0, output=8_000)
    lines = [Line(role="thinker", text="One.", usage=used)]
    thinker = Role("thinker", "T", watch=(Speech,), actions=(Action("think", "think", thinks),))
    company = found(thinker, speaker("b", to=("thinker",)), lines=lines, price="0/100", first=to("thinker"), rounds=9)
    await company.work(limits=Limits(usd_micro=1_000_000, keep_back=0, keep_back_calls=0))
    assert company.state["end"] == "budget"
    assert await company.ends() == [("thinker", "finished"), ("b", "finished"), ("thinker", "budget")]
    assert [one.sent_by for one in company.state["messages"]] == ["", "thinker", "b"]
    assert (await company.walks.opened()).budget.spent().usd_micro == 800_000


async def test_with_the_investment_spent_no_round_begins(found: Found) -> None:
    used = Usage(input=0, output=10_000)
    thinker = Role("thinker", "T", watch=(Speech,), actions=(Action("think", "think", thinks),))
    company = found(
        thinker, speaker("b"), lines=[Line(role="thinker", text="One.", usage=used)], price="0/100", first=to("thinker")
    )
    await company.work(limits=Limits(usd_micro=1_000_000, keep_back=0, keep_back_calls=0))
    assert company.state["end"] == "budget"
    assert await company.rounds() == [("thinker",)]


async def test_an_investment_that_cannot_be_counted_is_told(found: Found) -> None:
    thinker = Role("thinker", "T", watch=(Speech,), actions=(Action("think", "think", thinks),))
    company = found(thinker, lines=[Line(role="thinker", text="One.")], first=to("thinker"), investment_usd=2.5)
    await company.work()
    (warned,) = [body for body in await company.told() if isinstance(body, Warned)]
    assert warned.code == "price_unknown"
    assert "investment of 2.50 dollars is not held" in warned.message


async def thinks(memory: Memory, run: Run) -> Speech:
    """One model call of at most 3,000 tokens, which at 100 dollars a million are 0.30 dollars."""
    agent = Agent("thinker", "talk/think", str, silence, choice="none", limits=AgentLimits(max_output_tokens=3_000))
    return Speech(words=await performed(agent, run))


async def silence(gate: Gate, given: Given) -> str:
    return ""


# a role at work


def acting(name: str, log: list[str], *, on: tuple[type[Value], ...] = ()) -> Action:
    async def act(memory: Memory, run: Run) -> Speech:
        log.append(name)
        return Speech(words=name)

    return Action(name, f"do {name}", act, on=on)


NEWS = [message(Speech(words="go")).model_copy(update={"id": "m1"})]


async def reacts(make_run: MakeRun, doors: Doors, role: Role, lines: Sequence[Line] | None = None) -> Reaction:
    run = await make_run(doors=with_model(doors, lines))
    return await react(role, run, remembered=Memory(messages=tuple(NEWS)), news=NEWS)


def a_role(log: list[str], *names: str, react: React = "by_order", most: int = 1) -> Role:
    return Role(
        "r", "R", watch=(Speech,), actions=tuple(acting(name, log) for name in names), react=react, max_react_loop=most
    )


async def test_by_order_does_each_action_that_applies_once_and_publishes_the_last(
    make_run: MakeRun, doors: Doors
) -> None:
    log: list[str] = []
    role = a_role(log, "a", "b")
    role = replace(role, actions=(*role.actions, acting("never", log, on=(Paper,))))
    came = await reacts(make_run, doors, role)
    assert log == ["a", "b"]
    assert (came.end, came.last, [one.read(Speech).words for one in came.made]) == ("finished", "b", ["a", "b"])


async def test_an_action_that_does_nothing_is_passed_over(make_run: MakeRun, doors: Doors) -> None:
    async def nothing(memory: Memory, run: Run) -> None:
        return None

    log: list[str] = []
    role = replace(a_role(log, "a"), actions=(acting("a", log), Action("b", "b", nothing)))
    assert (await reacts(make_run, doors, role)).last == "a"


async def test_a_role_that_did_nothing_publishes_nothing_and_says_so(make_run: MakeRun, doors: Doors) -> None:
    came = await reacts(make_run, doors, Role("r", "R", watch=(Speech,)))
    assert (came.made, came.end, came.reply) == ((), "idle", NOTHING_YET)
    assert NOTHING_YET == "No actions taken yet"


async def test_one_action_needs_no_model_to_be_chosen(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    await reacts(make_run, doors, a_role(log, "a", react="react", most=3), [])
    assert log == ["a"]


async def test_the_model_chooses_by_number_as_often_as_it_may(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    lines = [Line(role="r", text="1"), Line(role="r", text="**0**"), Line(role="r", text="2")]
    await reacts(make_run, doors, a_role(log, "a", "b", "c", react="react", most=2), lines)
    assert log == ["b", "a"]


async def test_the_choice_is_asked_for_with_history_previous_action_and_numbers(
    make_run: MakeRun, doors: Doors
) -> None:
    model = ScriptedModel([Line(text="1"), Line(text="-1")])
    run = await make_run(doors=replace(doors, models=ChosenModels({"fast": model})))
    await react(a_role([], "a", "b", react="react", most=5), run, remembered=Memory(messages=tuple(NEWS)), news=NEWS)
    words = model.requests[-1].words
    assert words.count("\n===\n") == 2
    assert "Speech: " in words.split("===")[-2]
    assert "Your previous action: b" in words
    assert "0. a: do a\n1. b: do b" in words
    assert "Only a number from 0 to 1 is wanted, or -1 when your job is done." in words


async def test_minus_one_at_once_leaves_the_role_idle(make_run: MakeRun, doors: Doors) -> None:
    came = await reacts(make_run, doors, a_role([], "a", "b", react="react"), [Line(text="-1")])
    assert (came.made, came.end) == ((), "idle")


async def test_a_number_of_no_action_is_asked_for_once_more_with_the_reason(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    lines = [Line(text="12"), Line(holds="from 0 to 1, or -1", text='{"state": 1}')]
    await reacts(make_run, doors, a_role(log, "a", "b", react="react"), lines)
    assert log == ["b"]


async def test_twice_unreadable_ends_the_role_and_says_so(make_run: MakeRun, doors: Doors) -> None:
    lines = [Line(text="I choose 0-1"), Line(text="return -1. (stage 0 finished)")]
    came = await reacts(make_run, doors, a_role([], "a", "b", react="react"), lines)
    assert (came.made, came.end) == ((), "choice_unreadable")


async def test_a_model_that_fails_for_good_gives_the_understudys_choice(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    lines = [Line(error="refused", times=None)]
    await reacts(make_run, doors, a_role(log, "a", "b", react="react", most=9), lines)
    assert log == ["a", "b"]


async def test_with_no_model_each_action_is_done_once_then_none(
    make_run: MakeRun, doors: Doors, told: Callable[[Run], Any]
) -> None:
    log: list[str] = []
    run = await make_run()
    await react(a_role(log, "a", "b", react="react", most=9), run, remembered=Memory(), news=NEWS)
    assert log == ["a", "b"]
    chose = [(body.action, body.by) for body in await told(run) if isinstance(body, Chose)]
    assert chose == [("a", "understudy"), ("b", "understudy"), ("", "understudy")]


async def test_a_tool_that_fails_an_action_is_an_observation(make_run: MakeRun, doors: Doors) -> None:
    seen: list[str] = []

    async def fails(memory: Memory, run: Run) -> None:
        raise ToolFailed("no space left")

    async def looks(memory: Memory, run: Run) -> None:
        seen.extend(str(one.content) for one in memory.by_kind("Failed"))

    role = Role("r", "R", watch=(Speech,), actions=(Action("a", "a", fails), Action("b", "b", looks)))
    await reacts(make_run, doors, role)
    assert seen == ["no space left"]


async def test_a_bug_in_an_action_is_no_observation(make_run: MakeRun, doors: Doors) -> None:
    async def breaks(memory: Memory, run: Run) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await reacts(make_run, doors, Role("r", "R", watch=(Speech,), actions=(Action("a", "a", breaks),)))


async def test_tasks_are_planned_once_and_worked_in_their_order(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    tasks = [{"id": "1", "instruction": "second", "depends_on": ["2"]}, {"id": "2", "instruction": "first"}]
    lines = [
        Line(value={"tasks": tasks}), Line(holds="you are at (data): first", text="1"),
        Line(holds="you are at (data): second", text="0"),
    ]  # fmt: skip
    came = await reacts(make_run, doors, a_role(log, "a", "b", react="plan_and_act"), lines)
    assert (log, came.end) == (["b", "a"], "finished")


async def test_with_no_model_a_task_is_an_action_in_order(make_run: MakeRun, doors: Doors) -> None:
    log: list[str] = []
    await reacts(make_run, doors, a_role(log, "a", "b", "c", react="plan_and_act"))
    assert log == ["a", "b", "c"]


async def test_a_task_that_fails_three_times_is_planned_anew_three_times_at_most(
    make_run: MakeRun, doors: Doors
) -> None:
    tries: list[int] = []

    async def fails(memory: Memory, run: Run) -> None:
        tries.append(1)
        raise ToolFailed("no")

    role = Role("r", "R", watch=(Speech,), actions=(Action("a", "a", fails),), react="plan_and_act")
    came = await reacts(make_run, doors, role)
    assert (len(tries), came.end) == (12, "tasks_failed")


async def test_a_circle_of_tasks_is_told_to_the_model_and_then_the_understudy_plans(
    make_run: MakeRun, doors: Doors
) -> None:
    log: list[str] = []
    circle = [{"id": "1", "instruction": "x", "depends_on": ["1"]}]
    lines = [Line(value={"tasks": circle}), Line(holds="plan_cycle: 1 wait for one another", value={"tasks": circle})]
    await reacts(make_run, doors, a_role(log, "a", react="plan_and_act"), lines)
    assert log == ["a"]


# crashes


async def test_news_is_seen_only_when_its_role_has_ended_and_nothing_is_paid_twice(
    found: Found, journal: SqliteJournal
) -> None:
    crashes = [True]

    async def crash_once(memory: Memory, run: Run) -> Paper:
        words = memory.newest(Speech)
        assert words is not None
        if crashes.pop() if crashes else False:
            raise RuntimeError("the machine went down")
        return Paper(words=words.words)

    lines = [Line(role="thinker", text="One.")]
    thinker = Role("thinker", "T", watch=(Requirement,), actions=(Action("think", "think", thinks),))
    writer = Role("w", "W", watch=(Speech,), actions=(Action("write", "write", crash_once),))
    company = found(thinker, writer, lines=lines, until=Paper)
    with pytest.raises(RuntimeError, match="went down"):
        await company.work()
    end = await company.walks.go(company.team.draw(), {**company.team.begin(TeamGiven(question="Q"))})
    assert end.state["end"] == "done"
    assert end.state["messages"][-1].read(Paper) == Paper(words="One.")
    paid = [entry for entry in await journal.entries(RUN) if entry.kind == "model"]
    assert len(paid) == 1


def test_the_prompts_of_roles_name_what_they_are_given() -> None:
    prompts = Prompts()
    about = {"profile", "goal", "constraints", "history", "actions"}
    assert prompts.variables("roles/choose") == {*about, "previous", "task", "n"}
    assert prompts.variables("roles/plan") == {*about, "tasks", "failed"}
