"""Plays the keyworder and the decomposer of a brief without a model: the two sides of a comparison, fixed aspects."""

import re

from moot.agents.agent import Gate, Given
from moot.patterns.brief.values import Keywords, SubQuestions
from moot.patterns.wording import worded

MOST_CHARS = 80
_ENDING = ".。!！?？…;；,，:： \t\n"
_BETWEEN = re.compile(
    r"\s+(?:vs\.?|versus|compared (?:with|to))\s+|(?<=[^\x00-\x7f])\s*vs\.?\s*(?=[^\x00-\x7f])"
    r"|\s*(?:对比|比较|相比)\s*",
    re.IGNORECASE,
)
_WITH = re.compile(r"\s*[与和跟]\s*")
_COMPARES = re.compile(r"区别|差异|对比|比较|哪个")
_TAIL = re.compile(
    r"(?:之间)?(?:的)?(?:(?:主要|有什么|有何)?(?:区别|差异|不同)|哪个.*|对比|比较)(?:是什么|在哪里?|吗|呢)?\s*\Z"
)
_ASKS = re.compile(
    r"\A(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|will|would|has"
    r"|have)\b"
    r"|什么|为何|如何|怎[么样]|多少|哪[个些里]?|是否|吗\s*\Z|谁",
    re.IGNORECASE,
)
_PAIRS = (
    ("{a} vs {b}: features", "{a} vs {b}：功能对比"),
    ("{a} vs {b}: safety and rules", "{a} vs {b}：安全与合规"),
    ("{a} vs {b}: use in practice", "{a} vs {b}：实际使用"),
    ("{a} vs {b}: outlook", "{a} vs {b}：发展前景"),
)
_ALONE = (
    ("What is {t} and how does it work", "{t}是什么，如何运作"),
    ("{t}: current state and figures", "{t}：现状与数据"),
    ("{t}: limits, risks and criticism", "{t}：局限、风险与争议"),
    ("{t}: outlook", "{t}：发展前景"),
)


async def keyworder(gate: Gate, given: Given) -> Keywords:
    """The two sides of a comparison, else the topic."""
    return Keywords(keywords=sides(str(given["topic"])))


async def decomposer(gate: Gate, given: Given) -> SubQuestions:
    """The first so many of four aspects, of both sides or of the topic."""
    most = given["most"]
    assert isinstance(most, int)
    return SubQuestions(questions=aspects(str(given["topic"]), str(given["locale"]))[:most])


def sides(topic: str) -> tuple[str, ...]:
    """What a topic sets side by side, the first two; the topic itself where that is nothing."""
    plain = " ".join(topic.split()).rstrip(_ENDING)
    found = [part.strip(_ENDING) for part in _BETWEEN.split(plain)]
    if len([part for part in found if part]) < 2 and _COMPARES.search(plain):
        found = [part.strip(_ENDING) for part in _WITH.split(_TAIL.sub("", plain), maxsplit=1)]
    pair = tuple(dict.fromkeys(part[:MOST_CHARS] for part in found if part))[:2]
    return pair if len(pair) == 2 else (plain[:MOST_CHARS] or topic[:MOST_CHARS],)


def aspects(topic: str, locale: str) -> tuple[str, ...]:
    """Four sub-questions in the locale's language."""
    both = sides(topic)
    if len(both) == 2:
        return tuple(worded(locale, *wording, a=both[0], b=both[1]) for wording in _PAIRS)
    plain = " ".join(topic.split()).rstrip(_ENDING)
    asked = (" ".join(topic.split()),) if _ASKS.search(plain) else ()
    rest = tuple(worded(locale, *wording, t=plain) for wording in (_ALONE[1:] if asked else _ALONE))
    return tuple(question[:200] for question in (*asked, *rest))
