"""Measures citations over a set of reports, in two columns: as FACT counts them, and strictly.

A pair is a claim and a work that it cites. FACT leaves out what cannot be read now and reports without a citation; the
strict column counts the first as unsupported and the second as reports. Both are always given, with their counts.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal

from moot.evidence.audit.linked import LinkedAudit
from moot.evidence.audit.pairs import Pair, pairs_of, pairs_of_linked
from moot.evidence.texts import Texts
from moot.values.report import Report
from moot.values.value import Value

Writer = Literal["model", "scripted", "understudy", "other"]


class Rate(Value):
    """A part of a whole; `value` is None where there is no whole."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        return self.part / self.whole if self.whole else None


class Cited(Value):
    """What one report cites."""

    name: str
    """The run, or the file."""
    writer: Writer = "model"
    """Who made it: a scripted model's figures say nothing of a real one's. `other`: another system."""
    pairs: tuple[Pair, ...] = ()
    claims: int = 0
    cited: int = 0
    """Claims that carry a citation."""
    quotes: Rate = Rate(part=0, whole=0)
    """Quotes that match their snapshots."""
    known: Rate = Rate(part=0, whole=0)
    """Citations whose address is in the run's ledger, of all that were written."""
    works: int = 0
    judged: int = 0

    def count(self, *statuses: str) -> int:
        """How many pairs have one of these statuses."""
        return sum(pair.status in statuses for pair in self.pairs)


class Fact(Value):
    """Both columns."""

    reports: tuple[Cited, ...]
    supported: int
    """Verified or weak."""
    verified: int
    unknown: int
    reports_citing: int
    """N of the FACT-compatible column; the strict one's is all reports."""
    accuracy: Rate
    mean_accuracy: float | None
    """Over the reports with a pair that could be read."""
    strict_accuracy: Rate
    effective: Rate
    strict_effective: Rate
    quote_match: Rate
    address_in_ledger: Rate
    coverage: Rate
    works_per_report: Rate

    @property
    def writers(self) -> frozenset[Writer]:
        return frozenset(one.writer for one in self.reports)

    @property
    def judged(self) -> int:
        """Claims on which a model judge's verdict was given."""
        return sum(one.judged for one in self.reports)


def measured(reports: Sequence[Cited]) -> Fact:
    """The measures over a set of reports, by exact counts."""
    supported = [one.count("verified", "weak") for one in reports]
    tried = [one.count("verified", "weak", "unsupported") for one in reports]
    verified, citing = sum(one.count("verified") for one in reports), sum(bool(one.pairs) for one in reports)
    each = [Fraction(part, whole) for part, whole in zip(supported, tried, strict=True) if whole]
    return Fact(
        reports=tuple(reports),
        supported=sum(supported),
        verified=verified,
        unknown=sum(one.count("unknown") for one in reports),
        reports_citing=citing,
        accuracy=Rate(part=sum(supported), whole=sum(tried)),
        mean_accuracy=float(sum(each) / len(each)) if each else None,
        strict_accuracy=Rate(part=verified, whole=sum(len(one.pairs) for one in reports)),
        effective=Rate(part=sum(supported), whole=citing),
        strict_effective=Rate(part=verified, whole=len(reports)),
        quote_match=_summed(one.quotes for one in reports),
        address_in_ledger=_summed(one.known for one in reports),
        coverage=Rate(part=sum(one.cited for one in reports), whole=sum(one.claims for one in reports)),
        works_per_report=Rate(part=sum(one.works for one in reports), whole=len(reports)),
    )


def _summed(rates: Iterable[Rate]) -> Rate:
    given = list(rates)
    return Rate(part=sum(one.part for one in given), whole=sum(one.whole for one in given))


async def cited_in(report: Report, texts: Texts, *, name: str, writer: Writer) -> Cited:
    """What a report of ours cites, as its texts stand now."""
    audit = report.audit
    unknown = audit.removed.get("mark_unknown", 0) + audit.removed.get("address_unknown", 0)
    return Cited(
        name=name,
        writer=writer,
        pairs=await pairs_of(report, texts),
        claims=len(report.claims),
        cited=sum(bool(claim.citations) for claim in report.claims),
        quotes=Rate(part=audit.quotes_matching, whole=audit.quotes),
        known=Rate(part=audit.citations, whole=audit.citations + unknown),
        works=audit.works,
        judged=audit.judged,
    )


def cited_in_linked(audit: LinkedAudit, *, name: str) -> Cited:
    """What another system's report cites, as far as its pages were saved."""
    cited = len(audit.claims) + len(audit.not_checkable)
    return Cited(
        name=name, writer="other", pairs=pairs_of_linked(audit), claims=cited + len(audit.uncited), cited=cited,
        known=Rate(part=len(audit.pages), whole=len(audit.pages) + len(audit.missing)),
        works=len(audit.pages) + len(audit.missing),
    )  # fmt: skip
