"""The tool `python`: cases of the small Python as an agent meets them, names between calls, and output as a source."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import JsonValue, ValidationError

from moot.sandbox.monty import Monty
from moot.sandbox.tiers import Served, TierName
from moot.sandbox.tracebacks import SMALL_PYTHON
from moot.toolkit.opened import Opened
from moot.toolkit.result import ToolResult
from moot.toolkit.workbench import Workbench
from moot.tools.python import python, python_full
from moot.values.errors import ToolFailed
from moot.values.evidence import Shown
from moot.values.ports import Functions, Ran, Sandbox
from moot.values.value import Mark
from tests.sandbox.present import ISOLATING, tier_here


@pytest.fixture
async def bench() -> AsyncIterator[Workbench]:
    sandbox = Monty(at_once=1)
    yield Workbench(sandbox=sandbox)
    await sandbox.close()


async def run(bench: Workbench, **arguments: object) -> ToolResult:
    return await python.run(bench, python.arguments.model_validate(arguments))


@dataclass
class KeptBy:
    """A `Keep` that remembers what it was given."""

    kept: list[tuple[str, str, str]] = field(default_factory=list)

    async def __call__(self, address: str, *, code: str, printed: str) -> Shown:
        self.kept.append((address, code, printed))
        lines = len(printed.strip().splitlines())
        return Shown(mark=Mark("S1a2b"), address=address, kind="computation", text_hash="0" * 64, passages=lines)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("import math; math.comb(10,3)", "=> 120"),
        ("1+1", "=> 2"),
        ("if __name__ == '__main__':\n    print('main')", "main"),
        ("x = 1", ""),
    ],
)
async def test_what_a_cell_shows(bench: Workbench, code: str, text: str) -> None:
    assert (await run(bench, code=code)).text == text


async def test_an_error_is_an_observation_and_no_failure_of_the_tool(bench: Workbench) -> None:
    result = await run(bench, code="print('a'); 1/0")
    assert result.text.startswith("a\nTraceback (most recent call last):")
    assert result.text.endswith("ZeroDivisionError: division by zero")
    assert (await run(bench, code="raise ValueError()")).text.endswith("ValueError")


@pytest.mark.parametrize(
    ("code", "error"), [("import statistics", "ModuleNotFoundError"), ("open('/etc/passwd')", "PermissionError")]
)
async def test_what_the_small_python_lacks_ends_with_its_sentence(bench: Workbench, code: str, error: str) -> None:
    text = (await run(bench, code=code)).text
    assert error in text
    assert text.endswith(SMALL_PYTHON)


async def test_names_live_on_through_what_was_kept_alone(bench: Workbench) -> None:
    first = await run(bench, code="x = 41")
    kept: JsonValue = ToolResult.model_validate_json(first.model_dump_json()).after
    assert (await run(replace(bench, before=kept), code="x + 1")).text == "=> 42"
    assert "NameError" in (await run(bench, code="x")).text
    assert (await run(replace(bench, before="not ours"), code="1")).text == "=> 1"


async def test_after_a_limit_the_names_are_those_before_the_cell(bench: Workbench) -> None:
    kept = (await run(bench, code="x = 1")).after
    stopped = await run(replace(bench, before=kept), code="x = 2\nprint('so far')\nwhile True: pass", timeout_s=0.3)
    assert stopped.text == "so far\n[stopped after 0.3 s; the interpreter is as it was before this cell]"
    assert (await run(replace(bench, before=stopped.after), code="x")).text == "=> 1"


async def test_what_was_printed_is_a_source_under_the_scope_s_address(bench: Workbench) -> None:
    keep = KeptBy()
    bench = replace(bench, keep=keep, key="process#1/2/tool#3")
    result = await run(bench, code="print(17 * 23)\nprint('m')")
    assert keep.kept == [("calc:process#1/2", "print(17 * 23)\nprint('m')", "391\nm\n")]
    assert result.text == "391\nm\n(This output is a source: cite its lines as [S1a2b.1] to [S1a2b.2].)"
    assert [source.kind for source in result.sources] == ["computation"]
    assert (await run(bench, code="1")).text == "=> 1\n(This output is a source: cite its line as [S1a2b.1].)"


async def test_what_failed_or_printed_nothing_is_no_source(bench: Workbench) -> None:
    keep = KeptBy()
    bench = replace(bench, keep=keep, key="process#1/tool#1")
    for code in ("print(1)\n1/0", "x = 1", "print(' ')"):
        assert (await run(bench, code=code)).sources == ()
    assert keep.kept == []


async def test_files_of_the_run_are_read_at_workspace(bench: Workbench, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n\n3\n", encoding="utf-8")
    code = "import csv\n[row['n'] for row in csv.DictReader(open('/workspace/a.csv'))]"
    assert (await run(replace(bench, workspace=tmp_path), code=code)).text == "=> ['3']"
    assert "PermissionError" in (await run(bench, code=code)).text
    assert (await run(replace(bench, workspace=tmp_path / "not made yet"), code="1")).text == "=> 1"


@dataclass
class Asked:
    """A `Sandbox` that keeps what it was asked."""

    timeouts: list[float] = field(default_factory=list)
    given: list[tuple[str, datetime | None]] = field(default_factory=list)

    async def run(
        self, code: str, *, timeout_s: float, dump: str, workspace: str | None, seed: str, now: datetime | None
    ) -> Ran:
        self.timeouts.append(timeout_s)
        self.given.append((seed, now))
        return Ran(text="", ok=True, note="a note")

    def calling(self, functions: Functions) -> Sandbox:
        raise AssertionError

    def missing(self) -> str:
        return "not here"


async def test_a_time_limit_over_600_is_600_and_said() -> None:
    asked = Asked()
    result = await run(Workbench(sandbox=asked), code="1", timeout_s=9_999)
    assert asked.timeouts == [600]
    assert result.text == "(a note)\n(timeout_s was taken as 600, the most there is.)"
    await run(Workbench(sandbox=asked), code="1")
    assert asked.timeouts[1] == 30


@pytest.mark.parametrize("timeout_s", [0, -1, "nan", "soon"])
def test_a_time_limit_that_is_none_does_not_fit(timeout_s: object) -> None:
    with pytest.raises(ValidationError):
        python.arguments.model_validate({"code": "1", "timeout_s": timeout_s})


async def test_chance_and_clock_come_from_the_call() -> None:
    asked = Asked()
    at = datetime(2026, 1, 1, tzinfo=UTC)
    await run(Workbench(sandbox=asked, key="a#1/tool#1", at=at), code="1")
    assert asked.given == [("a#1/tool#1", at)]


async def test_without_a_sandbox_it_is_not_offered_and_says_so() -> None:
    assert python.missing(Workbench()) == "no sandbox was opened for this run"
    assert python.missing(Workbench(sandbox=Asked())) == "not here"
    with pytest.raises(ToolFailed):
        await run(Workbench(), code="1")


def test_it_reads_and_stands_alone() -> None:
    assert (python.name, python.effect, python.alone) == ("python", "read", True)
    assert python.spec.parameters["required"] == ["code"]


class FullPython:
    """One agent's work with the full Python."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    async def __call__(self, code: str, **more: object) -> ToolResult:
        result = await python_full.run(self.bench, python_full.arguments.model_validate({"code": code, **more}))
        self.bench = replace(self.bench, before=result.after)
        return result


