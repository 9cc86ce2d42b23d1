"""Audits a report that another system wrote: each sentence with a link is tried on the saved page it leads to.

Its links are brought into marks without a passage (links.py), so that the check finds the passage of that page which
bears the sentence best. What has no saved page is told apart: it cannot be checked.
"""

from collections.abc import Sequence

from moot.evidence.audit.links import Links
from moot.evidence.audit.saved import PageTexts, SavedPage, matched
from moot.evidence.audit_line import percent
from moot.evidence.check import check
from moot.evidence.ledger import Ledger
from moot.text.clean import clean
from moot.text.marks import mark_of
from moot.values.evidence import Checked, Shown
from moot.values.value import Value


class NotCheckable(Value):
    """A sentence whose links lead to no saved page."""

    claim: str
    links: tuple[str, ...]


class LinkedAudit(Value):
    """What was found of another system's report."""

    claims: tuple[Checked, ...] = ()
    """Sentences that were tried on a saved page."""
    works: tuple[tuple[str, ...], ...] = ()
    """The addresses that each of them cites and that have a page."""
    not_checkable: tuple[NotCheckable, ...] = ()
    uncited: tuple[str, ...] = ()
    """Factual sentences without a link."""
    pages: dict[str, str] = {}
    """Address → name of the saved page that it was matched with."""
    missing: tuple[str, ...] = ()
    """Addresses without a saved page, as written."""

    @property
    def rate(self) -> int:
        """Verified sentences of those that could be checked, in percent."""
        return percent(sum(one.status == "verified" for one in self.claims), len(self.claims))


async def audit_linked(markdown: str, pages: Sequence[SavedPage]) -> LinkedAudit:
    """Tries each sentence with a link on the saved pages its links lead to."""
    links = Links(clean(markdown).replace("\r\n", "\n"))
    paged = matched(links.written, pages)
    texts = PageTexts(pages)
    ledger = Ledger([_shown(address, paged.get(address), texts) for address in links.written])
    marks = {source.address: f"[{source.mark}]" for source in ledger.sources}
    found = await check(links.marked(marks), ledger, texts)
    by_mark = {source.mark: source.address for source in ledger.sources}
    claims: list[tuple[Checked, tuple[str, ...]]] = []
    out: list[NotCheckable] = []
    uncited: list[str] = []
    for one in found.checked:
        cites = tuple(dict.fromkeys(by_mark[c.mark] for c in one.citations if c.mark in by_mark))
        with_page = tuple(address for address in cites if address in paged)
        if with_page:
            claims.append((one, with_page))
        elif cites:
            out.append(NotCheckable(claim=one.claim, links=tuple(links.written[address] for address in cites)))
        else:
            uncited.append(one.claim)
    return LinkedAudit(
        claims=tuple(one for one, _ in claims),
        works=tuple(works for _, works in claims),
        not_checkable=tuple(out),
        uncited=tuple(uncited),
        pages={address: page.name for address, page in paged.items()},
        missing=tuple(written for address, written in links.written.items() if address not in paged),
    )


def _shown(address: str, page: SavedPage | None, texts: PageTexts) -> Shown:
    text_hash = texts.hash_of(page) if page else ""
    return Shown(
        mark=mark_of(address), address=address, kind="web", title=page.title if page else "", text_hash=text_hash,
        passages=texts.count(text_hash),
    )  # fmt: skip
