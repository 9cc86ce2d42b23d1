"""Both columns of the measures, by the example whose figures are known, and on reports that were checked."""

from moot.evals.fact import Cited, Rate, measured
from moot.evidence.audit.pairs import Pair, PairStatus


def report(name: str, **counts: int) -> Cited:
    statuses: list[PairStatus] = [
        status for status in ("verified", "weak", "unsupported", "unknown") for _ in range(counts.get(status, 0))
    ]
    pairs = tuple(Pair(claim=f"c{n}", work="w", status=status) for n, status in enumerate(statuses))
    return Cited(name=name, pairs=pairs, claims=len(pairs) + 2, cited=len(pairs), works=3)


EXAMPLE = [report("A", verified=4, weak=2, unsupported=2, unknown=2), report("B", verified=4), report("C")]


def test_the_example_gives_its_figures_in_both_columns() -> None:
    fact = measured(EXAMPLE)
    assert (fact.accuracy, f"{100 * (fact.accuracy.value or 0):.1f}") == (Rate(part=10, whole=12), "83.3")
    assert fact.mean_accuracy == 0.875
    assert (fact.reports_citing, fact.effective.value) == (2, 5.0)
    assert (fact.strict_accuracy, f"{100 * (fact.strict_accuracy.value or 0):.1f}") == (Rate(part=8, whole=14), "57.1")
    assert (len(fact.reports), f"{fact.strict_effective.value:.2f}") == (3, "2.67")
    assert (fact.supported, fact.verified, fact.unknown) == (10, 8, 2)


def test_coverage_and_works_are_counted_over_all_reports() -> None:
    fact = measured(EXAMPLE)
    assert fact.coverage == Rate(part=14, whole=20)
    assert fact.works_per_report == Rate(part=9, whole=3)


def test_half_of_the_pages_unreadable_are_failures_in_the_strict_column_alone() -> None:
    fact = measured([report("A", verified=5, unknown=5)])
    assert (fact.accuracy, fact.strict_accuracy) == (Rate(part=5, whole=5), Rate(part=5, whole=10))


def test_no_report_and_no_pair_divide_by_nothing() -> None:
    assert measured([]).accuracy.value is None
    fact = measured([report("C")])
    assert (fact.accuracy.value, fact.mean_accuracy, fact.effective.value, fact.strict_effective.value) == (
        None, None, None, 0.0,
    )  # fmt: skip
