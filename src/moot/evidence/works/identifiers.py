"""The identifiers by which two addresses are told to be one work, strongest first: DOI, arXiv, PMID, PMCID, ISBN, link.

They are read from an address, from what a page declares of itself, and from the head of a text, never from its list of
references. Putting sources together by them is works.py's business.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import unquote, urljoin

from moot.text.addresses import canonical
from moot.values.evidence import SourceClass

KINDS = ("doi", "arxiv", "pmid", "pmcid", "isbn", "link")
"""Strongest first."""
_HEAD = 1_500
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s<>\"'“”’，。；、）】\]|{}]+")
_ARXIV_ID = r"(?P<id>\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
_ARXIV = re.compile(rf"\barXiv:\s?{_ARXIV_ID}\b")
_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.{_ARXIV_ID}", re.IGNORECASE)
_ADDRESSES: Sequence[tuple[str, re.Pattern[str]]] = (
    ("doi", re.compile(r"//(?:dx\.)?(?:www\.)?doi\.org/(?P<id>10\.\d{4,9}/.+)")),
    ("arxiv", re.compile(rf"//(?:[a-z]+\.)?arxiv\.org/(?:abs|pdf|html|format|src)/{_ARXIV_ID}(?:\.pdf)?(?:[/?].*)?")),
    (
        "pmcid",
        re.compile(r"//(?:www\.)?(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pmc)/articles/(?P<id>PMC\d+).*"),
    ),
    ("pmcid", re.compile(r"//(?:www\.)?europepmc\.org/(?:article/PMC/|articles/)(?P<id>PMC\d+).*")),
    ("pmid", re.compile(r"//(?:www\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(?P<id>\d+).*")),
    ("pmid", re.compile(r"//(?:www\.)?europepmc\.org/(?:article|abstract)/MED/(?P<id>\d+).*", re.IGNORECASE)),
    ("doi", re.compile(r"//[^/]+/.*?(?<![\w.])(?P<id>10\.\d{4,9}/[^?&#]+).*")),
)
_TAILS = re.compile(
    r"(?:/(?:full|abstract|pdf|epdf|html|meta|fulltext|summary)(?:/.*)?|\.pdf|\.full|\.abstract|\.html?)\Z"
)
_REFERENCES = re.compile(
    r"^[#*\s\d.]*(?:references|bibliography|works cited|literature(?: cited)?|further reading|see also|参考文献"
    r"|参考资料|引用文献|注释|延伸阅读|相关阅读)[*\s:：]*$",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(r"^\s*(?:\\?\[\d+\\?\]|\d{1,3}[.)]|[-*+•])\s.*$", re.MULTILINE)
_ISBN = re.compile(r"\bISBN(?:-1[03])?[:：]?\s*(?P<id>[\dXx][\dXx\s-]{8,20}[\dXx])", re.IGNORECASE)
_SUFFIXES = frozenset("co com org net gov ac edu or ne go gob gouv mil".split())
_SHARED = frozenset(
    "github.io gitlab.io blogspot.com wordpress.com medium.com substack.com tumblr.com readthedocs.io pages.dev "
    "vercel.app netlify.app herokuapp.com weebly.com wixsite.com azurewebsites.net cloudfront.net".split()
)
"""Domains under which each name is another owner's."""
_SECOND_HAND: tuple[SourceClass, ...] = ("press", "reference", "forum", "social", "video")
"""Classes whose pages tell of works of others: a DOI in their text is not theirs."""


def identifiers_of(
    address: str, declared: Sequence[str], text: str, *, source_class: SourceClass = "unknown"
) -> tuple[str, ...]:
    """`doi:…`, `arxiv:…`, `link:…` of a source, strongest first, each once."""
    found = [*_of_address(address), *_of_declared(address, declared)]
    own = {kind for kind, _, _ in (one.partition(":") for one in found)}
    if source_class not in _SECOND_HAND:
        found += [one for one in _of_head(text) if one.partition(":")[0] not in own]
    return tuple(by_strength(found))


def by_strength(identifiers: Iterable[str]) -> list[str]:
    """Each once, the strongest kinds first."""
    return sorted(dict.fromkeys(identifiers), key=lambda one: KINDS.index(one.partition(":")[0]))


def kind_of(identifier: str) -> str:
    """What two works differ in when both have one: `doi`, a preprint's `doi preprint`, data's `doi data`, `arxiv` …"""
    kind, _, value = identifier.partition(":")
    prefix = value.partition("/")[0] if kind == "doi" else ""
    if prefix in ("10.1101", "10.31234", "10.31219", "10.21203", "10.2139", "10.20944", "10.26434", "10.36227"):
        return "doi preprint"
    return "doi data" if prefix in ("10.5281", "10.6084", "10.5061", "10.7910", "10.17632") else kind


