"""Plays the agents of the team task without a model: it takes lists apart, runs code that is there, computes, quotes.

Beyond a code block that was given it writes, clicks and installs nothing; what it cannot do it says.
"""

import csv
import io
import re
import statistics
from collections.abc import Sequence

from moot.agents.agent import Gate, Given
from moot.patterns.task.shapes import Achieved, Replan, StepOutcome, TaskPlan
from moot.patterns.understudies.coordinator import route
from moot.patterns.understudies.sums import code_of
from moot.patterns.wording import worded
from moot.text.arithmetic import arithmetic
from moot.text.language import detect_locale
from moot.text.marks import read_marks
from moot.text.sums import NoResult
from moot.text.words import terms
from moot.toolkit.result import ToolResult
from moot.values.errors import ToolFailed

USUAL_STEPS = (("Analyze request", "Execute task", "Verify results"), ("分析请求", "执行任务", "核对结果"))
_ITEM = re.compile(r"^\s*(?:\d{1,2}[.)、]|[-*•]|[一二三四五六七八九十]+、)\s*(\S.*)$", re.MULTILINE)
_THEN = re.compile(r"[,;，；。.]?\s*(?:\band\s+)?\bthen\b[,，]?\s*|[,;，；。]?\s*(?:然后|接着)[,，]?\s*", re.IGNORECASE)
_BLOCK = re.compile(r"^```(python|py|bash|sh)[ \t]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:/workspace/)?[\w./-]*\w\.\w{1,8}\b")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_HEAD_LINES, _QUOTES, _LONGEST = 20, 5, 4_000
_LINE = re.compile(r"^\[S[^\]]+\] .*$", re.MULTILINE)


async def planner(gate: Gate, given: Given) -> TaskPlan:
    """The request's own list of steps; without one the request itself, or the three usual steps when a model failed."""
    request = str(given["request"])
    title = title_of(request)
    decided = route(request)
    if decided.how in ("reply", "refuse"):
        return TaskPlan(title=title, answer=decided.text)
    if steps := listed_steps(request):
        return TaskPlan(title=title, steps=steps)
    if given["has_model"]:
        return TaskPlan(title=title, steps=USUAL_STEPS[detect_locale(request).startswith("zh")])
    return TaskPlan(title=title, steps=(_step(request),))


def title_of(request: str) -> str:
    """`Plan for: ` and the request's first 50 characters."""
    words = " ".join(request.split())
    head = worded(detect_locale(request), "Plan for: ", "计划：")
    return f"{head}{words[:50]}{'...' if len(words) > 50 else ''}"


def listed_steps(request: str) -> tuple[str, ...]:
    """The request's own list: its items, or its parts joined by "then"; none when it has none."""
    plain = _BLOCK.sub("", request)
    items = _ITEM.findall(plain)
    if len(items) < 2:
        items = [part for part in _THEN.split(plain) if part and part.strip()] if not _BLOCK.search(request) else []
    return tuple(_step(item) for item in items[:12]) if len(items) > 1 else ()


def _step(text: str) -> str:
    return " ".join(text.split())[:300]


async def executor(gate: Gate, given: Given) -> Achieved:
    """What plain code can do of a step: the first rule that fits."""
    step, request, locale = str(given["step"]), str(given["request"]), str(given["locale"])
    block = _BLOCK.search(step) or _BLOCK.search(request)
    try:
        if block:
            return await _run_block(gate, block[1], block[2])
        for text in (step, request):
            if (asked := arithmetic(text)) is not None:
                return await _computed(gate, code_of(asked))
        if (named := next(iter(_named(step, given)), "")) and gate.has("read_file"):
            return _described(named, await gate.call("read_file", path=named))
    except NoResult as none:
        return Achieved(done=False, problem=f"no_result: {none.code}")
    except ToolFailed as failed:
        return Achieved(done=False, problem=f"tools_failed: {failed.message}"[:1_000])
    try:
        found, why = await _quoted(gate, step) if gate.has("search") else "", ""
    except ToolFailed as failed:
        found, why = "", f" ({failed.message})"[:800]
    return Achieved(done=True, result=found) if found else Achieved(done=False, problem=_needs_model(locale) + why)


def _needs_model(locale: str) -> str:
    return "needs_model: " + worded(
        locale, "no model is set, and this needs one to decide what to do (moot doctor)",
        "未设置模型，而这一步需要模型来判断如何做（moot doctor）",
    )  # fmt: skip


