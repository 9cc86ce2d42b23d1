"""The one way from an agent to its tools, for a model's calls and for plain code alike.

A call passes limits, a person's approval and the journal; then its sources are admitted to the scope's ledger, in the
order called, whoever was faster. A failure is an observation, never a crash. Reading calls is agents/reading.py's.
"""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from pydantic import BaseModel, JsonValue

from moot.agents.agent import AgentLimits, Did
from moot.agents.changes import changes_of
from moot.agents.computations import keep_computation, keep_read
from moot.agents.doing import done
from moot.agents.history import Called, Status
from moot.agents.leaks import leak
from moot.agents.looking import Looking
from moot.agents.observation import kept_whole, observation
from moot.agents.people import Person
from moot.agents.reading import Wanted, canonical, wire_names
from moot.agents.tried import Tried
from moot.evidence.ledger import ScopeLedger
from moot.run.run import Run
from moot.sandbox.tiers import Served
from moot.text.addresses import canonical as canonical_address
from moot.toolkit.opened import Opened
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import BudgetSpent, ToolFailed, UnknownWhetherDone
from moot.values.events import ToolAnswered, ToolCalled, ToolUnavailable
from moot.values.evidence import Shown
from moot.values.ports import Functions
from moot.values.value import Key

_ADDRESS = re.compile(r"(?:https?|docs|rag)://[^\s<>\"'\]\[)}，。；、（）「」]+")
Do = Callable[[], Awaitable[ToolResult]]
CALLS_A_REPLY = 16
READS_AT_ONCE = 5


@dataclass(slots=True)
class _Ran:
    """What came of one call before it is admitted."""

    want: Wanted
    tool: Tool
    key: Key
    result: ToolResult | None = None
    failure: ToolFailed | None = None
    fault: str = ""
    """The observation when there is no result."""
    not_run: bool = False

    @property
    def status(self) -> Status:
        if self.not_run:
            return "not_run"
        # a tool may say itself that it failed, and what about it is worth knowing (addresses that could not be read);
        # one that closes with a line of its own shows what a program said, which is the program's affair
        says_so = self.result is not None and not self.result.last and self.result.text.startswith("Failed: ")
        return "failed" if self.result is None or says_so else "ok"

    @property
    def did(self) -> Did:
        return Did(self.key, self.tool.name, self.status == "ok")


def addresses_in(text: str) -> frozenset[str]:
    """The addresses that a text names, in their canonical form: they were given, so they may be opened."""
    return canonical_addresses(written.rstrip(".,;:!?'\"") for written in _ADDRESS.findall(text))


def canonical_addresses(written: Iterable[str]) -> frozenset[str]:
    """Addresses in their canonical form; what is none is left out."""
    found: set[str] = set()
    for one in written:
        try:
            found.add(canonical_address(one))
        except ValueError:
            continue
    return frozenset(found)


def grouped(due: Sequence[tuple[int, Tool]]) -> list[list[int]]:
    """Places of calls in the order they run: neighbouring reads together, each other by itself, questions last."""
    groups: list[list[int]] = []
    beside = False
    for place, tool in sorted(due, key=lambda one: one[1].last):
        by_itself = tool.alone or tool.effect == "write" or tool.last
        if beside and not by_itself:
            groups[-1].append(place)
        else:
            groups.append([place])
        beside = not by_itself
    return groups


