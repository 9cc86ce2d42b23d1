"""A draft before its check: its title, its method, its length; and the claims that a small window leaves out."""

from moot.patterns.drafting import blocks_of, cut_to_length, fitted, title_of, titled, with_method
from moot.patterns.told import told_results
from moot.text.tokens import estimate
from moot.values.plans import Claim, Finding, StepResult


def found(step_id: str, count: int) -> StepResult:
    claims = tuple(Claim(text=f"Gull {n} of {step_id} " + "cries " * 20, marks=("S7f3a.1",)) for n in range(count))
    return StepResult(id=step_id, title="t", step_type="research", status="done", finding=Finding(claims=claims))


def test_a_draft_begins_with_its_title_or_gets_one() -> None:
    assert titled("# Mine\n\nText.", "Other") == "# Mine\n\nText.\n"
    assert titled("Text.", "Other\none") == "# Other one\n\nText.\n"
    assert title_of("# Mine\n\nText.") == "Mine"


def test_a_fence_around_the_whole_draft_goes_and_one_inside_stays() -> None:
    assert titled("```markdown\n# Mine\n\nText.\n```", "") == "# Mine\n\nText.\n"
    inner = '# Mine\n\n```json\n{"a": 1}\n```\n'
    assert titled(inner, "") == inner


def test_the_programs_method_stands_where_the_style_has_it() -> None:
    draft = "# T\n\n## Abstract\n\na\n\n## Findings\n\nb\n"
    assert with_method(draft, "academic", "en-US", method="- done") == (
        "# T\n\n## Abstract\n\na\n\n## Method\n\n- done\n\n## Findings\n\nb\n"
    )
    assert with_method("# T\n\na\n", "academic", "zh-CN", method="- 完成").endswith("## 方法\n\n- 完成\n")
    assert with_method(draft, "news", "en-US", method="- done") == draft


def test_a_draft_is_cut_at_the_end_of_a_block() -> None:
    long = "# T\n\n## A\n\n" + "one [S7f3a.1] " * 150 + "\n\n## B\n\n" + "two " * 150 + "\n"
    cut = cut_to_length(long, "academic")
    assert cut.was_cut
    assert "two" not in cut.markdown
    assert "## B" not in cut.markdown
    short = "# T\n\none\n"
    assert cut_to_length(short, "academic") == (short, False)


def test_a_fence_is_one_block() -> None:
    fence = "```\na\n\n# b\n```"
    assert blocks_of(f"# T\ntext\n\n{fence}\n") == ["# T", "text", fence]


def test_the_weakest_claims_go_until_the_rest_fits_and_two_a_step_stay() -> None:
    results = [found("1.1", 10), found("1.2", 3)]
    whole = estimate(told_results(results))
    half = fitted(results, whole // 2)
    assert estimate(told_results(half.results)) <= whole // 2
    assert half.left_out > 0
    least = fitted(results, 1)
    assert [len(result.finding.claims) for result in least.results if result.finding] == [2, 2]
    assert least.left_out == 9
    assert fitted(results, 10**6) == (tuple(results), 0)
