"""Whatever a model writes becomes a report that can be audited: no crash, no foreign mark or address, one outcome."""

import time
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.evidence.audit.copies import Copy
from moot.evidence.audit.own import audit
from moot.evidence.check import check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.text.marks import mark_of
from moot.values.evidence import Shown
from moot.values.report import Surroundings
from moot.values.value import RunId

Keep = Callable[..., Awaitable[Shown]]
A, B = mark_of("docs://d/a.md"), mark_of("//example.org/b")
PIECES = [
    "# Title", "## Summary", "## 摘要", "## References", "> “It has 163 floors.”", "“It has 164 floors.”",
    "It is 828 m tall", "水库蓄水量为四亿立方米", "They did so.", "Therefore it is so.", "- item",
    "| a | b |\n|---|---|\n| c | 12 m |", "```\ncode [3]\n```", "$x[3]$", f"[{A}.1]", f"[{A}.2][{B}.1]", f"[{A}]",
    f"[{B}.99]", f"【{A}.1、2】", "[S7777.3]", "[S1]", "[3]", "[^2]", "(Smith 2020)", "https://evil.test/x",
    "[text](https://evil.test)", "docs://d/a.md", "[b](https://example.org/b)", "[citation needed]",
    "[3] https://example.org/b", "Source: Somebody", "<!-- comment", "-->", "⟨no source⟩", "“open", "close”", "[[",
    "]]", "(", ")", "**", "`", "\\[", "Audit: 1 of 1", "\x00", "\ud800", "שלום", "👩‍👩‍👧", "{x}", "%s",
]  # fmt: skip
drafts = st.lists(
    st.tuples(
        st.one_of(st.sampled_from(PIECES), st.text(max_size=12)), st.sampled_from([" ", "\n", "\n\n", ". ", "。", ""])
    ),
    max_size=40,
).map(lambda parts: "".join(piece + end for piece, end in parts))


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(drafts)
async def test_any_draft_becomes_a_report_that_can_be_audited(store: Store, keep: Keep, draft: str) -> None:
    ledger = Ledger(
        [
            await keep("docs://d/a.md", "It is 828 m tall.\n\nIt has 163 floors.", title="A"),
            await keep("//example.org/b", "水库蓄水量为四亿立方米。", title="B"),
        ]
    )
    checked = await check(draft, ledger, store)
    report = await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("k3f9q2m8xz")))
    result = await audit(Copy(report.markdown), store)
    assert result.problems == ()
    assert result.line == report.audit_line
    assert report.audit.claims == sum(
        (report.audit.verified, report.audit.weak, report.audit.unsupported, report.audit.uncited)
    )
    if not any(sign in draft for sign in ("`", "$", "\\[", "\\(", "~~~")):
        assert "evil.test" not in report.markdown, "it stands in no code or math"
    assert all(c.mark in (A, B) for one in report.claims for c in one.citations)
    again = await check(draft, ledger, store)
    assert (again.markdown, again.checked) == (checked.markdown, checked.checked)


@pytest.mark.parametrize(
    "draft",
    ["[" * 50_000, "(" * 50_000, "`" * 50_000, "$x" * 20_000, "[S7f3a." * 10_000, "[a](" * 10_000, "<!--" * 10_000,
     "A" * 50_000, "A and " * 10_000, "www." * 10_000, "10.1234/" * 5_000, "a.com/" * 10_000, "“" * 50_000,
     "\n" * 50_000,
     "[3]" * 10_000, "Source: " * 5_000, " " * 50_000 + "x", "(Smith" * 8_000, "\\[" * 20_000, "https://" * 6_000],
    ids=range(20),
)  # fmt: skip
async def test_a_hostile_draft_is_checked_in_time_that_grows_with_its_length(store: Store, draft: str) -> None:
    began = time.process_time()
    await check(draft, Ledger(), store)
    assert time.process_time() - began < 10
