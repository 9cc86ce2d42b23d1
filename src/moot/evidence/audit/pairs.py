"""Claims paired with the works they cite, each pair with its own status: what the measures count."""

from collections.abc import Iterable
from typing import Literal

from moot.evidence.audit.linked import LinkedAudit
from moot.evidence.check import check
from moot.evidence.ledger import Ledger
from moot.evidence.texts import Texts
from moot.values.evidence import Checked, Citation
from moot.values.report import Report
from moot.values.value import Value

PairStatus = Literal["verified", "weak", "unsupported", "unknown"]


class Pair(Value):
    """A claim and one work that it cites. `unknown`: the work's page cannot be read now."""

    claim: str
    work: str
    status: PairStatus


async def pairs_of(report: Report, texts: Texts) -> tuple[Pair, ...]:
    """Every pair of a report, each once.

    Of a claim with several works each is tried alone: one that adds nothing is unsupported when another bears the
    claim. Where none bears it alone, all of them have the claim's own status: together they bear it, or do not.
    """
    ledger = Ledger(one.source for one in report.sources)
    work_of = {address: work.id for work in report.works for address in work.addresses}
    readable = {one.source.address: await _is_readable(texts, one.source.text_hash) for one in report.sources}
    found: dict[tuple[str, str], Pair] = {}
    for claim in report.claims:
        by_work: dict[str, list[Citation]] = {}
        for citation in claim.citations:
            source = ledger.source(citation.mark, citation.version)
            if source is None:
                continue
            work = work_of.get(source.address, source.address)
            by_work.setdefault(work, [])
            if readable[source.address]:
                by_work[work].append(citation)
        for pair in await _tried(claim, by_work, ledger, texts=texts):
            found.setdefault((pair.claim, pair.work), pair)
    return tuple(found.values())


async def _is_readable(texts: Texts, text_hash: str) -> bool:
    try:
        return await texts.is_intact(text_hash)
    except KeyError:
        return False


async def _tried(claim: Checked, by_work: dict[str, list[Citation]], ledger: Ledger, *, texts: Texts) -> list[Pair]:
    alone: dict[str, PairStatus] = {}
    for work, citations in by_work.items():
        if not citations:
            alone[work] = "unknown"
        elif len(by_work) == 1:
            alone[work] = _status(claim)
        else:
            marks = "".join(map(str, citations))
            checked = (await check(f"{claim.claim} {marks}\n", ledger, texts)).checked
            alone[work] = _status(checked[0]) if checked else _status(claim)
    bears = _status(claim)
    if bears in ("verified", "weak") and bears not in alone.values() and "verified" not in alone.values():
        alone = {work: status if status == "unknown" else bears for work, status in alone.items()}
    return [Pair(claim=claim.claim, work=work, status=status) for work, status in alone.items()]


def _status(checked: Checked) -> PairStatus:
    return checked.status if checked.status in ("verified", "weak") else "unsupported"


def pairs_of_linked(audit: LinkedAudit) -> tuple[Pair, ...]:
    """The pairs of another system's report: a link without a saved page is unknown."""
    with_page: Iterable[Pair] = (
        Pair(claim=one.claim, work=work, status=_status(one))
        for one, works in zip(audit.claims, audit.works, strict=True)
        for work in works
    )
    without = (Pair(claim=one.claim, work=link, status="unknown") for one in audit.not_checkable for link in one.links)
    return tuple({(pair.claim, pair.work): pair for pair in (*with_page, *without)}.values())
