"""Marks: how a source is named (`S7f3a`), and how marks are read in what a model wrote (`[S7f3a.12]`).

Which source gets which mark when two clash is evidence/ledger.py's business; what an unknown one costs, check.py's.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple

from moot.values.evidence import Citation
from moot.values.value import Mark

LONGEST_RANGE = 10
"""`[S7f3a.1-40]` names no passage: what cites everything cites nothing."""

_WIDE = dict(zip(map(ord, "．～－–—‑，、；Ｓ"), ".~----,,;S", strict=True))
_WIDE |= {0xFF10 + i: str(i) for i in range(10)}
_WIDE |= {0xFF21 + i: chr(0x41 + i) for i in range(6)} | {0xFF41 + i: chr(0x61 + i) for i in range(6)}

_BRACKETED = re.compile(r"\\?[\[【［]\s*([SＳ][^\[\]【】［］\n]{3,200}?)\s*\\?[\]】］]")
_TOKEN = r"[SＳ][0-9a-fA-F０-９ａ-ｆＡ-Ｆ]{4,64}"
_MARK = re.compile(rf"({_TOKEN})(?:\s*[~～]\s*([0-9０-９]+))?")
_ITEM = re.compile(
    r"(?:S([0-9a-f]{4,64})(?:~(\d{1,4}))?(?:\.(\d{1,7})(?:[-~](\d{1,7}))?)?|(\d{1,7})(?:[-~](\d{1,7}))?)"
)
_OPEN, _CLOSE = "[【［", "]】］"


class Marked(NamedTuple):
    """A bracket of marks in a text: `text[start:end]`. A citation with n = 0 names a source and no passage."""

    start: int
    end: int
    citations: tuple[Citation, ...]


def mark_of(address: str, digits: int = 4) -> Mark:
    """`S` and the first hex digits of the SHA-256 of an address (in its canonical form)."""
    return Mark("S" + hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:digits])


def read_marks(text: str) -> list[Marked]:
    """Every bracket of marks, in order: `[S7f3a.12]`, `[S7f3a.12, 14-16; S91bc.3]`, 【…】, ［…］, full-width too."""
    found: list[Marked] = []
    for match in _BRACKETED.finditer(text):
        citations = _citations(match.group(1))
        if not citations:
            continue
        start, end = match.span()
        while start > 0 and end < len(text) and text[start - 1] in _OPEN and text[end] in _CLOSE:
            start, end = start - 1, end + 1
        found.append(Marked(start, end, citations))
    return found


def read_citation(written: str) -> tuple[Citation, ...]:
    """The citations of one mark as models write it in a field, with or without brackets: `S7f3a.12`, `[S7f3a.12]`."""
    return _citations(written.strip(f"{_OPEN}{_CLOSE}\\ \n"))


def written_mark(mark: str, version: int = 1) -> Mark:
    """A mark with its version as it stands in a text: `S7f3a`, `S7f3a~2`."""
    return Mark(f"{mark}~{version}" if version > 1 else mark)


def rewrite(text: str, mapping: Mapping[Mark, Mark]) -> str:
    """The text with marks inside brackets exchanged, all at once; everything else stays byte for byte.

    Keys and values are marks as written: with their version when it is not 1 (`S7f3a~2`).
    """
    if not mapping:
        return text
    pieces: list[str] = []
    at = 0
    for marked in read_marks(text):
        pieces += text[at : marked.start], rewrite_bare(text[marked.start : marked.end], mapping)
        at = marked.end
    return "".join((*pieces, text[at:]))


def rewrite_bare(written: str, mapping: Mapping[Mark, Mark]) -> str:
    """The same for what is nothing but marks, such as a claim's `S7f3a.12`."""
    return _MARK.sub(lambda match: _exchanged(match, mapping), written)


def _exchanged(match: re.Match[str], mapping: Mapping[Mark, Mark]) -> str:
    mark = _plain(match.group(1))
    version = int(_plain(match.group(2))) if match.group(2) else 1
    new = mapping.get(written_mark(mark, version))
    return match.group() if new is None else new


def _plain(written: str) -> str:
    plain = written if written.isascii() else written.translate(_WIDE)
    return plain[:1] + plain[1:].lower()


def _citations(inner: str) -> tuple[Citation, ...]:
    plain = inner if inner.isascii() else inner.translate(_WIDE)
    plain = "".join(part[:1] + part[1:].lower() for part in re.split(r"(?=S)", re.sub(r"\s+", "", plain)))
    found: list[Citation] = []
    mark, version, at = "", 1, 0
    while at < len(plain):
        item = _ITEM.match(plain, at)
        if item is None:
            return ()
        digits, as_version, n, last, more, more_last = item.groups()
        if digits:
            mark, version = "S" + digits, int(as_version or 1)
        elif not mark:
            return ()
        found += _passages(mark, version, first=n or more, last=last or more_last)
        at = item.end()
        if at < len(plain) and plain[at] in ",;":
            at += 1
        elif at < len(plain) and plain[at] != "S":
            return ()
    return tuple(dict.fromkeys(found))


def _passages(mark: str, version: int, *, first: str | None, last: str | None) -> list[Citation]:
    if first is None:
        return [Citation(mark=Mark(mark), n=0, version=version)]
    low, high = sorted((int(first), int(last or first)))
    if high - low >= LONGEST_RANGE:
        return [Citation(mark=Mark(mark), n=0, version=version)]
    return [Citation(mark=Mark(mark), n=n, version=version) for n in range(low, high + 1)]
