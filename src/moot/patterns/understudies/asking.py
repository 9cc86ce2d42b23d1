"""What a question looks for: its terms, the things it names, and one question for each of several things named."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from moot.patterns.wording import listed
from moot.text.names import named_things
from moot.text.words import fold, is_function_word, terms, words

_COMPUTING = re.compile(
    r"\b(?:differences? between|how (?:many|much|often)|times|calculated?|computed?|ratio|average|sum|convert(?:ed)?"
    r"|percent(?:age)?|cagr)\b"
    r"|计算|多少倍|几倍|多少|平均|增长率|百分比",
    re.IGNORECASE,
)
_HOW_MUCH = re.compile(
    r"(?<![很许最])多(?:长|久|大|高|远|重|快|宽|深|厚)(?:时间)?"
    r"|几(?:个月|小时|分钟|[天年月日次人个种台位名岁点秒元块层级章项条])"
)
"""What a Chinese question asks for and an answer need not repeat: 年假几天 is answered by 10天带薪年假."""
WITHOUT_MATTER = listed("work working use using used make making made get getting mean meaning happen happening")
"""Words that say nothing of what is looked for, but where they are quoted."""
_KINDS = listed(
    """statement operator loop clause keyword expression function method block command option setting module file page
    section chapter topic"""
)
_QUOTED = re.compile(r"[\"“”'‘’`「『]([^\"“”'‘’`「」『』]{1,40})[\"“”'‘’`」』]")
_WRITTEN = re.compile(
    r"[^\W\u2e80-\u9fff\uac00-\ud7af]+(?:['’][^\W\d_]+)?|[\u2e80-\u9fff\uac00-\ud7af]+|[*/=!<>:+\-%&|^~@]+"
)
"""Words, numbers and operators in order; a run of CJK is one."""
_COMPARED = re.compile(
    r"\b(?!number|other|rather|whether|water|paper|power|river|under|over)\w{2,}er\b(?=.*\bthan\b)", re.IGNORECASE
)
_SIDES = (
    re.compile(
        r"\bdifferences? between (?P<a>.{1,60}?) and (?P<b>[^?.,]{1,60}?)(?= (?:for|in|of|when|with)\b|[?.,]|$)",
        re.IGNORECASE,
    ),
    re.compile(r"(?P<a>[^，。？,?]{2,30}?)是(?P<b>[^，。？,?]{2,30}?)的?(?:多少|几)倍"),
    re.compile(r"(?P<a>[^，。？,?]{2,30}?)比(?P<b>[^，。？,?]{2,30}?)(?:高|低|大|小|多|少|长|短|重|轻|快|慢|贵)"),
    re.compile(r"(?P<a>[^，。？,?]{2,30}?)(?:和|与)(?P<b>[^，。？,?]{2,30}?)(?:相差|相比|的差|的区别)"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the search and the test of sentences take it."""

    text: str
    terms: tuple[str, ...]
    """What a sentence is measured by: lower case, plurals folded, without words of no matter; each once."""
    kept: frozenset[str]
    """Function words among the terms: quoted ones, and names of documents (`the with statement`)."""
    things: tuple[str, ...]
    """What the question names."""
    sides: tuple[str, ...] = ()
    """What it sets side by side: a sentence may answer for one of them alone."""

    def query(self, without: Collection[str] = ()) -> str:
        """The words to search for, as they were written; words kept for being quoted stay quoted."""
        found: list[str] = []
        for word in _WRITTEN.findall(self.text):
            folded = fold(word) or (word.lower() if word.lower() in self.kept else "")
            if folded in without or not (folded in self.terms or _has_any(word, self.terms)):
                continue
            shown = f'"{word}"' if folded in self.kept else word
            if shown not in found:
                found.append(shown)
        return " ".join(found)

    def about(self, side: str) -> "Asked":
        """The same question about one of its sides only."""
        own = set(terms(side)) | {word.lower() for word in words(side)}
        others = {term for other in self.sides if other != side for term in terms(other)} - own
        return Asked(self.text, tuple(term for term in self.terms if term not in others), self.kept, (side,))


def asked(text: str, names: Collection[str] = ()) -> Asked:
    """Reads a question. `names`: the names of the documents at hand, in lower case."""
    kept = frozenset(_kept(text, names))
    quoted = _quoted_words(text)
    out = WITHOUT_MATTER - quoted
    found = dict.fromkeys(term for term in terms(_without_computing(text, quoted)) if term not in out)
    things = tuple(named_things(text))
    measured = (*found, *(word for word in sorted(kept) if word not in found))
    return Asked(text, measured, kept, things, things if len(things) > 1 else _sides(text))


def _without_computing(text: str, quoted: Collection[str]) -> str:
    def blank(match: re.Match[str]) -> str:
        return match[0] if match[0].lower() in quoted else " "

    return _HOW_MUCH.sub(blank, _COMPARED.sub(blank, _COMPUTING.sub(blank, text)))


def _sides(text: str) -> tuple[str, ...]:
    found = next((match for pattern in _SIDES if (match := pattern.search(text))), None)
    return (found["a"], found["b"]) if found else ()


def may_name(text: str) -> list[str]:
    """Function words that stand before `statement`, `operator` …: they count when a document has such a name."""
    written = words(text)
    return [word.lower() for word, after in pairwise(written) if fold(after) in _KINDS and is_function_word(word)]


def kept_in(text: str, kept: Collection[str]) -> list[str]:
    """Where function words that were kept stand in a text as what is spoken of: quoted, or before `statement` …"""
    if not kept:
        return []
    quoted = [word.lower() for inner in _QUOTED.findall(text) for word in words(inner)]
    return [word for word in (*quoted, *may_name(text)) if word in kept]


def _kept(text: str, names: Collection[str]) -> list[str]:
    quoted = [word for word in _quoted_words(text) if is_function_word(word)]
    return [*quoted, *(word for word in may_name(text) if word in names)]


def _quoted_words(text: str) -> set[str]:
    return {word.lower() for inner in _QUOTED.findall(text) for word in words(inner)}


def _has_any(word: str, wanted: Sequence[str]) -> bool:
    return any(term in wanted for term in terms(word))
