"""The coder's understudy computes sums and well-known formulas in the sandbox, and says what it cannot do."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import pytest

from moot.evidence.ledger import ScopeLedger
from moot.patterns.understudies.coder import coder
from moot.run.run import Run
from moot.sandbox.monty import Monty
from moot.toolkit.result import ToolResult
from moot.toolkit.workbench import Workbench
from moot.tools.python import python
from moot.values.errors import ToolFailed
from moot.values.evidence import Shown
from moot.values.plans import Claim, Computation, Finding, Step, StepResult
from moot.values.value import Mark

BURJ = ("The Burj Khalifa in Dubai is 828 m tall.", "Sb417.1")
EIFFEL = ("The Eiffel Tower in Paris is 330 m tall.", "S7e1f.1")
TIMES = "How many times taller is the Burj Khalifa than the Eiffel Tower?"


async def keep(address: str, *, code: str, printed: str) -> Shown:
    return Shown(mark=Mark("Sca1c"), address=address, kind="computation", text_hash="0" * 64, passages=1)


@dataclass
class PythonGate:
    """A `Gate` to the real tool `python`; keeps the code it was handed."""

    bench: Workbench
    code: list[str] = field(default_factory=list)
    ledger: ScopeLedger = field(default_factory=ScopeLedger)
    fails: str = ""

    @property
    def run(self) -> Run:
        raise AssertionError("the coder asks nothing of the run")

    def has(self, name: str) -> bool:
        return name == "python"

    def count_anew(self) -> None:
        raise AssertionError("the coder has no caps to begin anew")

    async def call(self, name: str, **arguments: object) -> ToolResult:
        assert name == "python"
        if self.fails:
            raise ToolFailed(self.fails)
        given = python.arguments.model_validate(arguments)
        self.code.append(str(arguments["code"]))
        return await python.run(self.bench, given)


@pytest.fixture
async def gate() -> AsyncIterator[PythonGate]:
    sandbox = Monty(at_once=1)
    yield PythonGate(Workbench(sandbox=sandbox, keep=keep, key="process#1/tool#1"))
    await sandbox.close()


async def computed(
    gate: PythonGate, question: str, *claims: tuple[str, str], locale: str = "en-US", title: str = "Compute"
) -> Computation:
    found = Finding(claims=tuple(Claim(text=text, marks=(mark,)) for text, mark in claims))
    results = (StepResult(id="1.1", title="", step_type="research", status="done", finding=found),)
    step = Step(title=title, description=f"From what was found: {question}", step_type="processing")
    return await coder(gate, {"question": question, "step": step, "results": results, "locale": locale})


async def test_a_sum_is_worked_out_by_code_and_marked_as_its_output(gate: PythonGate) -> None:
    done = await computed(gate, "What is 17 * 23?", title="What is 17 * 23?")
    assert gate.code == ['print(f"17 * 23 = {17 * 23}")']
    assert done.text == "17 * 23 = 391 [Sca1c.1]"
    assert [(figure.name, figure.value) for figure in done.values] == [("17 * 23", "391")]
    assert not done.problem


@pytest.mark.parametrize(
    ("question", "value"), [("计算 3/4 + 1/8", "0.875"), ("15% of 80", "12"), ("10/3", "3.333"), ("2**-3", "0.125")]
)
async def test_fractions_stay_exact(gate: PythonGate, question: str, value: str) -> None:
    done = await computed(gate, question)
    assert done.values[0].value == value


@pytest.mark.parametrize(
    ("question", "problem"),
    [
        ("What is 1 / 0?", "division_by_zero: 1 / 0: it divides by zero"),
        ("What is 10**1000?", "too_many_digits: 10 ** 1000: the result has more than 1,000 digits"),
        ("2**0.5", "not_exact: 2 ** 0.5: the result is no exact fraction"),
    ],
)
async def test_a_sum_without_a_result_says_so_and_runs_nothing(gate: PythonGate, question: str, problem: str) -> None:
    assert await computed(gate, question) == Computation(problem=problem)
    assert gate.code == []


async def test_the_burj_is_2_509_times_as_tall_as_the_eiffel_tower(gate: PythonGate) -> None:
    done = await computed(gate, TIMES, EIFFEL, BURJ)
    assert done.text == "Burj Khalifa / Eiffel Tower = 828 m / 330 m ≈ 2.509 [Sca1c.1]"
    (figure,) = done.values
    assert (figure.name, figure.value, figure.unit) == ("ratio", "2.509", "")
    assert figure.basis == "a / b; a = 828 m [Sb417.1], b = 330 m [S7e1f.1]"
    assert gate.code[0].splitlines()[:2] == ["a = 828  # m: Burj Khalifa", "b = 330  # m: Eiffel Tower"]


@pytest.mark.parametrize(
    ("question", "claims", "line"),
    [
        (
            "How much longer is the Nile than the Rhine?",
            [("The Nile is 6,650 km long and has 2 sources.", "Sa.1"), ("The Rhine is 1,233,000 m long.", "Sb.1")],
            "Nile - Rhine = 6,650 km - 1,233 km = 5,417 km",
        ),
        (
            "By what percent is the Ariane heavier than the Vega?",
            [("The Ariane weighs 500 t.", "Sa.1"), ("The Vega weighs 137,000 kg.", "Sb.1")],
            "(Vega - Ariane) / Ariane = (137 t - 500 t) / 500 t = -72.6 %",
        ),
        (
            "What is the percentage change of Acme's revenue from 2019 to 2020?",
            [("Acme had a revenue of $60 million in 2019 and $65 million in 2020.", "Sa.1")],
            "(Acme 2020 - Acme 2019) / Acme 2019 = (65,000,000 USD - 60,000,000 USD) / 60,000,000 USD ≈ 8.333 %",
        ),
        (
            "What is the CAGR of Acme's revenue from 2010 to 2020?",
            [
                ("In 2020 Acme's revenue was $25 million.", "Sb.1"),
                ("Acme had a revenue of $10 million in 2010.", "Sa.1"),
            ],
            "(Acme 2020 / Acme 2010) ** (1 / 10) - 1 = (25,000,000 USD / 10,000,000 USD) ** (1 / 10) - 1 ≈ 9.596 %",
        ),
        (
            "What is the sum of the heights of the Burj Khalifa and the Eiffel Tower?",
            [BURJ, EIFFEL],
            "828 m + 330 m = 1,158 m",
        ),
        (
            "What is the average population of Tokyo and Osaka?",
            [("Tokyo has 14 million people and Osaka 2.7 million people.", "Sa.1")],
            "(14,000,000 people + 2,700,000 people) / 2 = 8,350,000 people",
        ),
        (
            "哈利法塔的高度是埃菲尔铁塔的多少倍？",
            [("哈利法塔高828米。", "Sa.1"), ("埃菲尔铁塔高330米。", "Sb.1")],
            "哈利法塔的高度 / 埃菲尔铁塔 = 828 米 / 330 米 ≈ 2.509",
        ),
        (
            "How many times larger is the GDP of Japan than the GDP of Peru?",
            [("The GDP of Japan is $4.2 trillion.", "Sa.1"), ("The GDP of Peru is $268 billion.", "Sb.1")],
            "Japan / Peru = 4,200,000,000,000 USD / 268,000,000,000 USD ≈ 15.67",
        ),
    ],
)
async def test_well_known_formulas(gate: PythonGate, question: str, claims: list[tuple[str, str]], line: str) -> None:
    done = await computed(gate, question, *claims)
    assert done.text == f"{line} [Sca1c.1]"


@pytest.mark.parametrize(
    "claim",
    [
        "Acme's revenue rose from $60 million in 2019 to $65 million in 2020.",
        "In 2019 Acme earned $60 million, while in 2020 it earned $65 million.",
        "Acme earned $60 million and $65 million in 2019 and 2020, respectively.",
    ],
)
async def test_each_figure_goes_with_its_own_year(gate: PythonGate, claim: str) -> None:
    done = await computed(gate, "What is the growth rate of Acme's revenue from 2019 to 2020?", (claim, "Sa.1"))
    assert done.values[0].value == "8.333"


async def test_several_figures_of_a_thing_make_a_table_and_no_result(gate: PythonGate) -> None:
    done = await computed(gate, TIMES, BURJ, EIFFEL, ("The Eiffel Tower was 312 m tall in 1889.", "S7e1f.4"))
    assert done.text == (
        "| of | figure |\n|---|---|\n| Burj Khalifa | 828 m [Sb417.1] |\n"
        "| Eiffel Tower | 330 m [S7e1f.1] |\n| Eiffel Tower | 312 m [S7e1f.4] |"
    )
    assert (done.values, done.problem, gate.code) == ((), "", [])
    in_chinese = await computed(gate, TIMES, BURJ, EIFFEL, ("The Eiffel Tower was 312 m.", "S7e1f.4"), locale="zh-CN")
    assert in_chinese.text.startswith("| 对象 | 数值 |")


async def test_the_question_tells_which_of_two_dimensions_it_means(gate: PythonGate) -> None:
    done = await computed(
        gate, TIMES, ("The Burj Khalifa is 828 m tall and weighs 500,000 t.", "Sa.1"),
        ("The Eiffel Tower is 330 m tall and weighs 10,100 t.", "Sb.1"),
    )  # fmt: skip
    assert "828 m / 330 m" in done.text


@pytest.mark.parametrize("claims", [[], [BURJ], [("The Burj Khalifa is tall.", "Sa.1"), EIFFEL]])
async def test_without_a_figure_for_each_thing_it_is_empty(gate: PythonGate, claims: list[tuple[str, str]]) -> None:
    assert await computed(gate, TIMES, *claims) == Computation()


async def test_figures_of_different_dimensions_are_not_set_side_by_side(gate: PythonGate) -> None:
    assert await computed(gate, TIMES, BURJ, ("The Eiffel Tower weighs 10,100 t.", "Sb.1")) == Computation()


async def test_what_needs_code_of_its_own_needs_a_model(gate: PythonGate) -> None:
    done = await computed(gate, "Fit a line through the heights of the Burj Khalifa and the Eiffel Tower", BURJ, EIFFEL)
    assert done.problem == "needs_model: this needs code of its own, and no model is there to write it"
    in_chinese = await computed(gate, "拟合一条直线", locale="zh-CN")
    assert in_chinese.problem.startswith("needs_model: 这一步")


async def test_a_division_by_zero_among_the_figures_is_said(gate: PythonGate) -> None:
    done = await computed(gate, TIMES, BURJ, ("The Eiffel Tower is 0 m tall.", "Sb.1"))
    assert done.problem.startswith("division_by_zero: ")


async def test_a_sandbox_that_fails_is_a_problem_and_no_crash(gate: PythonGate) -> None:
    done = await computed(replace(gate, fails="no sandbox"), "17 * 23")
    assert done == Computation(problem="tools_failed: no sandbox")


async def test_names_cannot_break_out_of_the_code(gate: PythonGate) -> None:
    hostile = 'Evil"}; import os #{'
    question = f"How many times taller is “{hostile}” than the Eiffel Tower?"
    done = await computed(gate, question, (f"The {hostile} is 660 m tall.", "Sa.1"), EIFFEL)
    assert done.text.endswith("= 660 m / 330 m = 2 [Sca1c.1]")
