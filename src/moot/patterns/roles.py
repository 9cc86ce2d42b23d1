"""Roles that work by watching each other: what one publishes, those wake for who watch its kind or are named by it.

START → deliver; deliver → each role that has news, side by side, or close; every role → deliver; close → END

What is published in round r is delivered in round r + 1, in the order in which the roles were declared, whoever was
faster. A message counts as seen when the role's node has ended, so a crash loses no news. How a role works on its news
is roles_work.py's business.
"""

import operator
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal, TypedDict

from moot.patterns.memory import ALL, SELF, Memory, Message, kind_of, message
from moot.patterns.roles_work import Action, Declined, End, Role, performed, react
from moot.patterns.team import Given
from moot.run.graph import END, START, Graph, Runtime, Send
from moot.run.run import Run
from moot.values.events import Warned
from moot.values.messages import Tier
from moot.values.role_events import MessageUnread, Published, RoleEnded, RoundStarted
from moot.values.usage import Reserve
from moot.values.value import Value

__all__ = ["Action", "Declined", "Did", "Environment", "Requirement", "Role", "Roles", "Seen", "performed", "roles"]

_TIERS: tuple[Tier, ...] = ("fast", "strong")
RunEnd = Literal["", "done", "rounds", "budget", "declined", "stopped"]
_A_CENT_MORE = Reserve(tokens=1, usd_micro=1, calls=1)


class Requirement(Value):
    """What a person wants, word for word: the first paper."""

    text: str
    given: Given


class Seen(Value):
    """The messages that a role has worked on."""

    role: str
    ids: tuple[str, ...]


class Did(Value):
    """What a role did last."""

    role: str
    round: int
    action: str
    """The last one that brought something; `` when none did."""
    end: End


def delivered(old: list[Message], new: list[Message]) -> list[Message]:
    """Messages with those that came, numbered `m1`, `m2` … as they are delivered."""
    known = {one.id for one in old}
    fresh = [one for one in new if not one.id or one.id not in known]
    return [*old, *(one.model_copy(update={"id": f"m{n}"}) for n, one in enumerate(fresh, len(old) + 1))]


def of_each(old: list[Did], new: list[Did]) -> list[Did]:
    """The newest of each role, in the order in which they first came."""
    return list({**{one.role: one for one in old}, **{one.role: one for one in new}}.values())


def seen_by_each(old: list[Seen], new: list[Seen]) -> list[Seen]:
    """What each role has seen by now."""
    return list({**{one.role: one for one in old}, **{one.role: one for one in new}}.values())


class Environment(TypedDict):
    """What a team of roles knows."""

    given: Given
    messages: Annotated[list[Message], delivered]
    own: Annotated[list[Message], operator.add]
    """What actions made or observed; only the role that did remembers it."""
    seen: Annotated[list[Seen], seen_by_each]
    did: Annotated[list[Did], of_each]
    round: int
    end: RunEnd
    result: str
    """What `close` made of it: the hash of a report's bytes; `` when it makes none."""


Changes = Mapping[str, Any]  # fields of an Environment, as LangGraph takes them
Close = Callable[[Environment, Run], Awaitable[str]]
"""Makes a team's result of its last state, and keeps it; gives its hash, or `` for none."""


def roles(
    name: str,
    *members: Role,
    first: Callable[[Given], Value | Message] = lambda given: Requirement(text=given.question, given=given),
    until: type[Value] | str = "",
    rounds: int = 5,
    investment_usd: float = 3.00,
    close: Close | None = None,
) -> "Roles":
    """A team of roles, ready to be drawn and begun. `until`: the kind of message with which it is done."""
    names = [role.name for role in members]
    assert len(set(names)) == len(names), f"{name}: two roles of one name"
    return Roles(name, members, first, kind_of(until) if until else "", rounds, investment_usd, close)


