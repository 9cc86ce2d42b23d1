"""A role at work: observe → (think → act)* → publish. What it may see and where its papers go is roles.py's business.

| react        | think                                              | how long                  |
|--------------|----------------------------------------------------|---------------------------|
| by_order     | the next action that applies; no model             | each once                 |
| react        | a model picks by number, −1 ends it; one alone: it | at most `max_react_loop`  |
| plan_and_act | a task list, worked in its order                   | until no task is open     |

An action that a tool failed is an observation, a model's failure brings the understudy, a bug ends the run.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from moot.agents.agent import Agent, AgentLimits, Gate, Given, Owed
from moot.agents.loop import work
from moot.patterns.memory import Memory, Message, kind_of, message
from moot.patterns.roles_choice import DONE, among, chooser
from moot.patterns.roles_tasks import Task, TaskList, ordered, renewed, shape
from moot.patterns.told import fenced
from moot.run.run import Run
from moot.values.errors import BudgetSpent, ToolFailed
from moot.values.evidence import Shown
from moot.values.messages import Tier
from moot.values.role_events import Chose
from moot.values.value import Value

NOTHING_YET = "No actions taken yet"
REACTS = ("by_order", "react", "plan_and_act")
React = Literal["by_order", "react", "plan_and_act"]
End = Literal["finished", "idle", "budget", "declined", "choice_unreadable", "tasks_failed"]
_TRIES = 3
_PLANS_ANEW = 3
_MOST_TOLD = 24_000
_MOST_OF_ONE = 4_000

Made = Value | Message | str | None
Act = Callable[[Memory, Run], Awaitable[Made]]
"""What an action does with all that its role remembers. None: it did nothing, and is passed over."""


class Declined(Exception):
    """Raised by an action when a person refused its paper: the run ends there."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a role can do."""

    name: str
    does: str
    """One line, as a model that chooses reads it."""
    run: Act
    publishes: str = ""
    """The kind of what it makes, where that is a text."""
    on: tuple[type[Value] | str, ...] = ()
    """It applies when the news holds one of these; none: to any news."""

    def applies(self, news: Sequence[Message]) -> bool:
        """True when this news is for it."""
        return not self.on or bool({kind_of(kind) for kind in self.on} & {one.kind for one in news})


@dataclass(frozen=True, slots=True)
class Role:
    """A declaration: it holds no state."""

    name: str
    profile: str
    goal: str = ""
    constraints: str = ""
    watch: tuple[type[Value] | str, ...] = ()
    actions: tuple[Action, ...] = ()
    react: React = "by_order"
    max_react_loop: int = 1
    tier: Tier = "fast"

    @property
    def kinds(self) -> frozenset[str]:
        """What it watches."""
        return frozenset(kind_of(one) for one in self.watch)


class Reaction(NamedTuple):
    """What came of a role's work on some news."""

    made: tuple[Message, ...]
    """By its actions, in order; the last one is published."""
    end: End
    last: str
    """The action that brought it; `` when none did."""

    @property
    def reply(self) -> str:
        """What the role answers to whoever woke it."""
        return self.last or NOTHING_YET


async def performed(agent: Agent[Owed], run: Run, /, *, known: Sequence[Shown] = (), **given: object) -> Owed:
    """What an agent owes, within an action. Raises BudgetSpent at a limit, so that the role's work ends there."""
    worked = await work(agent, run, known=known, **given)
    if worked.end == "budget":
        raise BudgetSpent(worked.why, dimension="calls")
    return worked.output


async def react(role: Role, run: Run, *, remembered: Memory, news: Sequence[Message]) -> Reaction:
    """A role's work on some news."""
    working = _Working(role, run, remembered, [action for action in role.actions if action.applies(news)])
    try:
        match role.react:
            case "by_order":
                end = await working.by_order()
            case "react":
                end = await working.one_after_another()
            case "plan_and_act":
                end = await working.by_tasks()
    except BudgetSpent:
        end = "budget"
    except Declined:
        end = "declined"
    if end == "finished" and not working.made:
        end = "idle"
    return Reaction(tuple(working.made), end, working.last)


