"""The tools `python` (small) and `python_full`: a cell of code for the sandbox, and its output as a source.

Running it safely is sandbox/'s. Which sandbox serves which of them in a run is app/tiers.py's: where an operator gives
all agents full Python, or no sandbox can be had for it, one stands in for the other under its name.
"""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, JsonValue

from moot.sandbox.box import Box, Came, Folders
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.evidence import Shown

LONGEST_S = 600.0


def _missing(bench: Workbench) -> str:
    return "no sandbox was opened for this run" if bench.sandbox is None else bench.sandbox.missing()


@tool(effect="read", alone=True, timeout_s=LONGEST_S + 60, missing=_missing)
async def python(bench: Workbench, code: str, timeout_s: Annotated[float, Field(gt=0)] = 30.0) -> ToolResult:
    """Runs Python code and shows what it printed, then `=> ` and the value of its last expression, or the traceback.

    Do all arithmetic and data work here; print every result with a label. Names live on between calls.
    This is the small Python. It has: asyncio base64 bisect collections copy csv dataclasses datetime decimal functools
    hashlib itertools json math os pathlib random re time tomllib typing unicodedata. It has no other modules, no
    network, no class inheritance, no yield, no del. Files of the run, if any, can be read under /workspace.
    A cell is stopped after timeout_s seconds (at most 600) and gets at most 256 MiB of memory.
    """
    if bench.sandbox is None:
        raise ToolFailed("there is no sandbox here to run code in.")
    ran = await bench.sandbox.run(
        code,
        timeout_s=min(timeout_s, LONGEST_S),
        dump=_dump(bench),
        workspace=None if bench.workspace is None else str(bench.workspace),
        seed=bench.key,
        now=bench.at,
    )
    return await _observed(
        bench, code, ran.text, is_source=ran.ok, notes=(ran.note, _too_long(timeout_s)), after={"dump": ran.dump}
    )


@dataclass(frozen=True, slots=True)
class Interpreter:
    """The one interpreter of an agent's work."""

    box: Box

    async def close(self) -> None:
        await self.box.close()


@tool(effect="write", timeout_s=LONGEST_S + 60, missing=lambda bench: bench.served.why_not)
async def python_full(bench: Workbench, code: str, timeout_s: Annotated[float, Field(gt=0)] = 30.0) -> ToolResult:
    """Runs Python code and shows what it printed, then `=> ` and the value of its last expression, or the traceback.

    Do all arithmetic and data work here; print every result with a label. Names live on between calls.
    This is the full Python: the whole standard library and the packages installed with it, such as numpy, pandas,
    matplotlib and openpyxl where they are. Files belong into /workspace, where the code starts; /tmp is private and
    goes with the interpreter. There is no input and, unless the operator opened it, no network. A cell is interrupted
    after timeout_s seconds (at most 600). Names are lost when the interpreter ends, or sleeps through a pause.
    """
    if bench.served.tier is None or bench.workspace is None:
        raise ToolFailed(bench.served.why_not or "there is no workspace here.")
    if len(code) > _MAX_CODE:
        raise ToolFailed(f"the code has {len(code):,} characters, and at most {_MAX_CODE:,} are taken.")
    live = bench.opened.find(Interpreter)
    if live is not None and not live.box.usable:
        await bench.opened.drop(Interpreter)
        live = None
    slept = live is None and bench.before is not None
    if live is None:
        folders = Folders(bench.workspace, bench.own)
        live = bench.opened.keep(Interpreter(await Box.open("python", bench.served.tier, folders)))
    limit_s = min(timeout_s, LONGEST_S, LONGEST_S if bench.seconds is None else max(0.1, bench.seconds - _ROOM_S))
    try:
        came = await live.box.run(code, timeout_s=limit_s)
    except (ToolFailed, asyncio.CancelledError):
        await bench.opened.drop(Interpreter)
        raise
    result = await _observed(
        bench,
        code,
        _shown(came, limit_s),
        is_source=came.how == "done" and came.code == 0,
        notes=(_SLEPT if slept else "", _too_long(timeout_s)),
        after={"names": not came.anew},
    )
    return result if bench.served.tier.isolates else result.model_copy(update={"last": "[no sandbox] · UNSANDBOXED"})


_MAX_CODE = 200_000
_ROOM_S = 3.0
"""How long before a call is broken off a cell is interrupted: it gets two seconds to end with its names kept."""
_SLEPT = "The interpreter was started anew after a pause: names of earlier cells are gone."
_ANEW = "the interpreter ended and was started anew; its names are gone"


def _shown(came: Came, limit_s: float) -> str:
    """What a cell printed, then its value, its traceback, or how it was stopped."""
    over = f"\n[the output is longer than 64 MiB; {came.dropped:,} bytes more were not collected]\n"
    printed = came.printed + (over if came.dropped else "")
    match came.how:
        case "done":
            last = came.shown
        case "ended":
            last = f"[exit {came.code}: {_ANEW}]"
        case "stopped" if came.anew:
            last = f"[stopped after {limit_s:.4g} s: {_ANEW}]"
        case "stopped":
            last = f"[stopped after {limit_s:.4g} s; names are kept]"
        case "limit":
            last = f"[stopped: {came.why}; {_ANEW}]"
    gap = "\n" if printed and last and not printed.endswith("\n") else ""
    return f"{printed}{gap}{last}"


async def _observed(
    bench: Workbench, code: str, text: str, *, is_source: bool, notes: tuple[str, ...], after: JsonValue
) -> ToolResult:
    """The result of a cell; what it printed is kept as a source where it went well."""
    parts = [text.removesuffix("\n")] if text else []
    sources: tuple[Shown, ...] = ()
    if is_source and text.strip() and bench.keep is not None:
        source = await bench.keep(_address(bench), code=code, printed=text)
        sources = (source,)
        parts.append(_how_to_cite(source))
    parts += [f"({note})" for note in notes if note]
    return ToolResult(text="\n".join(parts), sources=sources, after=after)


def _too_long(timeout_s: float) -> str:
    return f"timeout_s was taken as {LONGEST_S:g}, the most there is." if timeout_s > LONGEST_S else ""


def _dump(bench: Workbench) -> str:
    before = bench.before
    dump = before.get("dump") if isinstance(before, dict) else None
    return dump if isinstance(dump, str) else ""


def _address(bench: Workbench) -> str:
    # Of the scope, and with no run in it: so a fork computes under the same mark.
    scope, _, _ = bench.key.rpartition("/")
    return f"calc:{scope or bench.key}"


def _how_to_cite(source: Shown) -> str:
    mark = source.mark if source.version == 1 else f"{source.mark}~{source.version}"
    if source.passages == 1:
        return f"(This output is a source: cite its line as [{mark}.1].)"
    return f"(This output is a source: cite its lines as [{mark}.1] to [{mark}.{source.passages}].)"
