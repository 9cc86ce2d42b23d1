"""Brings a draft's marks into one form and takes out what is no mark: invented addresses, loose references, own lists.

What each removal is called and counted as: `Cleaned.removed`. Testing the sentences is check.py's business.
"""

import re
from collections import Counter
from dataclasses import dataclass

from moot.evidence.drafts.edits import Edits
from moot.evidence.drafts.own_lists import without_own_list
from moot.evidence.ledger import Ledger
from moot.text.addresses import canonical
from moot.text.clean import clean
from moot.text.marks import read_citation, read_marks
from moot.text.scripts import CJK_SET
from moot.values.evidence import Citation, Shown
from moot.values.value import Mark

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_OWN_AUDIT = re.compile(r"^[>*_ \t]*(?:Audit|核验)\s*[:：].*$", re.MULTILINE)
_LINK = re.compile(
    r"!?\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]"
    r"\(\s*<?(?P<to>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+[\"'(][^)\n]*)?\)"
)
_TLD = r"(?:com|org|net|edu|gov|int|mil|info|biz|io|ai|app|dev|co|cn|jp|kr|de|fr|uk|eu|es|it|ru|in|br|au|ca|ch|nl|se)"
_END = r"\s<>\"'“”‘’，。；：！？、（）【】「」《》"
_ADDRESS = re.compile(
    rf"<?(?P<to>(?:(?:https?|docs|rag|ftp)://|\b(?:market|calc):(?=\S)|\bwww\.(?=\w))[^{_END}]+"
    rf"|(?<![@\w./-])(?:[a-z0-9-]+\.)+{_TLD}/[^{_END}]*|(?<![@\w./-])(?:www\.)?example\.(?:com|org|net)\b)>?",
    re.IGNORECASE,
)
_DOI = re.compile(r"(?:\bdoi\s*[:：]\s*)?(?P<doi>\b10\.\d{4,9}/[^\s<>\"'，。；）】]+)", re.IGNORECASE)
_NUMBERED = re.compile(
    r"<sup>\s*\[?(?P<sup>\d{1,3}(?:\s*,\s*\d{1,3})*)\]?\s*</sup>"
    r"|\\?[\[【［](?P<n>\^?\d{1,3}(?:\s*[,;，、–-]\s*\^?\d{1,3})*)(?:†[^\]】\n]*)?\\?[\]】］]"
)
_MONTHS = (
    "January February March April May June July August September October November December "
    "Spring Summer Autumn Fall Winter"
)
_AUTHOR = r"[A-Z][\w'’-]+(?:,?\s+(?:et\s+al\.?|(?:and|&)\s+[A-Z][\w'’-]+))*"
_AUTHORS = re.compile(
    rf"\((?:see |cf\. |e\.g\.,? )?(?!(?:{'|'.join(_MONTHS.split())}|Q[1-4])\b){_AUTHOR},?\s+(?:19|20)\d\d[a-z]?"
    rf"(?:,\s*pp?\.\s*[\d–-]+)?(?:;\s*{_AUTHOR},?\s+(?:19|20)\d\d[a-z]?)*\)"
)
_PLACEHOLDER = re.compile(
    r"[\[【](?:citations?(?: needed)?|needs? (?:a )?(?:citation|source)|source needed"
    r"|(?:insert|add|your)\b[^\]】\n]{0,60}|(?:source|ref(?:erence)?)s?(?:\s*\d+)?|来源|引用|出处|参考文献|需要引用"
    r"|待补充[^\]】\n]{0,20}|插入[^\]】\n]{0,20})[\]】](?!\()",
    re.IGNORECASE,
)
_SOURCE_NOTE = re.compile(
    r"[(（]\s*(?:sources?|来源|资料来源|数据来源)\s*[:：](?P<inner>[^()（）\n]*)[)）]"
    r"|^[>*_ \t-]*(?:sources?|来源|资料来源|数据来源)[*_]*\s*[:：](?P<line>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_NO_MARK = re.compile(
    r"\\?[\[【［]\s*[SＳ](?=[0-9a-f０-９]*[0-9０-９])[0-9a-f０-９]{1,64}\b[^\[\]【】［］\n]{0,80}\\?[\]】］]",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w\[【［.~])S[0-9a-f]{4,64}(?:~\d+)?\.\d+(?:-\d+)?\b(?![\]】］])")


UNKNOWN = Mark("S" + "0" * 64)
"""Stands where every mark of a bracket was of no source, until its claim has been judged: no address has this hash."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A draft whose marks are all of sources of the run, or UNKNOWN; n = 0: the passage is still to be found."""

    markdown: str
    removed: Counter[str]


def cleaned(draft: str, ledger: Ledger) -> Cleaned:
    """The draft with its marks in one form; marks and addresses of no source, and loose references, are out."""
    removed: Counter[str] = Counter()
    markdown = clean(draft).replace("\r\n", "\n")
    markdown = _dropped(_dropped(markdown, _COMMENT), _OWN_AUDIT)
    markdown, listed = without_own_list(markdown, removed)
    known = {number: source for number, to in listed.items() if (source := _source(to, ledger))}
    markdown = _links(markdown, ledger, removed)
    markdown = _addresses(markdown, ledger, removed)
    markdown = _loose(markdown, known, removed)
    markdown = _marks(markdown, ledger, removed)
    return Cleaned(re.sub(r"\n{3,}", "\n\n", markdown).strip() + "\n", removed)


