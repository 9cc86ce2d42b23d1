"""The audit line: exact wording and rounding, both languages."""

import pytest

from moot.evidence.audit_line import audit_line, counted, percent
from moot.values.evidence import Audit, Checked, ClaimStatus

EXAMPLE = Audit(
    claims=41, verified=37, weak=2, unsupported=1, uncited=1, citations=52, works=14, quotes=52, quotes_matching=52,
    pages=20, pages_unread=3,
)  # fmt: skip


def test_the_line_is_worded_exactly_in_english() -> None:
    assert audit_line(EXAMPLE, "en-US") == (
        "Audit: 37 of 41 factual sentences verified (90 %) · 2 weak · 1 unsupported · 1 uncited · 52 citations of 14 "
        "works · 52 of 52 quotes match their snapshots · 3 of 20 pages could not be read · no model judge"
    )


def test_the_line_is_worded_exactly_in_chinese() -> None:
    assert audit_line(EXAMPLE, "zh-CN") == (
        "核验：41 句事实陈述中 37 句得到证实（90 %）· 2 句证据不足 · 1 句不被支持 · 1 句无出处 · "
        "引用 52 处，出自 14 个作品 · 52/52 处引文与快照一致 · 20 页中 3 页未能读取 · 未用模型复核"
    )


def test_other_locales_get_the_english_line() -> None:
    assert audit_line(EXAMPLE, "de-DE") == audit_line(EXAMPLE, "en-US")


@pytest.mark.parametrize(
    "part, whole, shown",
    [(199, 200, 99), (1, 300, 1), (37, 41, 90), (200, 200, 100), (0, 5, 0), (1, 2, 50), (1, 8, 13)],
)
def test_a_percentage_is_rounded_but_100_is_all_and_0_is_none(part: int, whole: int, shown: int) -> None:
    assert percent(part, whole) == shown


def test_no_claim_is_no_factual_sentence_and_never_100() -> None:
    assert audit_line(Audit(), "en-US").startswith("Audit: no factual sentence · 0 citations of 0 works · ")
    assert audit_line(Audit(), "zh-CN").startswith("核验：没有事实陈述 · ")
    assert "100" not in audit_line(Audit(), "en-US")


def test_claims_are_counted_by_status_and_exempt_ones_are_none() -> None:
    statuses: list[ClaimStatus] = ["verified", "verified", "weak", "unsupported", "uncited", "exempt"]
    audit = counted([Checked(claim="x", status=status) for status in statuses], Audit(pages=3))
    assert (audit.claims, audit.verified, audit.weak, audit.unsupported, audit.uncited, audit.pages) == (
        5,
        2,
        1,
        1,
        1,
        3,
    )
