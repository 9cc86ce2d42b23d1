"""The small Python: cells run in pydantic-monty's worker processes; no network, no files but /workspace, to read.

Nothing is remembered here: a cell begins from the state it is handed and gives back the state it left, so a resumed or
forked run goes on from what its journal kept. Each cell has a fresh process, and it is gone when `run` returns.
The pool is the sync one, driven in threads, since the async pool of 1.4.0 sometimes aborts its host at exit; take that
one when a release says it is mended (https://github.com/pydantic/monty).
"""

import asyncio
import contextlib
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Literal

import pydantic_monty as monty

from moot.sandbox.callbacks import Callbacks
from moot.sandbox.cells import VALUE, keep_last_value
from moot.sandbox.dumps import opened, seal
from moot.sandbox.tracebacks import traceback_of
from moot.values.errors import ToolFailed
from moot.values.ports import Functions, Ran, Sandbox

if sys.platform == "linux":
    import resource

MAX_SECONDS = 600.0
MAX_MEMORY = 256 << 20
MAX_DUMP = 5 << 20
MAX_OUTPUT = 64 << 20
MAX_CODE = 200_000
MAX_REPR = 4_000
_MAX_CLOCK_CALLS = 5_000
_MADE_BY = f"monty-{monty.__version__}"
_AS_BEFORE = "the interpreter is as it was before this cell"
_SHOW = f"{VALUE}text = None if {VALUE} is None else repr({VALUE})[:{MAX_REPR + 1}]\n{VALUE} = None\n{VALUE}text"


class Monty:
    """The port `Sandbox` over a pool of worker processes. Owned by app/wiring.py, which closes it."""

    def __init__(self, *, at_once: int = 4, max_output: int = MAX_OUTPUT) -> None:
        self._at_once = at_once
        self._max_output = max_output
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="moot-monty")
        self._opening = threading.Lock()
        self._pool: monty.Monty | None = None
        self._running: set[_Cell] = set()

    async def run(
        self, code: str, *, timeout_s: float, dump: str, workspace: str | None, seed: str, now: datetime | None
    ) -> Ran:
        """Runs a cell on the state in `dump`. Raises ToolFailed when no worker can be started, never for the code."""
        cell = _Cell(code, self._printed(), timeout_s, dump=dump, workspace=workspace, seed=seed, now=now)
        return await self._done(cell)

    def calling(self, functions: Functions) -> Sandbox:
        """The same interpreter, whose cells may call these functions."""
        return _Calling(self, functions)

    def _printed(self) -> "_Printed":
        return _Printed(self._max_output)

    async def _done(self, cell: "_Cell", functions: Functions | None = None) -> Ran:
        if len(cell.code) > MAX_CODE:
            text = f"[not run: the code is {len(cell.code):,} characters long, and at most {MAX_CODE:,} are taken]"
            return Ran(text=text, ok=False, ended="error", dump=cell.dump)
        callbacks = None if functions is None else Callbacks(functions)
        if callbacks is not None:
            cell.lookup = callbacks.lookup(cell.pause, cell.go_on)
        self._running.add(cell)
        working = asyncio.get_running_loop().run_in_executor(self._threads, cell.run, self._opened())
        try:
            return await (asyncio.shield(working) if callbacks is None else callbacks.serve(working))
        except BaseException:  # a cancel, or what a function raised: the cell may not outlive it
            cell.stop("cancelled")
            await asyncio.wait({working})
            raise
        finally:
            self._running.discard(cell)

    def missing(self) -> str:
        """Why no worker can be started here; `` when one can."""
        try:
            self._opened()
        except ToolFailed as failed:
            return failed.message
        return ""

    async def close(self) -> None:
        """Stops the cells that still run, and ends the worker processes."""
        for cell in tuple(self._running):
            cell.stop("cancelled")
        await asyncio.to_thread(self._threads.shutdown, wait=True)
        if self._pool is not None:
            self._pool.__exit__(None, None, None)
            self._pool = None

    def _opened(self) -> monty.Monty:
        with self._opening:
            if self._pool is None:
                # A worker serves one cell, so that nothing of it can reach the next. Its limits are set by each cell.
                pool = monty.Monty(min_processes=1, max_processes=self._at_once, max_checkouts_per_worker=1)
                try:
                    pool.__enter__()
                except (RuntimeError, OSError) as error:
                    raise ToolFailed(f"the small Python cannot start here: {error}") from error
                self._pool = pool
            return self._pool


