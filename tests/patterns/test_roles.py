"""Roles that wake on each other's messages: who gets what and when, how rounds end, and what a crash costs."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import pytest

from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.journal.sqlite import SqliteJournal
from moot.models.scripted import Line
from moot.patterns.memory import SELF, Memory, Message, message
from moot.patterns.roles import Action, Declined, Environment, Requirement, Role, Roles, performed, roles
from moot.patterns.team import Given as TeamGiven
from moot.prompts.render import Prompts
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from moot.run.opened import all_events
from moot.run.run import Run
from moot.values.events import EventBody, Warned
from moot.values.role_events import MessageUnread, Published, RoleEnded, RoundStarted
from moot.values.usage import Limits, Usage
from moot.values.value import Value
from tests.patterns.talk import Paper, Speech, with_model
from tests.run.walking import RUN, Walks


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
