"""The evidence of one report in one file, `report.evidence.json`: what an audit needs where the run's store is not.

It holds the kept evidence itself, the cited passages with their neighbours and places, and the run's reads.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Literal

from moot.evidence.finish import COMMENT
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.evidence.texts import About
from moot.values.evidence import Citation, Passage, Read
from moot.values.report import Report
from moot.values.value import Value


class HeldPassage(Passage):
    """A passage with its words."""

    words: str


class HeldText(Value):
    """A cited text, as far as it is held here."""

    hash: str
    """SHA-256 of the whole text in UTF-8."""
    length: int
    """Of the whole text, in code points."""
    count: int
    """How many passages the whole text has."""
    authors: tuple[str, ...] = ()
    published: str = ""
    passages: tuple[HeldPassage, ...]
    """Those that the report cites, and the one before and after each."""


class Bundle(Value):
    """What stands in `report.evidence.json`. `format` names this shape for programs."""

    format: Literal["moot.evidence/1"] = "moot.evidence/1"
    sha256: str
    """Of `evidence`: the report's last line names it."""
    evidence: str
    """The kept evidence of the report: the JSON whose bytes that hash is of."""
    texts: tuple[HeldText, ...] = ()
    reads: tuple[Read, ...] = ()

    @property
    def report(self) -> Report:
        """The report without its Markdown."""
        return Report.model_validate_json(self.evidence)

    def damage(self) -> str:
        """What of this file is not as it was written: the evidence, a passage, a quote; `` when all is."""
        if hashlib.sha256(self.evidence.encode("utf-8")).hexdigest() != self.sha256:
            return "the evidence in this file has another hash"
        held = {(text.hash, one.start, one.end): one for text in self.texts for one in text.passages}
        for (text_hash, start, end), one in held.items():
            if len(one.words) != end - start:
                return f"passage {one.n} of text {text_hash[:12]} is not as long as its place"
        for quote in self.report.quotes:
            found = held.get((quote.text_hash, quote.start, quote.end))
            if found is None or found.words != quote.words:
                return f"the quote {quote.citation} is not the passage of its text"
        return ""


async def bundled(report: Report, store: Store) -> Bundle:
    """The evidence of a finished report, out of its run's store. Raises KeyError when a cited text is not kept.

    It is the kept bytes that the report's last line names: an earlier version may have written the same otherwise.
    """
    named = COMMENT.search(report.markdown)
    evidence = (await store.bytes_of(named["evidence"]) if named else None) or report.evidence()
    texts: list[HeldText] = []
    for text_hash, numbers in _cited(report).items():
        passages, text, about = (
            await store.passages(text_hash),
            await store.text(text_hash),
            await store.about(text_hash),
        )
        held = [one for one in passages if numbers & {one.n - 1, one.n, one.n + 1}]
        texts.append(
            HeldText(
                hash=text_hash, length=len(text), count=len(passages), authors=about.authors, published=about.published,
                passages=tuple(HeldPassage(**one.model_dump(), words=text[one.start : one.end]) for one in held),
            )
        )  # fmt: skip
    return Bundle(
        sha256=hashlib.sha256(evidence).hexdigest(), evidence=evidence.decode("utf-8"), texts=tuple(texts),
        reads=await store.reads(report.run),
    )  # fmt: skip


def _cited(report: Report) -> dict[str, set[int]]:
    """The numbers of the passages that a report points to, by the hash of their text."""
    ledger = Ledger(one.source for one in report.sources)
    found: dict[str, set[int]] = {}
    for citation in _citations(report):
        source = ledger.source(citation.mark, citation.version)
        if source is not None and source.text_hash:
            found.setdefault(source.text_hash, set()).add(citation.n)
    return found


def _citations(report: Report) -> Iterator[Citation]:
    yield from (quote.citation for quote in report.quotes)
    yield from (citation for claim in report.claims for citation in claim.citations)
    yield from (citation for inputs in report.surroundings.inputs.values() for citation in inputs)
    yield from (side.citation for one in report.contradictions for side in (one.left, one.right))


class BundleTexts:
    """Texts out of a bundle: blanks stand where it holds nothing. Implements `Texts`."""

    def __init__(self, bundle: Bundle) -> None:
        self._texts = {text.hash: text for text in bundle.texts}
        self._intact = not bundle.damage()
        report = bundle.report
        self._bodies = {
            sha256: body.encode("utf-8")
            for one, source in _paired(report)
            for sha256, body in ((source[0], one[0]), (source[1], one[1]))
        }

    async def text(self, text_hash: str) -> str:
        if text_hash not in self._texts:
            raise KeyError(f"no text {text_hash[:12]} is in this file")
        held = self._texts[text_hash]
        return "".join(_filled(held.passages, held.length))

    async def passages(self, text_hash: str) -> tuple[Passage, ...]:
        held = self._texts.get(text_hash)
        if held is None:
            return ()
        by_number: dict[int, Passage] = {one.n: Passage(**one.model_dump(exclude={"words"})) for one in held.passages}
        return tuple(by_number.get(n) or Passage(n=n, start=0, end=0) for n in range(1, held.count + 1))

    async def about(self, text_hash: str) -> About:
        held = self._texts.get(text_hash)
        return About(held.authors, held.published) if held else About((), "")

    async def is_intact(self, text_hash: str) -> bool:
        return self._intact and text_hash in self._texts

    async def bytes_of(self, sha256: str) -> bytes | None:
        return self._bodies.get(sha256)


def _paired(report: Report) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """((code, printed), (hash of the code, hash of what was printed)) of each computation."""
    shown = {(one.source.mark, one.source.version): one.source for one in report.sources}
    for one in report.computations:
        source = shown.get((one.mark, one.version))
        if source is not None:
            yield (one.code, one.printed), (source.snapshot, source.text_hash)


def _filled(passages: Iterable[HeldPassage], length: int) -> Iterator[str]:
    at = 0
    for one in sorted(passages, key=lambda passage: passage.start):
        yield " " * (one.start - at)
        yield one.words
        at = one.end
    yield " " * (length - at)
