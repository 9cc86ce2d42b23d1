"""The texts and passages that a draft cites, fetched once, so that the check itself waits for nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from moot.evidence.ledger import Ledger
from moot.evidence.texts import Texts
from moot.evidence.verdicts.case import Held
from moot.values.evidence import Citation, Passage, Shown
from moot.values.report import Quote


@dataclass(frozen=True, slots=True)
class Book:
    """A source's text with its passages."""

    source: Shown
    text: str
    passages: tuple[Passage, ...]
    intact: bool
    """True when the text has the hash it is kept under."""
    published: str = ""


class Shelf:
    """Owned by one check, finish or audit; filled by `fetch`, then only read."""

    def __init__(self, ledger: Ledger, store: Texts) -> None:
        self._ledger, self._store = ledger, store
        self._books: dict[tuple[str, int], Book] = {}

    async def fetch(self, citations: Iterable[Citation]) -> None:
        """Fetches what these cite. A text that is gone has no words and no passages."""
        for mark, version in dict.fromkeys((c.mark, c.version) for c in citations):
            source = self._ledger.source(mark, version)
            if source is None or (mark, version) in self._books:
                continue
            try:
                text = await self._store.text(source.text_hash)
            except KeyError:
                self._books[mark, version] = Book(source, "", (), intact=False)
                continue
            intact = await self._store.is_intact(source.text_hash)
            passages = await self._store.passages(source.text_hash)
            published = (await self._store.about(source.text_hash)).published
            self._books[mark, version] = Book(source, text, passages, intact, published)

    def book(self, citation: Citation) -> Book | None:
        """The source that a citation names, if it was fetched."""
        return self._books.get((citation.mark, citation.version))

    def passage(self, citation: Citation) -> tuple[Book, Passage] | None:
        """The passage that a citation names."""
        book = self.book(citation)
        if book is None or not 1 <= citation.n <= len(book.passages):
            return None
        return book, book.passages[citation.n - 1]

    def held(self, citation: Citation) -> Held | None:
        """The passage as the tests compare it."""
        found = self.passage(citation)
        if found is None:
            return None
        book, passage = found
        return Held(
            citation=citation,
            words=book.text[passage.start : passage.end],
            heading=passage.heading,
            header=passage.header,
            title=book.source.title,
            kind=book.source.kind,
            before=_words(book, passage.n - 1),
            after=_words(book, passage.n + 1),
            published=book.published,
        )

    def quote(self, citation: Citation) -> Quote | None:
        """The passage's words, cut from the text."""
        found = self.passage(citation)
        if found is None:
            return None
        book, passage = found
        return Quote(
            citation=citation,
            text_hash=book.source.text_hash,
            start=passage.start,
            end=passage.end,
            words=book.text[passage.start : passage.end],
        )


def _words(book: Book, n: int) -> str:
    passage = book.passages[n - 1] if 1 <= n <= len(book.passages) else None
    return book.text[passage.start : passage.end] if passage else ""
