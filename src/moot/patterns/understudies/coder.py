"""Plays the coder without a model: works out sums and a few well-known formulas, as code in the sandbox; no more.

Which figures are taken is figures.py's, which formula formulas.py's; what needs code of its own needs a model.
"""

from collections.abc import Sequence

from moot.agents.agent import Gate, Given
from moot.patterns.understudies.figures import Taken, figures_for
from moot.patterns.understudies.formulas import NotPossible, formula, operation_of
from moot.patterns.understudies.sums import code_of
from moot.patterns.wording import worded
from moot.text.arithmetic import arithmetic
from moot.text.sums import NoResult
from moot.toolkit.result import ToolResult
from moot.values.errors import ToolFailed
from moot.values.evidence import Citation
from moot.values.plans import Computation, Figure, Step, StepResult

_PROBLEMS = {
    "division_by_zero": ("it divides by zero", "除数为零"),
    "too_many_digits": ("the result has more than 1,000 digits", "结果超过 1,000 位"),
    "not_exact": ("the result is no exact fraction", "结果不是精确的分数"),
    "negative": ("a rate of growth needs positive figures", "增长率要求数值为正"),
    "needs_two": ("it needs exactly two figures", "需要恰好两个数值"),
    "needs_years": ("it needs the figures of two years", "需要两个年份的数值"),
    "needs_model": (
        "this needs code of its own, and no model is there to write it",
        "这一步需要编写代码，而没有可用的模型",
    ),
}


async def coder(gate: Gate, given: Given) -> Computation:
    """What can be computed for a step; nothing when there is nothing to compute with, and `problem` when it failed."""
    step, results, locale = given["step"], given["results"], str(given["locale"])
    assert isinstance(step, Step)
    assert isinstance(results, Sequence)
    question = str(given["question"])
    if sum_asked := next(filter(None, map(arithmetic, (step.title, step.description, question))), None):
        try:
            return await _run(gate, code_of(sum_asked), label=sum_asked.written)
        except NoResult as none:
            return _failed(none.code, locale, label=sum_asked.written)
    return await _formula(gate, f"{question}\n{step.description}", _needed(results), question=question, locale=locale)


def _needed(results: Sequence[object]) -> list[StepResult]:
    return [result for result in results if isinstance(result, StepResult)]


async def _formula(gate: Gate, asked: str, results: Sequence[StepResult], *, question: str, locale: str) -> Computation:
    operation = operation_of(asked)
    if operation is None:
        return _failed("needs_model", locale)
    picked = figures_for(question, results)
    if picked.too_many:
        return Computation(text=_table(picked.too_many, locale))
    if not picked.taken:
        return Computation()
    try:
        chosen = formula(operation, picked.taken)
    except NotPossible as none:
        return _failed(none.code, locale, label=worded(locale, operation, operation))
    return await _run(gate, chosen.code, label=worded(locale, *chosen.label), unit=chosen.unit, basis=chosen.basis)


async def _run(gate: Gate, code: str, *, label: str, unit: str = "", basis: str = "") -> Computation:
    """Runs code that prints one line ending in the result; the line is the text, marked as the output it is."""
    try:
        result = await gate.call("python", code=code)
    except ToolFailed as failed:
        return Computation(problem=f"tools_failed: {failed.message}")
    line = result.text.split("\n", 1)[0]
    if not result.sources and "Traceback" in result.text:
        return Computation(problem=f"tools_failed: {result.text[-400:]}")
    value = line.rpartition("≈" if "≈" in line else "=")[2].strip().removesuffix(unit).strip()
    figure = Figure(name=label, value=value, unit=unit, basis=basis or code)
    return Computation(text=f"{line} {_mark(result)}".rstrip(), values=(figure,))


def _mark(result: ToolResult) -> str:
    computed = [shown for shown in result.sources if shown.kind == "computation"]
    return str(Citation(mark=computed[-1].mark, n=1, version=computed[-1].version)) if computed else ""


def _failed(code: str, locale: str, *, label: str = "") -> Computation:
    said = worded(locale, *_PROBLEMS[code])
    return Computation(problem=f"{code}: {label[:200]}: {said}" if label else f"{code}: {said}")


def _table(taken: Sequence[Taken], locale: str) -> str:
    """The figures as they stand in the claims: there was no telling which of them are meant."""
    rows = [f"| {worded(locale, 'of', '对象')} | {worded(locale, 'figure', '数值')} |", "|---|---|"]
    for one in dict.fromkeys(taken):
        marks = "".join(f"[{mark}]" for mark in one.claim.marks)
        name = " ".join(filter(None, (one.thing, str(one.year or "")))).replace("|", "\\|")
        rows.append(f"| {name} | {one.figure.written} {marks} |")
    return "\n".join(rows)[:4_000]
