"""Writes a source's passages as a model reads them: each after its mark, so that it can be cited."""

from collections.abc import Sequence

from moot.values.evidence import Passage


def numbered(mark: str, text: str, passages: Sequence[Passage], *, first: int = 1, last: int | None = None) -> str:
    """The passages from `first` to `last`: above each a heading or page that is new, and a row's header."""
    places = range(first - 1, len(passages) if last is None else last)
    return "\n".join(_line(mark, text, passages, at=at) for at in places)


def _line(mark: str, text: str, passages: Sequence[Passage], *, at: int) -> str:
    passage, before = passages[at], passages[at - 1] if at else None
    lead = ""
    if passage.heading and (before is None or before.heading != passage.heading):
        lead += f"# {' › '.join(passage.heading)}\n"
    if passage.page is not None and (before is None or before.page != passage.page):
        lead += f"(page {passage.page})\n"
    if passage.header:
        lead += f"{passage.header}\n"
    return f"{lead}[{mark}.{passage.n}] {text[passage.start : passage.end]}"
