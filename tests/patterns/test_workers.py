"""What becomes of a step: its status and reason, row by row, with a model that does its work and ones that do not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pytest
from pydantic import JsonValue

from moot.agents.agent import Agent
from moot.models.chosen import ChosenModels
from moot.models.scripted import Line, ScriptedModel, calls, says
from moot.patterns.options import StepOptions
from moot.patterns.rounds import Sent
from moot.patterns.team import Given
from moot.patterns.workers import Errand, coder, processing_step, research_step, researcher
from moot.run.doors import Doors
from moot.text.marks import mark_of
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import Tool, tool
from moot.toolkit.workbench import Workbench
from moot.values.errors import ToolFailed
from moot.values.evidence import Shown
from moot.values.plans import Computation, Finding, Step, StepResult
from moot.values.usage import Limits
from tests.conftest import MakeRun

GULLS = "docs://birds/gulls.md"
MARK = f"{mark_of(GULLS)}.1"
KNOWN: dict[str, JsonValue] = {"claims": [{"text": "Gulls fly.", "marks": [MARK]}]}
SEARCH = calls("search", query="gulls")
READ = calls("read_page", address=GULLS)
NOTHING = says({"missing": ["all of it"]})
RUN_CODE = calls("python", code="print(1)")
Worker = Literal["researcher", "coder"]


@tool()
async def search(bench: Workbench, query: str) -> ToolResult:
    """Searches."""
    if query == "fail":
        raise ToolFailed("the index is gone.")
    return ToolResult(text="R1 Gulls", leads=(GULLS,) if query == "gulls" else (), found=1)


@tool()
async def read_page(bench: Workbench, address: str) -> ToolResult:
    """Reads."""
    shown = Shown(mark=mark_of(address), address=address, title="Gulls", text_hash="0" * 64, passages=2)
    return ToolResult(text=f"[{shown.mark}.1] Gulls fly.", sources=(shown,))


@tool()
async def python(bench: Workbench, code: str) -> ToolResult:
    """Runs code."""
    if code == "fail":
        raise ToolFailed("no sandbox.")
    address = "calc:process"
    shown = Shown(mark=mark_of(address), address=address, kind="computation", text_hash="1" * 64, passages=1)
    return ToolResult(text="1", sources=(shown,))


TOOLS: dict[str, Tool] = {one.name: one for one in (search, read_page, python)}


def few(agent: Agent[Finding], turns: int) -> Agent[Finding]:
    return replace(agent, limits=agent.limits.model_copy(update={"max_steps": turns}))


@dataclass
class Steps:
    """Does single steps, each in a run of its own."""

    make_run: MakeRun
    doors: Doors

    async def became(
        self,
        worker: Worker,
        lines: Sequence[Line] | None,
        *,
        turns: int = 12,
        limits: Limits = Limits(),
        allow: bool = True,
        options: StepOptions = StepOptions(),
    ) -> StepResult:
        """What became of one step. No lines: no model plays; `allow` False: each call needs a person, who is away."""
        models = ChosenModels({"fast": ScriptedModel(lines)} if lines is not None else {})
        kind: Literal["research", "processing"] = "research" if worker == "researcher" else "processing"
        step = Step(id="1.1", title="gulls", description="Find gulls", need_search=True, step_type=kind)
        errand = Errand(step, Sent((), (), ""), Given(question="Do gulls fly?"), options, "gulls", "en-US")
        doors = replace(self.doors, models=models, approve=frozenset[str]() if allow else frozenset(TOOLS))
        run = await self.make_run("investigate#1/1", doors=doors, limits=limits)
        if worker == "coder":
            return await processing_step(coder("research/coder"), run, errand)
        return await research_step(few(researcher("research/researcher"), turns), run, errand)


@pytest.fixture
def steps(make_run: MakeRun, doors: Doors) -> Steps:
    """Steps of tools that need no world, with nobody there."""
    return Steps(make_run, replace(doors, tools=TOOLS, nobody_there=True))


@pytest.mark.parametrize(
    ("lines", "turns", "status", "reason"),
    [
        ([SEARCH, READ, says(KNOWN)], 12, "done", ""),
        ([SEARCH, READ, says(KNOWN)], 2, "done", "short"),
        ([READ, READ, READ, READ, says(KNOWN)], 12, "done", "short"),
        ([SEARCH, READ, NOTHING], 12, "empty", ""),
        ([SEARCH, READ, says({"claims": [{"text": "12 m.", "marks": ["S0000.1"]}]})], 12, "empty", ""),
        ([SEARCH, READ, says({"claims": [{"text": "12 m.", "marks": [f"{MARK[:-1]}3"]}]})], 12, "empty", ""),
        ([SEARCH, READ, NOTHING], 2, "failed", "max_steps"),
        ([READ, READ, READ, READ, NOTHING], 12, "failed", "stuck"),
        ([calls("search", query="fail"), READ, NOTHING], 12, "failed", "tools_failed"),
        ([calls("search", query="fail"), READ, says(KNOWN)], 12, "done", ""),
    ],
)
async def test_a_research_step_becomes(steps: Steps, lines: list[Line], turns: int, status: str, reason: str) -> None:
    """The table of statuses: a claim with a known mark is done, whatever ended the work; else why there is none."""
    result = await steps.became("researcher", lines, turns=turns)
    assert (result.status, result.reason, result.by) == (status, reason, "model")
    assert bool(result.detail) == (status != "done" or reason == "short")


@pytest.mark.parametrize(
    ("lines", "status", "reason"),
    [
        ([RUN_CODE, says({"text": "It is 1."})], "done", ""),
        ([says({"text": "Gulls are 1 m long."})], "empty", ""),
        ([says({"text": ""})], "empty", ""),
        ([calls("python", code="fail"), says({"text": "No sandbox."})], "failed", "tools_failed"),
        ([says({"text": "", "problem": "needs_model: it needs code"})], "failed", "needs_model"),
        ([calls("python", code="fail") for _ in range(4)] + [says({"text": "Nothing."})], "failed", "stuck"),
    ],
)
async def test_a_processing_step_becomes(steps: Steps, lines: list[Line], status: str, reason: str) -> None:
    result = await steps.became("coder", lines)
    assert (result.status, result.reason) == (status, reason)


@pytest.mark.parametrize(
    ("worker", "lines"),
    [("researcher", [SEARCH, READ, NOTHING, NOTHING, NOTHING]), ("coder", [RUN_CODE, says({"text": "It is 1."})])],
)
async def test_a_step_whose_calls_nobody_allowed_was_not_approved(
    steps: Steps, worker: Worker, lines: list[Line]
) -> None:
    result = await steps.became(worker, lines, allow=False)
    assert (result.status, result.reason) == ("failed", "not_approved")


@pytest.mark.parametrize("worker", ["researcher", "coder"])
async def test_an_understudy_whose_calls_nobody_allowed_was_not_approved(steps: Steps, worker: Worker) -> None:
    result = await steps.became(worker, None, allow=False)
    expected = ("failed", "not_approved") if worker == "researcher" else ("failed", "needs_model")
    assert (result.status, result.reason) == expected


async def test_a_step_out_of_the_runs_time_says_budget(steps: Steps) -> None:
    nothing_left = Limits(seconds=0.000_001, keep_back=0)
    spent = await steps.became("researcher", [SEARCH], limits=nothing_left)
    assert (spent.status, spent.reason) == ("failed", "budget")


@pytest.mark.parametrize("worker", ["researcher", "coder"])
async def test_a_step_out_of_its_own_time_timed_out(steps: Steps, worker: Worker) -> None:
    no_time = StepOptions().model_copy(update={"step_timeout_s": 1e-9})
    late = await steps.became(worker, [SEARCH], options=no_time)
    assert (late.status, late.reason) == ("failed", "timed_out")


async def test_a_model_that_fails_for_good_fails_no_step(steps: Steps) -> None:
    """The understudy does the step, and that is told."""
    gone = await steps.became("coder", [Line(error="unavailable")])
    assert (gone.status, gone.reason, gone.by) == ("failed", "needs_model", "understudy")
    assert isinstance(gone.computation, Computation)