@dataclass(frozen=True, slots=True)
class Roles:
    """A team of roles: a declaration. It holds no state."""

    name: str
    members: tuple[Role, ...]
    first: Callable[[Given], Value | Message]
    until: str
    rounds: int
    investment_usd: float
    closing: Close | None = None

    def begin(self, given: Given, options: Value | None = None) -> Environment:
        """The first state of a run: one message, which nobody of the team sent."""
        start = self.first(given)
        first = start if isinstance(start, Message) else message(start)
        return Environment(
            given=given, messages=delivered([], [first]), own=[], seen=[], did=[], round=0, end="", result=""
        )

    def draw(self) -> Graph[Environment]:
        """Every node and every edge of the team."""
        graph = Graph(Environment)
        graph.add_node("deliver", self.deliver)
        for role in self.members:
            graph.add_node(role.name, partial(self.act, role))
        graph.add_node("close", self.close)
        graph.add_edge(START, "deliver")
        graph.add_conditional_edges("deliver", self.who_has_news, [*(role.name for role in self.members), "close"])
        for role in self.members:
            graph.add_edge(role.name, "deliver")
        graph.add_edge("close", END)
        return graph

    # nodes

    async def deliver(self, state: Environment, runtime: Runtime[Run]) -> Changes:
        """Tells what was published, and opens a round or ends them."""
        run, now = runtime.context, state["round"]
        for one in published_in(state["messages"], now):
            run.emit(Published(id=one.id, kind=one.kind, by=one.sent_by, to=one.send_to))
            if not any(is_for(role, one) for role in self.members):
                run.emit(MessageUnread(id=one.id))
        if now == 0:
            self._tell_of_money(run)
        waking = self.waking(state)
        end = self._end(state, waking) or ("stopped" if await run.stopping() else "")
        if not end and not await run.may_reserve(_A_CENT_MORE):
            end = "budget"
        if end:
            return {"end": end}
        run.emit(RoundStarted(n=now + 1, roles=tuple(role.name for role in waking)))
        return {"round": now + 1}

    async def act(self, role: Role, state: Environment, runtime: Runtime[Run]) -> Changes:
        """A role's work on its news."""
        run, now = runtime.context, state["round"]
        memory = remembered(role, state)
        news = news_of(role, state["messages"], _seen(state, role.name))
        reaction = await react(role, run, remembered=memory, news=news)
        run.emit(RoleEnded(role=role.name, action=reaction.last, end=reaction.end))
        did = [Did(role=role.name, round=now, action=reaction.last, end=reaction.end)]
        if reaction.end in ("budget", "declined"):
            return {"did": did}  # its news stays news: with more money the run goes on here
        made = [one.model_copy(update={"round": now, "sent_by": role.name}) for one in reaction.made]
        ids = tuple(one.id for one in state["messages"] if is_for(role, one))
        return {"messages": made[-1:], "own": made[:-1], "seen": [Seen(role=role.name, ids=ids)], "did": did}

    async def close(self, state: Environment, runtime: Runtime[Run]) -> Changes:
        """Makes the team's result."""
        return {"result": await self.closing(state, runtime.context) if self.closing else ""}

    # choosing

    def who_has_news(self, state: Environment) -> str | Sequence[Send]:
        """Each role that has news, or close."""
        if state["end"]:
            return "close"
        return [Send(role.name, {**state}) for role in self.waking(state)]

    def waking(self, state: Environment) -> list[Role]:
        """The roles that have news, as they were declared."""
        return [role for role in self.members if news_of(role, state["messages"], _seen(state, role.name))]

    def _end(self, state: Environment, waking: Sequence[Role]) -> RunEnd:
        for end in ("declined", "budget"):
            if any(did.end == end and did.round == state["round"] for did in state["did"]):
                return "declined" if end == "declined" else "budget"
        newest = published_in(state["messages"], state["round"])
        if not waking or any(one.kind == self.until for one in newest):
            return "done"
        return "rounds" if state["round"] >= self.rounds else ""

    def _tell_of_money(self, run: Run) -> None:
        """Says when the team's investment is no limit, since nobody knows what its models cost."""
        asks = any(run.doors.models.of(run.team, "", tier) is not None for tier in _TIERS)
        if self.investment_usd and asks and run.record.limits.usd_micro is None:
            run.emit(
                Warned(
                    code="price_unknown",
                    message=f"the investment of {self.investment_usd:.2f} dollars is not held: the price of the models "
                    "is not known (--price NAME=IN/OUT says it). Tokens bound the run.",
                )
            )


def published_in(messages: Sequence[Message], round_: int) -> list[Message]:
    """What was published in a round; in round 0 the first message."""
    return [one for one in messages if one.round == round_]


def is_for(role: Role, one: Message) -> bool:
    """True when a message is delivered to a role: its sender gets it only when it says so."""
    if one.sent_by == role.name:
        return SELF in one.send_to
    return ALL in one.send_to or role.name in one.send_to


def news_of(role: Role, messages: Sequence[Message], seen: frozenset[str]) -> list[Message]:
    """Delivered, not yet seen, and of a kind that the role watches or addressed to it by name."""
    kinds, name = role.kinds, role.name
    unseen = [one for one in messages if one.id not in seen and is_for(role, one)]
    return [one for one in unseen if one.kind in kinds or name in one.send_to or one.sent_by == name]


def remembered(role: Role, state: Environment) -> Memory:
    """Everything a role knows: what was delivered to it and what it made, in the order of the rounds."""
    own = [
        one.model_copy(update={"id": f"own:{n}"}) for n, one in enumerate(state["own"], 1) if one.sent_by == role.name
    ]
    mine = [one for one in state["messages"] if is_for(role, one) or one.sent_by == role.name]
    return Memory(messages=tuple(sorted([*own, *mine], key=lambda one: (one.round, not one.id.startswith("own:")))))


def _seen(state: Environment, name: str) -> frozenset[str]:
    return next((frozenset(one.ids) for one in state["seen"] if one.role == name), frozenset())
