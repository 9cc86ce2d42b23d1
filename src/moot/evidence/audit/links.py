"""The links of a report that another system wrote: inline, by reference, footnotes, bare, numbers with a list."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from moot.evidence.drafts.edits import Edits
from moot.text.addresses import canonical

_LABEL = r"[^\[\]\n]{1,80}"
_DEFINED = re.compile(
    rf"^ {{0,3}}(?:[-*+]\s+)?\[(?P<label>{_LABEL})\]:[ \t]*(?P<rest>\S[^\n]*(?:\n(?: {{4}}|\t)[^\n]*)*)\n?", re.M
)
_LISTED = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\\?\[(?P<n>\d{1,3})\\?\][.:]?|(?P<m>\d{1,3})[.)、])\s+(?P<rest>\S[^\n]*)$", re.M
)
_LIST_TITLE = re.compile(
    r"^(?:#{1,6}\s*|\*\*|__)?(?:references?|sources?|bibliography|works cited|citations?|notes|footnotes|endnotes"
    r"|参考文献|参考资料|参考来源|引用来源|来源|资料来源|注释|脚注)(?:\*\*|__)?\s*[:：]?\s*#*\s*$",
    re.I | re.M,
)
_ADDRESS = re.compile(r"(?:https?:)?//[^\s<>\"'“”‘’，。；：！？、（）【】「」《》|]+|\bwww\.[^\s<>\"'“”|]+", re.I)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s<>\"'，。；）】]+", re.I)
_INLINE = re.compile(
    r"!?\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(\s*<?(?P<to>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?[^)\n]*\)"
)
_BY_LABEL = re.compile(rf"\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]*\])+)\]\[(?P<label>{_LABEL})?\]")
_SHORT = re.compile(rf"(?<!\])\[(?P<label>\^?{_LABEL})\](?![\[(:])")
_SUPER = re.compile(r"<sup>\s*\[?(?P<label>\d{1,3}(?:\s*,\s*\d{1,3})*)\]?\s*</sup>")
_NUMBERS = re.compile(r"\^?\d{1,3}(?:\s*[,;，、–-]\s*\^?\d{1,3})*")
_ONLY_A_NAME = re.compile(r"\[?\^?\d{1,3}\]?|(?:https?:)?//\S+|(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?", re.I)
_BARE = re.compile(rf"<?(?P<to>{_ADDRESS.pattern})>?", re.I)


class _Definition(NamedTuple):
    """What a label stands for. A reference without an address has none that could be looked at."""

    address: str
    written: str


class Links:
    """The links of one report: `written` holds each address in canonical form, as it was first written."""

    def __init__(self, markdown: str) -> None:
        self.written: dict[str, str] = {}
        self._labels: dict[str, _Definition] = {}
        body = self._without_definitions(markdown)
        self._body = self._without_list(body)
        for to in (*(match["to"] for match in _INLINE.finditer(self._body)), *_ADDRESS.findall(self._body)):
            self._noted(to)

    def marked(self, marks: Mapping[str, str]) -> str:
        """The report with a mark for every link; what is linked stays."""
        edits = Edits(self._body)
        for match in edits.find(_INLINE):
            address = self._noted(match["to"])
            words = self._words_of(match)
            _put(edits, match, f"{words} {marks[address]}".strip() if address else words)
        for match in edits.find(_BY_LABEL):
            named = self._named(match["label"] or match["text"], marks)
            if named:
                edits.replace(*match.span(), f"{match['text']} {named}")
        for pattern in (_SHORT, _SUPER):
            for match in edits.find(pattern):
                named = self._named(match["label"], marks)
                if named:
                    edits.replace(*match.span(), named)
        for match in edits.find(_BARE):
            kept = _trimmed(match["to"])
            address = self._noted(kept)
            if address:
                end = match.end() if kept == match["to"] else match.start("to") + len(kept)
                edits.replace_whole(match.start(), end, marks[address])
        return edits.made()

    def _words_of(self, link: re.Match[str]) -> str:
        """What a link's text says; `` for a picture, and where it only names where the link leads."""
        text, body = link["text"], self._body
        alone = body[link.start() - 1 : link.start()] in ("(", "（") and body[link.end() : link.end() + 1] in (
            ")",
            "）",
        )
        return "" if link.group().startswith("!") or alone or _ONLY_A_NAME.fullmatch(text.strip()) else text

    def _named(self, label: str, marks: Mapping[str, str]) -> str:
        """The marks of a label, or of numbers such as `1, 3–5`; `` when it is none."""
        label = label.strip()
        if found := self._labels.get(label.casefold()):
            return marks[found.address]
        if not _NUMBERS.fullmatch(label):
            return ""
        known = (self._labels.get(n) or self._labels.get(f"^{n}") for n in _numbers(label))
        return "".join(dict.fromkeys(marks[one.address] for one in known if one))

    def _without_definitions(self, markdown: str) -> str:
        edits = Edits(markdown)
        for match in edits.find(_DEFINED):
            self._define(match["label"], match["rest"])
            edits.replace(*match.span(), "\n")
        return edits.made()

    def _without_list(self, body: str) -> str:
        """The report without its list of sources, whose numbers are known then."""
        headings = list(Edits(body).find(_LIST_TITLE))
        for heading in reversed(headings):
            after = body[heading.end() :]
            entries = list(_LISTED.finditer(after))
            if not entries:
                continue
            for entry in entries:
                self._define(entry["n"] or entry["m"], entry["rest"])
            rest = re.search(r"^#{1,6}\s", after[entries[-1].end() :], re.M)
            return body[: heading.start()] + (after[entries[-1].end() + rest.start() :] if rest else "")
        return body

    def _define(self, label: str, rest: str) -> None:
        inline = _INLINE.search(rest)
        found = _ADDRESS.search(rest)
        doi = _DOI.search(rest)
        to = inline["to"] if inline else found.group() if found else f"https://doi.org/{doi.group()}" if doi else ""
        address = self._noted(to)
        if not address:
            address = f"docs://reference/{label}"
            self.written[address] = rest.strip()
        self._labels.setdefault(label.strip().casefold(), _Definition(address, rest))

    def _noted(self, to: str) -> str:
        """The canonical form of an address; `` when it is none of a page."""
        to = _trimmed(to)
        try:
            address = canonical(to if "://" in to or to.startswith("//") else f"//{to}") if _ADDRESS.match(to) else ""
        except ValueError:
            return ""
        if address:
            self.written.setdefault(address, to)
        return address


def _put(edits: Edits, match: re.Match[str], new: str) -> None:
    put = edits.replace_whole if new.startswith("[S") else edits.replace
    put(*match.span(), new)


def _trimmed(to: str) -> str:
    to = to.strip().rstrip(".,;:!?*_'\"")
    while to.endswith((")", "]", "}")) and to.count(to[-1]) > to.count({")": "(", "]": "[", "}": "{"}[to[-1]]):
        to = to[:-1].rstrip(".,;:!?*_'\"")
    return to


def _numbers(label: str) -> Iterator[str]:
    for part in re.split(r"[,;，、]", label.replace("^", "")):
        ends = [int(n) for n in re.findall(r"\d+", part)]
        yield from map(str, range(ends[0], min(ends[-1], ends[0] + 20) + 1))
