"""The cited works of a report as BibTeX."""

import re
import unicodedata
from urllib.parse import quote, unquote

from moot.evidence.exports.entries import Entry, entries
from moot.text.addresses import url
from moot.values.report import Report

_DOI = re.compile(r"(?:doi\.org/|/doi/(?:abs/|full/|pdf/)?)(10\.\d{4,9}/[^\s?#]+)", re.IGNORECASE)
_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf)/((?:[a-z-]+(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5}))", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ESCAPED = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_SMALL = frozenset("the a an of on in and for to".split())


def bibtex(report: Report) -> bytes:
    """One entry a cited work, by number: @article where it has a DOI or an arXiv id, else @online."""
    taken: set[str] = set()
    keys = {address: work.keys or (work.id,) for work in report.works for address in work.addresses}
    made = []
    for entry in (entry for entry in entries(report) if entry.number):
        identifiers = [key for copy in entry.copies for key in keys.get(copy.address, ())]
        made.append(_written(entry, identifiers, taken))
    return "\n".join(made).encode("utf-8")


def identified(entry: Entry, keys: list[str]) -> tuple[str, str]:
    """A work's DOI and its arXiv id: as its keys say, else as its addresses do; `` for none."""
    found = {"doi": "", "arxiv": ""}
    for key in keys:
        kind, _, value = key.partition(":")
        if kind in found:
            found[kind] = found[kind] or value
    for copy in entry.copies:
        for kind, pattern in (("doi", _DOI), ("arxiv", _ARXIV)):
            if match := pattern.search(unquote(copy.address)):
                found[kind] = found[kind] or match[1].rstrip(".,;)").lower()
    return found["doi"], found["arxiv"]


def _written(entry: Entry, identifiers: list[str], taken: set[str]) -> str:
    doi, arxiv = identified(entry, identifiers)
    first = entry.copies[0]
    year = _YEAR.search(entry.published)
    to, read = url(first.address), next((copy.read for copy in entry.copies if copy.read), "")
    fields = {
        "title": f"{{{_escaped(entry.title)}}}",
        "author": " and ".join(_author(name) for name in entry.authors if name.strip()),
        "publisher" if not doi else "journal": _escaped(entry.publisher),
        "year": year[0] if year else "",
        "date": entry.published if re.fullmatch(r"\d{4}(-\d\d){0,2}", entry.published) else "",
        "doi": _verbatim(doi),
        "eprint": _verbatim(arxiv),
        "archiveprefix": "arXiv" if arxiv else "",
        "url": _verbatim(to),
        "urldate": read[:10],
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    kind = "article" if doi or arxiv else "online"
    return f"@{kind}{{{_key(entry, year[0] if year else '', taken)},\n" + "\n".join(lines) + "\n}\n"


def _key(entry: Entry, year: str, taken: set[str]) -> str:
    """First author's last name, or the site; the year; the title's first word that says something. ASCII."""
    name = entry.authors[0] if entry.authors else ""
    author = _ascii(name.partition(",")[0] if "," in name else name.split(" ")[-1])
    host = re.sub(r"^(?:[a-z]*:)?//(?:www\.)?", "", entry.copies[0].address).partition("/")[0]
    site = _ascii(host.partition(".")[0])
    words = (_ascii(word) for word in entry.title.split())
    word = next((word for word in words if word and word not in _SMALL), "")
    plain = f"{author or site or 'work'}{year}{word}"
    at, key = 0, plain
    while key in taken:
        key, at = plain + _letters(at), at + 1
    taken.add(key)
    return key


def _letters(at: int) -> str:
    """a, b, … z, aa, ab …"""
    return (_letters(at // 26 - 1) if at >= 26 else "") + chr(ord("a") + at % 26)


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]", "", plain.lower())


def _author(name: str) -> str:
    """A name as BibTeX splits it; one that holds an `and` of its own stays whole."""
    return f"{{{_escaped(name)}}}" if re.search(r"\band\b", name) else _escaped(name)


def _verbatim(text: str) -> str:
    """What is taken letter by letter, such as an address: only what would end the field is written otherwise."""
    return re.sub(r"[{}\\\s]", lambda sign: quote(sign[0]), text)


def _escaped(text: str) -> str:
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return "".join(_ESCAPED.get(sign, sign) for sign in text)
