"""Which sentences of a report claim nothing that a source must bear. Data and one function; the check asks it."""

import re
from collections.abc import Iterable

from moot.evidence.drafts.claims import Piece
from moot.text.names import named_things
from moot.text.quantities import quantities
from moot.text.words import terms

_LEAST_WORDS = 3
_COUNTED = r"(?:tables?|sections?|chapters?|lists?|figures?|parts?|points?|proposals?)"
_ABOUT = re.compile(
    r"\A(?:this|the present|our)\s+(?:report|section|chapter|document|analysis|overview|summary|table|figure)\b"
    rf"|\A(?:the\s+)?{_COUNTED}\s+(?:below|above|that follows|shows?|lists?|summari[sz]es?)\b"
    rf"|\A(?:the\s+following|below|in what follows|next)\b[^.]{{0,60}}\b{_COUNTED}\b"
    rf"|\A(?:the|our)\s+(?:next|previous|following|last|first|second|third|final)\s+{_COUNTED}\b"
    rf"|\A(?:in\s+)?{_COUNTED}\s+\d+\s+(?:we|describes?|shows?|lists?|compares?|discusses|presents?)\b"
    r"|\A(?:below|above|here|next|first|then|finally),?\s+(?:we|the report)\b"
    r"|\Awe\s+(?:first|then|next|now|begin|turn)\b"
    r"|\A(?:本报告|本文|本节|本章|本部分|下表|上表|下图|上图|下文|上文|以下|下面|下一[节章部]|上一[节章部]|接下来|后文|前文"
    r"|第[一二三四五六七八九十\d]+[节章部]分?)",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\A(?:we|i|the authors?)\s+(?:recommend|suggest|advise|propose)\b"
    r"|\A(?:it is|it would be)\s+(?:recommended|advisable|wise)\b"
    r"|\A(?:readers?|users?|companies|policy ?makers|investors?|you)\s+should\b"
    r"|\A(?:consider|please)\b|\A(?:建议|应当|应该|不妨|请)",
    re.IGNORECASE,
)
_SOUGHT = r"(?:information|data|evidence|sources?|passages?|figures?|documents?|results?|answer)"
_NOT_FOUND = re.compile(
    rf"\b(?:no|not any)\s+(?:\w+\s+){{0,3}}?{_SOUGHT}\b[^.]{{0,80}}"
    r"\b(?:found|available|given|provided|read|was|were|could)\b"
    r"|\b(?:was|were|is|are|has been|have been|could)\s+not\s+(?:be\s+)?"
    r"(?:found|provided|given|available|located|answered)\b"
    r"|\bnot provided\b|\bnothing\s+(?:\w+\s+){0,3}?found\b|\bfound\s+(?:nothing|no)\b"
    r"|未(?:能)?(?:找到|查到|提供|发现|检索到)|没有(?:找到|查到|提供|检索到)|无(?:相关)?(?:资料|数据|信息|来源)|找不到",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(
    r"\A(?:therefore|overall|thus|hence|in (?:summary|conclusion|short|sum|total)|taken together|to (?:sum up|conclude)"
    r"|all in all|consequently|as a result)\b|\A(?:因此|综上|总之|总的来说|总体|由此|可见|所以|总而言之)",
    re.IGNORECASE,
)
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|[一二三四五六七八九十\d]+月"
)


def is_exempt(piece: Piece, verified_before: Iterable[str]) -> bool:
    """True for a piece that claims no fact. `verified_before`: the verified sentences of its paragraph so far."""
    words = piece.words
    if piece.row is not None:
        return False
    if piece.is_question:
        return True
    particular = particulars(words)
    if _ABOUT.match(words) and not any(q.dimension != "count" for q in quantities(words)):
        return not named_things(words)
    if not particular and (_ADVICE.match(words) or len(terms(words)) < _LEAST_WORDS):
        return True
    if _NOT_FOUND.search(words) and not quantities(words):
        return True
    if _CONCLUSION.match(words):
        known = " ".join(verified_before)
        return bool(known) and all(one in particulars(known) for one in particular)
    return False


def particulars(words: str) -> frozenset[str]:
    """The quantities, dates and names of a sentence, as written."""
    found = [q.written.casefold() for q in quantities(words)] + [name.casefold() for name in named_things(words)]
    return frozenset((*found, *(month.casefold() for month in _MONTH.findall(words))))