@dataclass(slots=True)
class _Working:
    """One reaction of a role. Nobody else holds it."""

    role: Role
    run: Run
    memory: Memory
    actions: list[Action]
    made: list[Message] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    """Numbers of the actions done for this news."""
    last: str = ""

    async def by_order(self) -> End:
        """Each action once."""
        for at in range(len(self.actions)):
            self.run.emit(Chose(role=self.role.name, action=self.actions[at].name, by="order"))
            await self.act(at)
        return "finished"

    async def one_after_another(self) -> End:
        """What is chosen, one at a time."""
        if len(self.actions) == 1:
            return await self.by_order()
        for _ in range(self.role.max_react_loop if self.actions else 0):
            at = await self.chosen()
            if at is None:
                return "choice_unreadable"
            if at == DONE:
                break
            await self.act(at)
        return "finished"

    async def by_tasks(self) -> End:
        """Tasks in their order; what fails three times is planned anew with the rest, three times at most."""
        tasks, finished, anew = await self.planned(), frozenset[str](), 0
        while (task := next((one for one in tasks if one.id not in finished), None)) is not None:
            if await self.tried(task):
                finished |= {task.id}
                continue
            anew += 1
            if anew > _PLANS_ANEW:
                return "tasks_failed"
            tasks, finished = renewed(tasks, finished, await self.planned(tasks, failed=task))
        return "finished"

    async def tried(self, task: Task) -> bool:
        """True once the task is done, by one action of the role."""
        self.remember(message(task, sent_by=self.role.name))
        for _ in range(_TRIES):
            at = 0 if len(self.actions) == 1 else await self.chosen(task)
            if at is not None and at != DONE and await self.act(at):
                return True
        return False

    async def act(self, at: int) -> bool:
        """Does an action; False when a tool failed it, which the role remembers."""
        action = self.actions[at]
        async with self.run.scope(action.name):
            try:
                made = await action.run(self.memory, self.run)
            except ToolFailed as failed:
                self.remember(message(failed.message, kind="Failed", sent_by=self.role.name))
                return False
        self.done.append(at)
        if made is not None:
            paper = made if isinstance(made, Message) else message(made, kind=action.publishes)
            paper = paper.model_copy(update={"sent_by": self.role.name})
            self.made.append(paper)
            self.last = action.name
            self.remember(paper)
        return True

    def remember(self, new: Message) -> None:
        """Adds what was made or observed to what the role knows."""
        self.memory = self.memory.with_message(new.model_copy(update={"id": f"own{len(self.memory.messages) + 1}"}))

    # thinking

    async def chosen(self, task: Task | None = None) -> int | None:
        """The number of the next action, −1 for none; None when twice no number could be read."""
        role, n = self.role, len(self.actions)
        worked = await work(
            among(chooser(role.name, role.tier), n), self.run, known=(), **self._about(),
            previous=self.last, done=tuple(self.done), actions=[f"{one.name}: {one.does}" for one in self.actions],
            task=task.instruction if task else "", n=n,
        )  # fmt: skip
        if worked.end == "budget":
            raise BudgetSpent(worked.why, dimension="calls")
        if worked.end == "error" and worked.why.startswith("malformed"):
            return None
        at = worked.output.state
        name = self.actions[at].name if at != DONE else ""
        self.run.emit(Chose(role=role.name, action=name, by=worked.by))
        return at

    async def planned(self, tasks: Sequence[Task] = (), failed: Task | None = None) -> list[Task]:
        """A task list of the role's own, in its order."""
        limits = AgentLimits(max_output_tokens=2_048)
        agent: Agent[TaskList] = Agent(
            self.role.name, "roles/plan", TaskList, _a_task_an_action, tier=self.role.tier, choice="none",
            limits=limits, shape=shape,
        )  # fmt: skip
        found = await performed(
            agent, self.run, known=(), **self._about(), tasks=list(tasks), failed=failed.instruction if failed else "",
            actions=[f"{one.name}: {one.does}" for one in self.actions],
        )  # fmt: skip
        return ordered(found.tasks)

    def _about(self) -> dict[str, object]:
        role = self.role
        return {
            "profile": role.profile, "goal": role.goal, "constraints": role.constraints,
            "history": fenced(self.run, told_messages(self.memory.messages)),
        }  # fmt: skip


async def _a_task_an_action(gate: Gate, given: Given) -> TaskList:
    """One task for each action, in order."""
    actions = given["actions"]
    assert isinstance(actions, Sequence)
    return TaskList(tasks=tuple(Task(id=str(n), instruction=str(action)) for n, action in enumerate(actions, 1)))


def told_messages(messages: Sequence[Message]) -> str:
    """Messages as a model reads them, the newest whole as far as they fit."""
    told: list[str] = []
    left = _MOST_TOLD
    for one in reversed(messages):
        text = one.content if isinstance(one.content, str) else one.model_dump_json(include={"content"})
        line = f"{one.sent_by or 'a person'} · {one.kind}: {text[:_MOST_OF_ONE]}"
        left -= len(line)
        if left < 0:
            break
        told.append(line)
    return "\n".join(reversed(told))
