"""Makes a report of a checked draft: notes on what failed, numbers for marks, and the sections that close it.

What each sentence is worth was found by check.py; the same draft, sources and surroundings always give the same bytes.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from moot.evidence import closing
from moot.evidence.audit_line import audit_line, counted
from moot.evidence.check import CheckedDraft
from moot.evidence.contradictions.disagreement import one_sided
from moot.evidence.drafts.edits import Edits
from moot.evidence.drafts.shown import as_signs
from moot.evidence.judged import with_verdicts
from moot.evidence.ledger import Ledger
from moot.evidence.notes import with_notes
from moot.evidence.numbers import cited, numbered, numbered_works
from moot.evidence.shelf import Shelf
from moot.evidence.store import Store
from moot.evidence.texts import Texts
from moot.text.marks import read_marks, written_mark
from moot.values.evidence import Audit, Citation, Shown
from moot.values.report import Computed, Numbered, Quote, Report, Surroundings

_TITLE = re.compile(r"\A\s*#\s+([^\n]*)\n?")
COMMENT = re.compile(r"<!-- moot run=(?P<run>\S+) evidence=sha256:(?P<evidence>[0-9a-f]{64}) -->")


async def finish(
    draft: CheckedDraft, ledger: Ledger, store: Store, *, title: str = "", surroundings: Surroundings
) -> Report:
    """The finished report; its evidence (all but the Markdown) is kept in the store before it comes back."""
    report = await compose(draft, ledger, store, title=title, surroundings=surroundings)
    await store.put(report.run, report.evidence())
    return report


async def compose(
    draft: CheckedDraft, ledger: Ledger, store: Texts, *, title: str = "", surroundings: Surroundings
) -> Report:
    """The finished report, kept nowhere: what `finish` keeps, and what an audit compares with."""
    locale = surroundings.locale
    surroundings = surroundings.model_copy(update={"own_sections": draft.own_sections})
    draft = settled(draft, surroundings)
    computed = await _computed(ledger, store, surroundings)
    noted, taken = with_notes(draft, locale)
    title, body = _titled(noted, title or str(surroundings.run))
    text = as_signs(
        _joined(
            f"# {title}",
            body,
            closing.section("failed_statements", locale, taken),
            closing.contradictions(surroundings.contradictions, locale),
            closing.section("gaps", locale, surroundings.gaps),
            closing.section("reading_notes", locale, surroundings.notes),
            closing.computations(computed, locale),
            closing.coverage_table(surroundings.coverage, locale),
        )
    )
    citations = cited(_joined(body, *taken))
    works = numbered_works(cited(text), ledger, surroundings.works)
    numbers = {address: work.number for work in works for address in work.addresses}
    sources = [await _source(source, numbers, store) for source in ledger.sources]
    shelf = Shelf(ledger, store)
    audit = await _audit(draft, citations, shelf, ledger=ledger, surroundings=surroundings)
    audit = audit.model_copy(update={"works": len({numbers[of.address] for c in citations if (of := _of(ledger, c))})})
    text, references = numbered(text, ledger, numbers)
    report = Report(
        title=title,
        draft=draft.draft,
        surroundings=surroundings,
        claims=draft.checked,
        sources=tuple(sources),
        works=works,
        quotes=await _quotes(draft, shelf, surroundings),
        references=references,
        body_end=len(text),
        computations=tuple(computed),
        audit=audit,
        audit_line=audit_line(audit, locale, *surroundings.remarks),
    )
    evidence = hashlib.sha256(report.evidence()).hexdigest()
    markdown = _joined(
        text,
        closing.sources(works, sources, locale),
        report.audit_line,
        f"<!-- moot run={surroundings.run} evidence=sha256:{evidence} -->",
    )
    return report.model_copy(update={"markdown": markdown + "\n"})


def settled(draft: CheckedDraft, surroundings: Surroundings) -> CheckedDraft:
    """The draft as its sentences stand after what the judge said, and beside what contradicts them."""
    return one_sided(with_verdicts(draft, surroundings.judged), surroundings.contradictions)


async def _quotes(draft: CheckedDraft, shelf: Shelf, surroundings: Surroundings) -> tuple[Quote, ...]:
    """The passages cited, by the draft and by the contradictions shown beside it, each once."""
    sides = [side.citation for one in surroundings.contradictions for side in (one.left, one.right)]
    await shelf.fetch(sides)
    quotes = {quote.citation: quote for quote in draft.quotes}
    quotes |= {
        quote.citation: quote for citation in sides if citation not in quotes and (quote := shelf.quote(citation))
    }
    return tuple(quotes.values())


def _joined(*parts: str) -> str:
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def _titled(markdown: str, title: str) -> tuple[str, str]:
    """The draft's own first heading, without marks, and what is beneath it; the title given when it has none."""
    found = _TITLE.match(markdown)
    if found is None:
        return " ".join(title.split()), markdown
    edits = Edits(found[1])
    for marked in read_marks(found[1]):
        edits.remove(marked.start, marked.end)
    return edits.made().strip() or " ".join(title.split()), markdown[found.end() :]


def _of(ledger: Ledger, citation: Citation) -> Shown | None:
    return ledger.source(citation.mark, citation.version)


async def _source(source: Shown, numbers: Mapping[str, int], store: Texts) -> Numbered:
    about = await store.about(source.text_hash)
    number = numbers.get(source.address, 0)
    return Numbered(number=number, source=source, authors=about.authors, published=about.published)


async def _computed(ledger: Ledger, store: Texts, surroundings: Surroundings) -> list[Computed]:
    found: list[Computed] = []
    for source in ledger.sources:
        if source.kind != "computation":
            continue
        code = await store.bytes_of(source.snapshot)
        printed = await store.bytes_of(source.text_hash)
        found.append(
            Computed(
                mark=source.mark,
                version=source.version,
                code=(code or b"").decode("utf-8", "replace"),
                printed=(printed or b"").decode("utf-8", "replace"),
                inputs=surroundings.inputs.get(written_mark(source.mark, source.version), ()),
            )
        )
    return found


async def _audit(
    draft: CheckedDraft, citations: Sequence[Citation], shelf: Shelf, *, ledger: Ledger, surroundings: Surroundings
) -> Audit:
    await shelf.fetch(citations)
    matching = sum((book := shelf.book(citation)) is not None and book.intact for citation in citations)
    read = {source.address for source in ledger.sources if source.kind != "computation"}
    unread = {one.address for one in surroundings.unread} - read
    audit = Audit(
        citations=len(citations),
        quotes=len(citations),
        quotes_matching=matching,
        pages=len(read | unread),
        pages_unread=len(unread),
        removed=dict(Counter(draft.removed) + Counter(surroundings.removed)),
        model_calls=surroundings.model_calls,
    )
    return counted(draft.checked, audit)