def bare(text: str) -> str:
    """A source's text without what is taken out of a draft: links keep their words, addresses and references go."""
    edits = Edits(cleaned(text, Ledger()).markdown)
    for marked in edits.marks():
        edits.remove(marked.start, marked.end)
    return edits.made()


def _dropped(text: str, pattern: re.Pattern[str]) -> str:
    edits = Edits(text)
    for match in edits.find(pattern):
        edits.remove(*match.span())
    return edits.made()


def _source(to: str, ledger: Ledger) -> Shown | None:
    """The source at an address as a model wrote it; None when it is no source's."""
    to = to.strip().rstrip(".,;:!?*_'\"")
    for written in (to, to.rstrip(")]}")):
        try:
            address = canonical(
                written if "://" in written or written.startswith(("market:", "calc:", "mcp:")) else f"//{written}"
            )
        except ValueError:
            continue
        found = ledger.at(address) or ledger.at(address.partition("#")[0])
        if found:
            return found
    return None


def _unplaced(source: Shown) -> str:
    """A mark whose passage is still to be found."""
    return str(Citation(mark=source.mark, n=0, version=source.version))


def _links(text: str, ledger: Ledger, removed: Counter[str]) -> str:
    edits = Edits(text)
    for match in edits.find(_LINK):
        words, to = match["text"], match["to"]
        if to.startswith("#"):
            edits.replace(*match.span(), words)
        elif read_marks(f"[{words}]") or read_marks(words):
            edits.replace(*match.span(), f"[{words}]" if read_marks(f"[{words}]") else words)
        elif source := _source(to, ledger):
            edits.replace(*match.span(), f"{words} {_unplaced(source)}".lstrip())
        else:
            removed["address_unknown"] += 1
            edits.replace(*match.span(), "" if _ADDRESS.fullmatch(words) else words)
    return edits.made()


def _addresses(text: str, ledger: Ledger, removed: Counter[str]) -> str:
    edits = Edits(text)
    for match in edits.find(_ADDRESS):
        whole = match["to"]
        source = _source(whole, ledger)
        if source is None:
            whole = re.split(f"[{CJK_SET}]", whole)[0]
            source = _source(whole, ledger)
        kept = whole.rstrip(".,;:!?*_'\"")
        kept = kept if kept.count("(") >= kept.count(")") else kept.rstrip(")")
        end = match.end() if whole == match["to"] == kept else match.start("to") + len(kept)
        removed["address_unknown"] += source is None
        _put(edits, match.start(), end, source=source)
    for match in edits.find(_DOI):
        doi = match["doi"].rstrip(".,;)")
        source = _source(f"doi.org/{doi}", ledger) or _source(f"doi.org/{doi.lower()}", ledger)
        removed["address_unknown"] += source is None
        _put(edits, match.start(), match.start("doi") + len(doi), source=source)
    return edits.made()


def _put(edits: Edits, start: int, end: int, *, source: Shown | None) -> None:
    if source:
        edits.replace_whole(start, end, _unplaced(source))
    else:
        edits.remove(start, end)


def _loose(text: str, known: dict[int, Shown], removed: Counter[str]) -> str:
    edits = Edits(text)
    for match in edits.find(_SOURCE_NOTE):
        inner = match["inner"] if match["inner"] is not None else match["line"]
        marks = "".join(inner[m.start : m.end] for m in read_marks(inner))
        removed["loose_reference"] += not marks
        edits.replace(*match.span(), marks) if marks else edits.remove(*match.span())
    for match in edits.find(_NUMBERED):
        numbers = [int(n) for n in re.findall(r"\d+", match["sup"] or match["n"])]
        removed["loose_reference"] += sum(n not in known for n in numbers)
        marks = "".join(dict.fromkeys(_unplaced(known[n]) for n in numbers if n in known))
        edits.replace(*match.span(), marks) if marks else edits.remove(*match.span())
    for pattern in (_AUTHORS, _PLACEHOLDER):
        for match in edits.find(pattern):
            removed["loose_reference"] += 1
            edits.remove(*match.span())
    return edits.made()


def _marks(text: str, ledger: Ledger, removed: Counter[str]) -> str:
    edits = Edits(text)
    for marked in edits.marks():
        known = _known(marked.citations, ledger, removed)
        edits.replace_whole(marked.start, marked.end, "".join(map(str, known)))
    for match in edits.find(_NO_MARK):
        removed["mark_unknown"] += 1
        edits.replace(*match.span(), str(Citation(mark=UNKNOWN, n=0)))
    for match in edits.find(_BARE):
        known = _known(read_citation(match.group()), ledger, removed)
        edits.replace_whole(*match.span(), "".join(map(str, known)))
    return edits.made()


def _known(citations: tuple[Citation, ...], ledger: Ledger, removed: Counter[str]) -> list[Citation]:
    kept: dict[Citation, None] = {}
    for citation in citations:
        source = ledger.source(citation.mark, citation.version)
        if source is None:
            removed["mark_unknown"] += 1
        else:
            kept[citation if citation.n <= source.passages else citation.model_copy(update={"n": 0})] = None
    return list(kept) or [Citation(mark=UNKNOWN, n=0)]