class _Calling:
    """The port `Sandbox` over another's workers, for cells that call functions of ours."""

    def __init__(self, own: Monty, functions: Functions) -> None:
        self._own, self._functions = own, functions

    async def run(
        self, code: str, *, timeout_s: float, dump: str, workspace: str | None, seed: str, now: datetime | None
    ) -> Ran:
        cell = _Cell(code, self._own._printed(), timeout_s, dump=dump, workspace=workspace, seed=seed, now=now)
        return await self._own._done(cell, self._functions)

    def missing(self) -> str:
        return self._own.missing()

    def calling(self, functions: Functions) -> Sandbox:
        return self._own.calling(functions)


@dataclass(eq=False, slots=True)
class _Cell:
    """One cell on its way through a worker. Owned by one call of `run`; `stop` may come from any thread."""

    code: str
    printed: "_Printed"
    timeout_s: float
    dump: str
    workspace: str | None
    seed: str
    now: datetime | None
    lookup: dict[str, Callable[..., object]] = field(default_factory=dict)
    """Functions that the code may call."""
    stopped: Literal["", "time", "cancelled"] = ""
    note: str = ""
    _pid: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _watch: threading.Timer | None = None
    _left_s: float = 0.0
    _since: float = 0.0

    def __post_init__(self) -> None:
        self.timeout_s = min(self.timeout_s, MAX_SECONDS)

    def run(self, pool: monty.Monty) -> Ran:
        """Runs to the end, in a thread. The worker is gone afterwards."""
        state = opened(self.dump, made_by=_MADE_BY) if self.dump else None
        if self.dump and state is None:
            self.note = "The names of earlier cells are gone: what was kept of them cannot be read by this version."
            self.dump = ""
        try:
            with (
                self._folders() as mounts,
                pool.checkout(limits=_limits(), os_policy=self._policy()) as worker,
                self._watched(worker),
            ):
                return self._fed(worker, state, mounts)
        except (RuntimeError, OSError) as error:
            raise ToolFailed(f"the small Python cannot start here: {error}") from error

    def stop(self, why: Literal["time", "cancelled"]) -> None:
        """Kills the worker, if there is one; a cell that has not begun never begins."""
        with self._lock:
            self.stopped = self.stopped or why
            if self._pid is not None:
                os.kill(self._pid, getattr(signal, "SIGKILL", signal.SIGTERM))

    @contextlib.contextmanager
    def _watched(self, worker: monty.MontySession) -> Iterator[None]:
        # Our own clock, not the interpreter's: a limit kept in a dump would hold for every later cell.
        with self._lock:
            self._pid = worker.worker_pid
            if self._pid is not None:
                _rein_in(self._pid, seconds=self.timeout_s)
        if self.stopped:
            self.stop("cancelled")
        self._left_s = self.timeout_s
        self.go_on()
        try:
            yield
        finally:
            self.pause()
            with self._lock:
                self._pid = None

    def go_on(self) -> None:
        """The cell's time runs."""
        self._since = time.monotonic()
        self._watch = threading.Timer(self._left_s, self.stop, ("time",))
        self._watch.daemon = True
        self._watch.start()

    def pause(self) -> None:
        """The cell's time stands still: a function is at work for it."""
        if self._watch is not None:
            self._watch.cancel()
        self._left_s = max(0.001, self._left_s - (time.monotonic() - self._since))

    @contextlib.contextmanager
    def _folders(self) -> Iterator[list[monty.MountDir]]:
        if self.workspace is None or not Path(self.workspace).is_dir():
            yield []
            return
        with monty.MountDir(host_path=self.workspace, virtual_path="/workspace", mode="read-only") as mount:
            yield [mount]

    def _policy(self) -> monty.OSPolicy:
        policy: monty.OSPolicy = {"datetime": "call_host", "sleep": "zero"}
        if self.seed:
            policy["random_start"] = {"seed": self.seed}
        return policy

    def _fed(self, worker: monty.MontySession, state: bytes | None, mounts: list[monty.MountDir]) -> Ran:
        wrapped = keep_last_value(self.code)
        shown: object = None
        try:
            if state is not None:
                worker.load_session(state)
            code = wrapped.code if wrapped else self.code
            value = worker.feed_run(
                code, external_lookup=self.lookup or None, print_callback=self.printed, mount=mounts, os=self._clock
            )
            # The value stays in the worker, where its repr is made: it may be huge, and ours would order sets anew.
            shown = worker.feed_run(_SHOW, print_callback=self.printed, os=self._clock) if wrapped else _repr(value)
        except monty.MontyError as error:
            if limit := self._limit(error):
                return self._ran(f"[{limit[1]}; {_AS_BEFORE}]", ended=limit[0], dump=self.dump)
            return self._ran(traceback_of(error, wrapped), ended="error", dump=self._kept(worker))
        text = "" if shown is None else str(shown)
        last = f"=> {text[:MAX_REPR]}{'…' if len(text) > MAX_REPR else ''}" if text else ""
        return self._ran(last, ended="ok", dump=self._kept(worker))

    def _limit(self, error: monty.MontyError) -> tuple[Literal["time", "memory", "crashed"], str] | None:
        if self.stopped == "time":
            return "time", f"stopped after {self.timeout_s:g} s"
        if self.stopped or isinstance(error, monty.MontyCrashedError):
            return "crashed", "stopped with the run" if self.stopped else "the interpreter crashed"
        said = str(error)
        if said.startswith(("MemoryError: memory limit exceeded", "MemoryError: the worker exceeded its memory")):
            return "memory", f"stopped: it needs more than {MAX_MEMORY >> 20} MiB of memory"
        if said.startswith(("TimeoutError: feed time limit exceeded", "RuntimeError: suspension limit")):
            return "time", "stopped: it asks for the time, or for files, again and again"
        return None

    def _kept(self, worker: monty.MontySession) -> str:
        """The state that the cell left; the one before it when that is too large to keep."""
        try:
            state = worker.dump()
        except monty.MontyError:
            state = b""
        if 0 < len(state) <= MAX_DUMP:
            return seal(state, made_by=_MADE_BY)
        self.note = (
            f"The names hold more than the {MAX_DUMP >> 20} MiB that can be kept between calls: "
            "those set in this call are gone. Print what you need, and keep less."
        )
        return self.dump

    def _ran(self, last: str, *, ended: Literal["ok", "error", "time", "memory", "crashed"], dump: str) -> Ran:
        printed = self.printed.text()
        gap = "\n" if printed and last and not printed.endswith("\n") else ""
        return Ran(text=f"{printed}{gap}{last}", ok=ended == "ok", ended=ended, note=self.note, dump=dump)

    def _clock(self, *, name: str, args: tuple[object, ...], **_: object) -> object:
        at = (self.now or datetime.now(UTC)).astimezone(UTC)
        match name:
            case "datetime.now":
                zone = args[0] if args else None
                return at.astimezone(zone) if isinstance(zone, tzinfo) else at.replace(tzinfo=None)
            case "date.today":
                return at.date()
            case "time.time":
                return at.timestamp()
            case _:
                return monty.NOT_HANDLED