class ToolGate:
    """One agent's gate in one call of `work`, which is its owner."""

    def __init__(
        self, run: Run, tools: Sequence[str], limits: AgentLimits, *, may_open: frozenset[str], known: Sequence[Shown],
        locale: str,
    ) -> None:  # fmt: skip
        self.run = run
        self.ledger = ScopeLedger(known)
        self.tried = Tried()
        self.after: dict[str, JsonValue] = {}
        """What each family of tools must know at its next call."""
        self.opened = Opened()
        """What tools opened; `work` closes it."""
        self.at: datetime | None = None
        """The run's clock for this call of `work`."""
        self.shown: list[str] = []
        """Observations of calls that plain code made."""
        self.spent = ""
        """Why a call was refused by the budget; `` while none was."""
        self._limits = limits
        self._locale = locale
        self._asked_for = addresses_in(run.record.question)
        self._given = set(self._asked_for) | {shown.address for shown in known}
        self._may_open = self._given | may_open
        self._person = Person(run, limits.ask_limit)
        self._counts: Counter[str] = Counter()
        self.tools = self._offered(tools)
        """What is on offer, by wire name, sorted."""

    def has(self, name: str) -> bool:
        """True when this tool is granted and can work here."""
        return name in self.tools

    def unable(self, tool: Tool) -> ToolUnavailable | None:
        """Why a tool cannot work here, as it is told; None when it can."""
        served = self.run.doors.served.get(tool.name)
        why = tool.missing(_bench(self, tool, key=Key(""), fence=""))
        return ToolUnavailable(tool=tool.name, tried=served.tried if served else (), why=why) if why else None

    def count_anew(self) -> None:
        """Caps begin from nothing: plain code takes over, and what a model used up is not its."""
        self._counts.clear()

    async def clock(self) -> datetime:
        """The run's time, asked for once in a call of `work`."""
        self.at = self.at or await self.run.now()
        return self.at

    async def call(self, name: str, **arguments: object) -> ToolResult:
        """Calls a tool for plain code. Raises ToolFailed, also for what a limit or a person refuses."""
        if name not in self.tools:
            raise ToolFailed(f"No tool named {name!r} is granted here.")
        read = self.tools[name].arguments.model_validate(arguments)
        want = Wanted(name, read, written=canonical(read), told=read.model_dump(mode="json", exclude_unset=True))
        await self.clock()
        if refusal := self._over_cap(want):
            raise ToolFailed(refusal)
        ran = await self._run_one(want)
        self.shown.append(self._admitted(ran).text)
        if ran.result is None:
            raise ran.failure or ToolFailed(ran.fault)
        return ran.result

    async def run_calls(self, wanted: Sequence[Wanted]) -> tuple[Called, ...]:
        """Runs the calls of one reply: one observation each, in the order called; neighbouring reads run together."""
        called: dict[int, Called] = {}
        due: list[int] = []
        for place, want in enumerate(wanted):
            if refusal := self._refusal(place, wanted):
                called[place] = self._not_run(want, refusal)
            else:
                due.append(place)
        if due:
            await self.clock()
        for group in grouped([(place, self.tools[wanted[place].name]) for place in due]):
            for place, ran in zip(group, await self._run_group([wanted[place] for place in group]), strict=True):
                called[place] = self._admitted(ran)
        return tuple(called[place] for place in range(len(wanted)))

    async def run_cell(self, want: Wanted, functions: Functions) -> Called:
        """Runs a cell of code whose functions are this gate's tools, under keys of its own; what it showed is kept."""
        if refusal := want.fault or self._over_cap(want):
            return self._not_run(want, refusal)
        async with self.run.scope(want.name):
            return self._admitted(await self._run_one(want, functions))

    # what may be run, and beside what

    def _offered(self, names: Sequence[str]) -> Mapping[str, Tool]:
        there = self.run.doors.tools
        families = [[tool for tool in there.values() if name in (tool.name, tool.family)] for name in names]
        granted = {tool.name: tool for family in families for tool in family}.values()
        able = []
        for tool in granted:
            if unable := self.unable(tool):
                self.run.emit(unable)
            else:
                able.append(tool)
        return wire_names(able)

    def _refusal(self, place: int, wanted: Sequence[Wanted]) -> str:
        want = wanted[place]
        if place >= CALLS_A_REPLY:
            return f"Not run: at most {CALLS_A_REPLY} calls in one reply."
        if want.fault:
            return want.fault
        before = [(other.name, other.written) for other in wanted[:place] if not other.fault]
        if self.tools[want.name].effect == "read" and (want.name, want.written) in before:
            return "Same call as above; see its result."
        return self._over_cap(want)

    def _over_cap(self, want: Wanted) -> str:
        cap = self._limits.tool_calls.get(self.tools[want.name].name)
        if cap is not None and self._counts[want.name] >= cap:
            return f"Not run: at most {cap} calls of {want.name} here."
        self._counts[want.name] += 1
        return ""

    # running

    async def _run_group(self, wanted: Sequence[Wanted]) -> list[_Ran]:
        if len(wanted) == 1:
            return [await self._run_one(wanted[0])]
        return await self.run.together(*(partial(self._run_one, want) for want in wanted), at_once=READS_AT_ONCE)

    async def _run_one(self, want: Wanted, functions: Functions | None = None) -> _Ran:
        tool = self.tools[want.name]
        ran = _Ran(want, tool, self.run.coming("tool"))
        self.run.emit(ToolCalled(name=tool.name, arguments=dict(want.told or {})))
        try:
            if refusal := await self._person.refusal(tool.name, want.told or {}):
                ran.fault, ran.not_run = refusal, True
                self.tried.refused.add(tool.name)
            else:
                ran.result = await self._result(want, tool, key=ran.key, functions=functions)
        except UnknownWhetherDone as unknown:
            ran.failure, ran.fault = unknown, unknown.message
        except ToolFailed as failure:
            ran.failure, ran.fault = failure, f"Failed: {failure.message}"
        except BudgetSpent as spent:
            self.spent, ran.fault, ran.not_run = spent.message, "Not run: the run was stopped.", True
        said, files = (ran.result.text, ran.result.files) if ran.result else (ran.fault, ())
        self.run.emit(ToolAnswered(name=tool.name, status=ran.status, chars=len(said), files=files))
        for change in changes_of(ran.result):
            self.run.emit(change)
        return ran

    async def _result(self, want: Wanted, tool: Tool, *, key: Key, functions: Functions | None) -> ToolResult:
        """The tool's result, kept. What asks a person or a model is kept as the question or call that it is."""
        assert want.arguments is not None
        key = key if functions is None else Key(self.run.here)  # its calls come first: how many is not known yet
        bench = _bench(self, tool, key=key, fence=f"{self.run.chance().getrandbits(48):012x}", functions=functions)
        do: Do = partial(self._done, tool, bench, want.arguments)
        if tool.last or tool.asks:
            return await do()
        if functions is not None:
            do = await _tried(do)
        return await self.run.once(
            "tool",
            {"name": tool.name, "args": want.arguments.model_dump(mode="json")},
            lambda idempotency_key: do(),
            reply=ToolResult,
            effect=tool.effect_of(want.arguments),
        )

    async def _done(self, tool: Tool, bench: Workbench, arguments: BaseModel) -> ToolResult:
        limits = (tool.timeout_s, self._limits.tool_seconds.get(tool.name), self.run.seconds_left())
        timeout_s = min(limit for limit in limits if limit is not None)
        return await done(tool, bench, arguments, timeout_s=timeout_s, files=self.run.doors.files)

    # what came of it

    def _not_run(self, want: Wanted, words: str) -> Called:
        status: Status = "failed" if want.fault and words == want.fault else "not_run"
        self.run.emit(ToolAnswered(name=want.name, status=status, chars=len(words)))
        return Called(want.name, want.written, words, status)

    def _admitted(self, ran: _Ran) -> Called:
        """The observation of a call; its sources enter the ledger, its leads may be opened, its tool remembers."""
        want, tool, result = ran.want, ran.tool, ran.result
        if result is None:
            if not ran.not_run:
                self.tried.note(
                    ran.did,
                    want.told or {},
                    ran.fault.removeprefix("Failed: "),
                    run=self.run,
                )
            return Called(want.name, want.written, ran.fault, ran.status, tool.effect_of(want.arguments))
        text, sources = self.ledger.admit(result.text, result.sources)
        ran.result = result.model_copy(update={"text": text, "sources": sources})
        self._given |= {*canonical_addresses(result.leads), *(shown.address for shown in sources)}
        self._may_open |= self._given
        self.after[tool.family] = result.after
        self.tried.note(ran.did, want.told or {}, ran.result, run=self.run)
        most = self._limits.observation_chars
        whole = kept_whole(self.run.doors, ran.key, text, most=most)
        words = observation(text, result.images, remark=want.remark, most=most, whole=whole, last=result.last)
        return Called(want.name, want.written, words, ran.status, tool.effect_of(want.arguments), result.images)


