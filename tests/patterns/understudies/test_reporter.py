"""The reporter without a model: quotes once each, tables, sections of the style; not a sentence of its own."""

from moot.patterns.styles import FORMS
from moot.patterns.understudies.reporter import written
from moot.values.plans import Claim, Computation, Figure, Finding, StepResult, StepStatus
from moot.values.runs import Style


def found(step_id: str, *texts: str, best: str = "", status: StepStatus = "done") -> StepResult:
    claims = tuple(Claim(text=text, marks=(f"S7f3a.{n}",)) for n, text in enumerate(texts, 1))
    finding = Finding(claims=claims, conclusion=best or texts[0] if texts else "")
    return StepResult(id=step_id, title=f"Step {step_id}", step_type="research", status=status, finding=finding)


def report(*results: StepResult, style: Style = "academic", locale: str = "en-US") -> str:
    return written(results, title="Gulls", style=style, locale=locale)


def test_a_report_of_one_step_is_its_best_quote_and_then_the_others() -> None:
    assert report(found("1.1", "Gulls fly.", "Gulls swim well.", best="Gulls swim well.")) == (
        "# Gulls\n\n## Abstract\n\n### Short answer\n\n> “Gulls swim well.” [S7f3a.2]\n\n"
        "## Findings\n\n> “Gulls fly.” [S7f3a.1]\n"
    )


def test_each_quote_stands_once_and_steps_have_their_titles() -> None:
    text = report(found("1.1", "A.", "B."), found("1.2", "A.", "C.", "D."))
    assert [text.count(f"“{letter}.”") for letter in "ABCD"] == [1, 1, 1, 1]
    assert "### Step 1.1" in text
    assert "### Step 1.2" in text


def test_steps_that_found_nothing_are_left_to_the_programs_gaps() -> None:
    assert "Gulls fly." not in report(found("1.1", "Gulls fly.", status="empty"))


def test_what_was_computed_comes_first_and_several_values_make_a_table() -> None:
    values = (Figure(name="ratio", value="2.5", basis="a | b"), Figure(name="sum", value="7", unit="m"))
    computed = StepResult(
        id="1.2", title="Compute", step_type="processing", status="done",
        computation=Computation(text="a / b = 2.5 [S1111.1]", values=values),
    )  # fmt: skip
    text = report(found("1.1", "Gulls fly."), computed)
    assert text.index("a / b = 2.5 [S1111.1]") < text.index("Gulls fly.")
    assert "| ratio | 2.5 |  | a \\| b |" in text


def test_labels_are_chinese_in_chinese_and_english_elsewhere() -> None:
    assert "## 摘要\n\n### 简短回答" in report(found("1.1", "海鸥会飞。"), locale="zh-CN")
    assert "## Abstract" in report(found("1.1", "Möwen fliegen."), locale="de-DE")


def test_posts_have_no_headings_and_are_short() -> None:
    text = report(found("1.1", "Gulls fly.", "x" * 300, "Gulls swim."), style="social_media")
    assert "## " not in text
    assert "x" * 300 not in text
    assert text.count(">") == 2


def test_every_style_has_a_place_for_what_was_found() -> None:
    for style in FORMS:
        assert "Gulls fly." in report(found("1.1", "Gulls swim.", "Gulls fly."), style=style)


def test_a_quote_over_two_lines_stands_on_one() -> None:
    assert "> “Gulls fly far.” [S7f3a.1]" in report(found("1.1", "Gulls\n  fly far."))


def test_a_report_is_no_longer_than_its_evidence_allows() -> None:
    text = report(*(found(f"1.{n}", *(f"Gull {n} {m} " + "cries " * 55 + "." for m in range(3))) for n in range(1, 4)))
    assert len(text.split()) <= FORMS["academic"].max_words
