"""Keeps a report's numbers and math out of a Markdown parser's hands: a sign stands for each while it is parsed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from moot.evidence.drafts.untouched import untouched
from moot.values.report import Reference

_OPEN, _CLOSE = "\u2e22", "\u2e23"
"""Brackets that a parser takes for punctuation, as it would those of a number."""
_STANDS_FOR = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_OWN = re.compile(f"[{_OPEN}{_CLOSE}]")


@dataclass(frozen=True, slots=True)
class Atom:
    """What a sign stands for. A number's `index` is its place among the report's references."""

    kind: Literal["number", "math", "text"]
    text: str
    index: int = 0


class Atoms:
    """A Markdown text with signs in it, and what they stand for. Lives for one parse."""

    def __init__(self, body: str, references: Sequence[Reference]) -> None:
        self._atoms: list[Atom] = []
        spans = [(r.start, r.end, Atom("number", body[r.start : r.end], i)) for i, r in enumerate(references)]
        spans += [(start, end, Atom("math", body[start:end])) for start, end in untouched(body) if body[start] in "$\\"]
        covered = bytearray(len(body))
        for start, end, _ in spans:
            covered[start:end] = b"\x01" * (end - start)
        for own in _OWN.finditer(body):
            if not covered[own.start()]:
                spans.append((own.start(), own.end(), Atom("text", own.group())))
        self.markdown = self._with_signs(body, spans)

    def split(self, text: str) -> Iterator[Atom]:
        """What a parsed text says: words, and what its signs stand for."""
        at = 0
        for sign in _STANDS_FOR.finditer(text):
            if sign.start() > at:
                yield Atom("text", text[at : sign.start()])
            yield self._atoms[int(sign[1])]
            at = sign.end()
        if at < len(text):
            yield Atom("text", text[at:])

    def restored(self, text: str) -> str:
        """A parsed text as it was written, its signs undone: what stands in code."""
        return "".join(atom.text for atom in self.split(text))

    def _with_signs(self, body: str, spans: list[tuple[int, int, Atom]]) -> str:
        pieces: list[str] = []
        at = 0
        for start, end, atom in sorted(spans, key=lambda span: span[0]):
            pieces += body[at:start], f"{_OPEN}{len(self._atoms)}{_CLOSE}"
            self._atoms.append(atom)
            at = end
        return "".join((*pieces, body[at:]))