async def replanner(gate: Gate, given: Given) -> Replan:
    """No change."""
    steps = given["open"]
    assert isinstance(steps, Sequence)
    return Replan(steps=tuple(map(str, steps)), why="")


async def reporter(gate: Gate, given: Given) -> str:
    """Each result quoted under its step; what is not done the program tells."""
    results, locale = given["results"], str(given["locale"])
    assert isinstance(results, Sequence)
    found = [one for one in results if isinstance(one, StepOutcome)]
    lines = [f"**{one.text}**\n\n{one.achieved.result}" for one in found if one.achieved.result]
    return "\n\n".join(lines) or worded(locale, "Nothing was done.", "没有完成任何步骤。")


async def _run_block(gate: Gate, language: str, code: str) -> Achieved:
    if language in ("python", "py"):
        tool = "python" if gate.has("python") else "python_full"
        return _ran(await gate.call(tool, code=code), "Traceback (most recent call last)")
    return _ran(await gate.call("bash", command=code), "")


async def _computed(gate: Gate, code: str) -> Achieved:
    return _ran(await gate.call("python", code=code), "Traceback (most recent call last)")


def _ran(result: ToolResult, fault: str) -> Achieved:
    text = re.sub(r"\n?\(This output is a source: .*\)$", "", result.text).strip() or "(no output)"
    last = text.rsplit("\n", 1)[-1]
    failed = (fault and fault in text) or last.startswith("[stopped") or re.match(r"\[exit [1-9]", last)
    if failed:
        return Achieved(done=False, result=text[:_LONGEST], problem=last[:1_000])
    marks = [shown for shown in result.sources if shown.kind == "computation"]
    cite = f" [{marks[-1].mark}.1]" if marks and "\n" not in text else ""
    return Achieved(done=True, result=f"{text[: _LONGEST - 40]}{cite}")


def _named(step: str, given: Given) -> list[str]:
    """Files of the workspace that the step names."""
    there = given.get("workspace")
    paths = {str(path).removeprefix("/workspace/") for path in there} if isinstance(there, Sequence) else set()
    return [name for name in _FILE.findall(step) if name.removeprefix("/workspace/") in paths]


def _described(name: str, result: ToolResult) -> Achieved:
    """Head and line count; of a CSV its columns, row count, and the figures of columns that hold numbers."""
    lines = [re.sub(r"^\s*\d+\t", "", line) for line in result.text.splitlines()]
    head = "\n".join(lines[:_HEAD_LINES])
    parts = [f"{name}: {len(lines)} lines"]
    if name.lower().endswith(".csv"):
        rows = list(csv.reader(io.StringIO("\n".join(lines))))
        parts.append(f"{max(0, len(rows) - 1)} rows, columns: {', '.join(rows[0]) if rows else ''}")
        parts += _figures(rows)
    return Achieved(done=True, result="\n".join([*parts, "", "```", head, "```"])[:_LONGEST])


def _figures(rows: Sequence[Sequence[str]]) -> list[str]:
    told = []
    for place, name in enumerate(rows[0] if rows else ()):
        cells = [row[place].strip() for row in rows[1:] if place < len(row) and row[place].strip()]
        if cells and all(_NUMBER.fullmatch(cell) for cell in cells):
            values = [float(cell) for cell in cells]
            told.append(f"{name}: min {min(values):g}, mean {statistics.fmean(values):g}, max {max(values):g}")
    return told


async def _quoted(gate: Gate, step: str) -> str:
    """The passages that share most words with a step, each with its mark."""
    wanted = set(terms(step))
    found = await gate.call("search", query=" ".join(dict.fromkeys(terms(step)))[:200])
    passages: list[tuple[int, str]] = []
    for address in found.leads[:3]:
        try:
            page = await gate.call("read_page", address=address)
        except ToolFailed:
            continue
        for line in _LINE.findall(page.text):
            shared = len(wanted & set(terms(line)))
            if shared and read_marks(line):
                passages.append((shared, line))
    best = sorted(passages, key=lambda one: -one[0])[:_QUOTES]
    return "\n".join(f"- {_after(line)}" for _, line in best)[:_LONGEST]


def _after(line: str) -> str:
    mark, _, words = line.partition("] ")
    return f"{words} {mark}]"