def domain_of(address: str) -> str:
    """The registrable domain of an address: `example.co.uk`; `` for what has none."""
    host = address.removeprefix("//").partition("/")[0].partition(":")[0] if address.startswith("//") else ""
    labels = host.split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return host
    last = 3 if (len(labels[-1]) == 2 and labels[-2] in _SUFFIXES) or ".".join(labels[-2:]) in _SHARED else 2
    return ".".join(labels[-last:])


def _of_address(address: str) -> Iterator[str]:
    for kind, pattern in _ADDRESSES:
        found = pattern.fullmatch(unquote(address))
        if found:
            yield from _tidy(kind, _TAILS.sub("", found["id"]) if kind == "doi" else found["id"])
            return


def _of_declared(address: str, declared: Sequence[str]) -> Iterator[str]:
    for one in declared:
        kind, _, value = one.partition(":")
        if kind == "canonical":
            yield from _link(address, value)
        elif kind == "identifier":
            yield from _of_identifier(value)
        elif kind in ("doi", "arxiv", "pmid", "pmcid", "isbn"):
            yield from _tidy(kind, value)
    if address.startswith("//"):
        yield f"link:{address}"


def _of_identifier(value: str) -> Iterator[str]:
    """`dc.identifier` may hold anything: a DOI, an ISBN, a number of the site's own."""
    if _DOI.search(value):
        yield from _tidy("doi", value)
    elif value.lower().startswith(("isbn", "urn:isbn")):
        yield from _tidy("isbn", value.lower().removeprefix("urn:").removeprefix("isbn"))


def _link(address: str, value: str) -> Iterator[str]:
    """The address that a page calls its own, when it may speak for it. A whole site's front page stands for no page."""
    base = f"https:{address}" if address.startswith("//") else ""
    try:
        own = canonical(urljoin(base, value))
    except ValueError:
        return
    of_site = own.startswith("//") and own.partition("//")[2].partition("/")[2]
    if of_site and (address.startswith("docs:") or domain_of(own) == domain_of(address)):
        yield f"link:{own}"


def _of_head(text: str) -> Iterator[str]:
    """The only DOI, arXiv stamp or ISBN in the first 1,500 characters, above any list of references."""
    head = text[:_HEAD]
    cut = _REFERENCES.search(head)
    head = _LISTED.sub("", head[: cut.start()] if cut else head)
    for kind, values in (
        ("doi", [match.group() for match in _DOI.finditer(head)]),
        ("arxiv", [match["id"] for match in _ARXIV.finditer(head)]),
        ("isbn", [match["id"] for match in _ISBN.finditer(head)]),
    ):
        tidy = dict.fromkeys(one for value in values for one in _tidy(kind, value))
        if len(tidy) == 1:
            yield from tidy


def _tidy(kind: str, value: str) -> Iterator[str]:
    """An identifier in its one form; nothing when it is none."""
    match kind:
        case "doi":
            yield from _doi(value)
        case "arxiv":
            found = re.fullmatch(_ARXIV_ID, value.strip().removeprefix("arXiv:"))
            if found:
                yield f"arxiv:{found['id']}"
        case "isbn":
            digits = _isbn13(value)
            if digits:
                yield f"isbn:{digits}"
        case _:
            digits = value.strip().lower().removeprefix("pmid:").removeprefix("pmc")
            if digits.strip().isascii() and digits.strip().isdigit():
                yield f"{kind}:{digits.strip().lstrip('0')}"


def _doi(value: str) -> Iterator[str]:
    found = _DOI.search(unquote(value))
    if found is None:
        return
    doi = found.group().lower().rstrip(".,;:)*_")
    if "(" in doi and doi.count("(") > doi.count(")"):
        doi += ")"
    preprint = _ARXIV_DOI.fullmatch(doi)
    yield f"arxiv:{preprint['id']}" if preprint else f"doi:{doi}"


def _isbn13(value: str) -> str:
    """Thirteen digits, an ISBN-10 turned into them; `` when the check digit is wrong."""
    digits = re.sub(r"[\s-]", "", value).upper().lstrip(":")
    if re.fullmatch(r"97[89]\d{10}", digits):
        return digits if sum(int(d) * (1 + 2 * (at % 2)) for at, d in enumerate(digits)) % 10 == 0 else ""
    if not re.fullmatch(r"\d{9}[\dX]", digits):
        return ""
    if sum((10 - at) * (10 if d == "X" else int(d)) for at, d in enumerate(digits)) % 11:
        return ""
    body = f"978{digits[:9]}"
    return body + str(-sum(int(d) * (1 + 2 * (at % 2)) for at, d in enumerate(body)) % 10)