async def _tried(do: Do) -> Do:
    """Does it now, and gives what came of it to be kept: code that calls back is under no key while it runs."""
    result, failure = None, None
    try:
        result = await do()
    except ToolFailed as failed:
        failure = failed

    async def outcome() -> ToolResult:
        if failure is not None:
            raise failure
        assert result is not None
        return result

    return outcome


def _bench(gate: "ToolGate", tool: Tool, *, key: Key, fence: str, functions: Functions | None = None) -> Workbench:
    """What one call of a tool may touch."""
    doors = gate.run.doors
    sandbox = doors.sandbox if functions is None or doors.sandbox is None else doors.sandbox.calling(functions)
    return Workbench(
        documents=doors.documents,
        knowledge=doors.knowledge,
        web=doors.web,
        outside=doors.outside,
        browsers=doors.browsers,
        is_secret=lambda text: doors.secrets.covered(text) != text,
        sandbox=sandbox,
        served=doors.served.get(tool.name, Served()),
        workspace=doors.workspace,
        own=doors.own,
        may_open=frozenset(gate._may_open),
        asked_for=gate._asked_for,
        before=gate.after.get(tool.family),
        at=gate.at,
        locale=gate._locale,
        max_results=gate._limits.max_results,
        fence=fence,
        key=key,
        ask=gate._person.ask if tool.last else None,
        look=Looking(gate.run, gate._limits) if tool.asks else None,
        leak=partial(leak, gate.run, frozenset(gate._given)),
        keep=partial(keep_computation, gate.run, gate.at),
        record=partial(keep_read, gate.run, gate.at),
        opened=gate.opened,
    )