class _Printed:
    """What a cell printed, in order; no more than `most` bytes of it are collected."""

    def __init__(self, most: int) -> None:
        self._parts: list[str] = []
        self._most = self._room = most
        self._over = False

    def __call__(self, stream: str, text: str) -> None:
        size = len(text.encode("utf-8", "replace"))
        if size <= self._room:
            self._parts.append(text)
        elif not self._over:
            self._parts.append(text[: self._room // 4])
            self._over = True
        self._room = 0 if self._over else self._room - size

    def text(self) -> str:
        tail = f"\n[the output is longer than {self._most >> 20} MiB; no more of it was collected]\n"
        return "".join(self._parts) + (tail if self._over else "")


def _limits() -> monty.ResourceLimits:
    return {"max_memory": MAX_MEMORY, "max_feed_duration_secs": MAX_SECONDS, "max_suspensions": _MAX_CLOCK_CALLS}


def _repr(value: object) -> str | None:
    """The repr of a value that came over, for cells whose end could not be told by their tokens."""
    if value is None:
        return None
    try:
        return repr(value)[: MAX_REPR + 1]
    except (ValueError, RecursionError, MemoryError) as error:
        return f"({type(value).__name__} that cannot be shown: {error})"


def _rein_in(pid: int, *, seconds: float) -> None:
    """Limits the process itself, should we be killed, or the interpreter's own limits fail: then the kernel ends it."""
    if sys.platform == "linux":
        cpu = math.ceil(seconds) + 5
        for what, limit in (
            (resource.RLIMIT_CPU, cpu),
            (resource.RLIMIT_AS, 8 * MAX_MEMORY),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(pid, what, (limit, limit))
