"""The tool `python`: a cell of code for the sandbox, and its output as a source. Running it safely is sandbox/'s."""

from typing import Annotated

from pydantic import Field

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
    parts = [ran.text.removesuffix("\n")] if ran.text else []
    sources: tuple[Shown, ...] = ()
    if ran.ok and ran.text.strip() and bench.keep is not None:
        source = await bench.keep(_address(bench), code=code, printed=ran.text)
        sources = (source,)
        parts.append(_how_to_cite(source))
    if ran.note:
        parts.append(f"({ran.note})")
    if timeout_s > LONGEST_S:
        parts.append(f"(timeout_s was taken as {LONGEST_S:g}, the most there is.)")
    return ToolResult(text="\n".join(parts), sources=sources, after={"dump": ran.dump})


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
