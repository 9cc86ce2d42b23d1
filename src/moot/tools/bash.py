"""The tool `bash`: a shell that lives as long as its agent's work, in a sandbox. Keeping it away is sandbox/'s."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from moot.sandbox.box import Box, Came, Folders, Kept
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed

LONGEST_S = 600.0
_ROOM_S = 2.0
"""How long before a call is broken off the shell stops by itself, so that what was printed is kept."""
_MAX_COMMAND, _MAX_STATE = 200_000, 256 << 10


@dataclass(frozen=True, slots=True)
class Shell:
    """The one shell of an agent's work."""

    box: Box

    async def close(self) -> None:
        await self.box.close()


@tool(effect="write", timeout_s=LONGEST_S + 60, missing=lambda bench: bench.served.why_not)
async def bash(
    bench: Workbench, command: str, *, timeout_s: Annotated[float, Field(gt=0)] = 120.0, restart: bool = False
) -> ToolResult:
    """Runs a command in a live bash shell and shows what it printed, then its exit code and folder: `[exit 0] cwd: …`.

    The shell lives on between calls: folder, variables, functions and processes in the background stay. The folder,
    exported variables, functions and umask also outlive a shell that ended, was stopped or slept through a pause;
    nothing else does. Files belong into /workspace, the one folder that is kept; /tmp is private and goes with the
    shell. There is no input and, unless the operator opened it, no network: send long output to a file, and give every
    program what it would ask for. A command is stopped after timeout_s seconds (at most 600), and all it began with
    it; start what must run on with `&`. With restart a new shell is started first, and nothing of the old one is kept.
    """
    if bench.served.tier is None or bench.workspace is None:
        raise ToolFailed(bench.served.why_not or "there is no workspace here.")
    if len(command) > _MAX_COMMAND:
        raise ToolFailed(f"the command has {len(command):,} characters, and at most {_MAX_COMMAND:,} are taken.")
    before = None if restart else _before(bench.before)
    shell = bench.opened.find(Shell)
    if shell is not None and (restart or not shell.box.usable):
        await bench.opened.drop(Shell)
        shell = None
    slept = shell is None and before is not None
    if shell is None:
        folders = Folders(bench.workspace, bench.own)
        opening = Box.open("bash", bench.served.tier, folders, kept=before or Kept())
        shell = bench.opened.keep(Shell(await opening))
    room_s = LONGEST_S if bench.seconds is None else max(0.1, bench.seconds - _ROOM_S)
    limit_s = min(timeout_s, LONGEST_S, room_s)
    try:
        came = await shell.box.run(command, timeout_s=limit_s)
    except (ToolFailed, asyncio.CancelledError):
        await bench.opened.drop(Shell)
        raise
    gone = came.gone + (before.background if slept and before else 0)
    said = [
        f"{_ending(came, limit_s, slept=slept, new=restart)} cwd: {_line(came.cwd)}",
        f"background: {came.background}" if came.background else "",
        f"background gone: {gone}" if gone else "",
        f"timeout_s was taken as {LONGEST_S:g}, the most there is" if timeout_s > LONGEST_S else "",
        "its functions and variables are too many to be kept" if len(came.state) > _MAX_STATE else "",
        "" if bench.served.tier.isolates else "UNSANDBOXED",
    ]
    return ToolResult(text=_printed(came), last=" · ".join(filter(None, said)), after=_after(came, before))


def _after(came: Came, before: Kept | None) -> JsonValue:
    """What the next call must know; of functions and variables that are too many, the last that were not."""
    kept = came.kept()
    if len(kept.state) > _MAX_STATE:
        kept = kept.model_copy(update={"state": before.state if before else ""})
    return kept.model_dump(mode="json")


def _ending(came: Came, limit_s: float, *, slept: bool, new: bool) -> str:
    match came.how:
        case "ended":
            return f"[exit {came.code}: the shell ended and was started anew]"
        case "stopped":
            return f"[stopped after {limit_s:.4g} s; the shell was started anew]"
        case "limit":
            return f"[stopped: {came.why}; the shell was started anew]"
        case "done" if new:
            return f"[exit {came.code}: a new shell]"
        case "done" if slept:
            return f"[exit {came.code}: the shell was started anew after a pause]"
        case "done":
            return f"[exit {came.code}]"


def _printed(came: Came) -> str:
    over = f"\n[the output is longer than 64 MiB; {came.dropped:,} bytes more were not collected]\n"
    return came.printed + (over if came.dropped else "")


def _before(before: JsonValue) -> Kept | None:
    try:
        return None if before is None else Kept.model_validate(before)
    except ValidationError:
        return None


def _line(folder: str) -> str:
    """A folder's name in one line, whatever it holds."""
    return folder.encode("unicode_escape").decode() if not folder.isprintable() else folder[:4_096]
