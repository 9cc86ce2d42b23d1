"""What was not done, told to the reader: gaps, and a report of nothing found, in both languages."""

from moot.patterns.gaps import gaps_of, method_of, nothing_found
from moot.patterns.team import Given
from moot.values.evidence import Shown
from moot.values.plans import StepResult, StepStatus

GIVEN = Given(question="Q?", resources=("docs://gulls",), links=("https://example.org/a",))
READ = Shown(mark="S7f3a", address="docs://gulls/a", title="Gulls\nand terns", text_hash="0" * 64)


def result(
    step_id: str, status: StepStatus, reason: str = "", *, detail: str = "", retry_of: str | None = None
) -> StepResult:
    return StepResult(
        id=step_id, title=f"Find {step_id}", step_type="research", status=status, reason=reason, detail=detail,
        retry_of=retry_of, tried=("gulls", "docs://gulls/a"),
    )  # fmt: skip


def test_each_step_not_done_is_a_gap_with_its_reason() -> None:
    results = [
        result("1.1", "done"), result("1.2", "failed", "tools_failed", detail="search: no such index"),
        result("1.3", "skipped", "needs"),
        result("1.4", "empty"), result("2.1", "done", retry_of="1.4"),
    ]  # fmt: skip
    assert gaps_of(results, Given(question="Q?"), "en-US") == (
        "1.2 Find 1.2: failed (its tools failed): search: no such index",
        "1.3 Find 1.3: skipped (nothing to work on)",
    )


def test_a_step_cut_short_and_a_link_not_opened_are_gaps() -> None:
    gaps = gaps_of([result("1.1", "done", "short", detail="12 of 12 turns were taken")], GIVEN, "en-US")
    assert gaps[0] == "1.1 Find 1.1: cut short: 12 of 12 turns were taken"
    assert gaps[1].startswith("https://example.org/a: not opened")
    assert gaps_of([], GIVEN, "zh-CN")[0].startswith("https://example.org/a：未打开")


def test_nothing_found_says_what_was_looked_for_where_and_why() -> None:
    text = nothing_found(
        [result("1.1", "empty", "", detail="nothing in it")], [READ], GIVEN, title="Q?", locale="en-US"
    )
    assert text.startswith("# Nothing found: Q?\n")
    assert "- 1.1 Find 1.1" in text
    assert "- Searched: gulls" in text
    assert "- Read: Gulls and terns" in text
    assert "- 1.1: nothing was found: nothing in it" in text
    assert nothing_found([], [], GIVEN, title="问？", locale="zh-CN").startswith("# 没有找到：问？\n")


def test_the_method_is_what_was_really_done() -> None:
    said = method_of([result("1.1", "done"), result("1.2", "empty")], [READ], GIVEN, locale="en-US")
    assert "- Steps: 1 of 2 done" in said
    assert "- Searched in: gulls" in said
    assert "- Searched for: gulls" in said
    assert "- Documents read: 1" in said