@pytest.fixture(params=ISOLATING)
async def full(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[FullPython]:
    name: TierName = request.param
    made = FullPython(Workbench(workspace=tmp_path, served=Served(await tier_here(name, "python"))))
    yield made
    await made.bench.opened.close()


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("import math; math.comb(10,3)", "=> 120"),
        ("1+1", "=> 2"),
        ("if __name__ == '__main__':\n    print('main')", "main"),
        ("x = 1", ""),
        ("import sys; sys.exit(3)", "[exit 3: the interpreter ended and was started anew; its names are gone]"),
        ("print('a', end=''); 5", "a\n=> 5"),
    ],
)
async def test_what_a_cell_of_the_full_python_shows(full: FullPython, code: str, text: str) -> None:
    assert (await full(code)).text == text


@pytest.mark.parametrize(("code", "last"), [("print('a'); 1/0", "ZeroDivisionError: division by zero"),
                                            ("raise ValueError()", "ValueError")])  # fmt: skip
async def test_an_error_in_the_full_python_is_an_observation(full: FullPython, code: str, last: str) -> None:
    lines = (await full(code)).text.splitlines()
    assert lines[-1] == last
    assert "Traceback (most recent call last):" in lines[:2]


async def test_a_stopped_cell_of_the_full_python_keeps_names_and_what_was_printed(full: FullPython) -> None:
    await full("import time; x = 41")
    stopped = await full("print('on', flush=True); time.sleep(99)", timeout_s=0.5)
    assert stopped.text == "on\n[stopped after 0.5 s; names are kept]"
    assert (await full("x + 1")).text == "=> 42"


async def test_names_of_the_full_python_are_gone_after_a_pause_and_it_says_so(full: FullPython) -> None:
    await full("x = 1")
    await full.bench.opened.close()
    full.bench = replace(full.bench, opened=Opened())
    said = (await full("1")).text
    assert said == "=> 1\n(The interpreter was started anew after a pause: names of earlier cells are gone.)"
    assert (await full("2")).text == "=> 2"


async def test_output_of_the_full_python_is_a_source_and_that_of_an_error_is_none(full: FullPython) -> None:
    keeping = KeptBy()
    full.bench = replace(full.bench, keep=keeping, key="investigate#1/2/tool#3")
    result = await full("print('total: 42')")
    assert keeping.kept == [("calc:investigate#1/2", "print('total: 42')", "total: 42\n")]
    assert result.text == "total: 42\n(This output is a source: cite its line as [S1a2b.1].)"
    assert (await full("1/0")).sources == ()
    assert (await full("import sys; print('a'); sys.exit(0)")).sources == ()


async def test_the_full_python_without_a_sandbox_says_so_in_every_observation(tmp_path: Path) -> None:
    full = FullPython(Workbench(workspace=tmp_path, served=Served(await tier_here("unsandboxed", "python"))))
    result = await full("1")
    assert (result.text, result.last) == ("=> 1", "[no sandbox] · UNSANDBOXED")
    await full.bench.opened.close()
