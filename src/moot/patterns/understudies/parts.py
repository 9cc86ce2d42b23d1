"""Takes a question apart: its parts, whether one is direct, what is compared, whether something is to be computed."""

import re

from moot.text.language import only_asks_for_a_locale
from moot.text.scripts import cjk_share
from moot.text.words import words

_PREPOSITION = r"(?:(?:in|at|on|by|for|from|to|of|with|under|since|until|through|into|about)\s+)?"
_INTERROGATIVE = r"(?:what|which|who|whom|whose|when|where|why|how)(?:'s|’s|'re|’re)?"
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|may|might|must|shall|isn't|aren't|doesn't)"
)
_STARTS_TO_COMPUTE = r"(?:calculate|compute|convert|work out)"
_DIRECT = re.compile(rf"\W*(?:{_PREPOSITION}{_INTERROGATIVE}|{_AUXILIARY}|{_STARTS_TO_COMPUTE})\b", re.IGNORECASE)
_DIRECT_ZH = re.compile(
    r"什么|谁|哪|如何|多少|多[高大长远重久快深宽厚贵]|几|吗|怎么|怎样|为何|是否|是不是|能否|可否|何时|何地|有没有|计算"
)
_WIDE = re.compile(
    r"\b(?:analy[sz]e|analysis|research|impacts?|markets?|strateg(?:y|ies|ic)|should|investigate|overview)\b"
    r"|分析|研究|影响|市场|策略|战略|应该|应当|调研|综述",
    re.IGNORECASE,
)
_COMPUTING = re.compile(
    r"\b(?:calculate|compute|how many times|ratio (?:of|between)|average|sum of|total of|percent(?:age)? change"
    r"|change in percent|growth rate|cagr|convert\b(?=.*\d)|how much (?:\w+er|more|less) .*\bthan"
    r"|how many \w+ (?:more|less|fewer)|difference in)\b"
    r"|计算|多少倍|几倍|平均|增长率|变化率|百分比变化|总和|合计|相差多少|换算",
    re.IGNORECASE | re.DOTALL,
)
_COMPARE = re.compile(r"^\W*(?:please )?(?:compare|contrast)\s+(?P<sides>.+)$", re.IGNORECASE | re.DOTALL)
_VERSUS = re.compile(r"^(?P<sides>.+?\s(?:vs\.?|versus)\s.+)$", re.IGNORECASE | re.DOTALL)
_COMPARE_ZH = re.compile(
    r"^\W*(?:请)?(?:比较|对比)(?:一下)?(?P<sides>.+)$|^(?P<before>.+?)的?(?:比较|对比)[。？?！!]*$", re.DOTALL
)
_AND = re.compile(r"\s*,?\s+(?:and|with|to|vs\.?|versus)\s+|\s*,\s+|\s+vs\.?\s+|和|与|跟|及|、", re.IGNORECASE)
_ASPECT = re.compile(
    r"\s+(?P<aspect>(?:in terms of|with respect to|with regard to|regarding|concerning)\s.+)$"
    r"|(?:在)?(?P<zh>[^和与跟及、]{1,12}方面)(?:的(?:差异|区别|不同|异同))?$",
    re.IGNORECASE | re.DOTALL,
)
_HEAD = re.compile(r"^(?P<head>(?:the\s+)?[\w -]{2,40}?\s(?:of|in|for)\s)(?P<rest>.+)$", re.IGNORECASE)
_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her)\b|[它其他她]"
    r"|^\W*(?:那么?|又|还)?(?:是)?(?:何时|何地|什么时候|在哪|哪[里年]|多少|多[高大长远重久快深宽厚贵]|几|为何|为什么|怎么|如何).{0,6}$",
    re.IGNORECASE,
)
_LONGEST_DIRECT = 25
MOST_SIDES = 4


def parts(question: str) -> list[str]:
    """The parts of a question: cut at question marks, semicolons and lines; the wish for a language is none."""
    found = re.findall(r"[^?？;；\n]+[?？]*", question)
    return [part.strip() for part in found if re.search(r"\w", part) and not only_asks_for_a_locale(part)]


def leans(part: str) -> bool:
    """True for a part that names nothing itself, and is asked of what stood before: "When was it built?", 何时建成？"""
    return bool(_LEANS.search(part))


def is_direct(part: str) -> bool:
    """True for one short question that wants one answer, not a survey."""
    if _WIDE.search(part) or _length(part) > _LONGEST_DIRECT:
        return False
    return bool(_DIRECT_ZH.search(part)) if cjk_share(part) > 0.3 else bool(_DIRECT.match(part))


def wants_computing(question: str) -> bool:
    """True when the question holds a word of computing."""
    return bool(_COMPUTING.search(question))


def compared(question: str) -> tuple[str, ...]:
    """The sides of "compare A and B", "A vs B", 比较A和B, each whole; none when nothing is compared."""
    text = question.strip().rstrip("?？.。!！")
    found = _COMPARE.match(text) or _VERSUS.match(text)
    if found:
        sides = found["sides"]
    elif zh := _COMPARE_ZH.match(text):
        sides = zh["sides"] or zh["before"]
    else:
        return ()
    aspect = _ASPECT.search(sides)
    ending = (aspect["aspect"] or aspect["zh"] or "") if aspect else ""
    named = [side.strip() for side in _AND.split(sides[: aspect.start()] if aspect else sides) if side and side.strip()]
    if len(named) < 2:
        return ()
    owned = re.search(r"的[^的]+$", named[-1])
    if owned and not ending:
        named = [side if "的" in side else side + owned[0] for side in named]
    return tuple(_whole(side, named[0], ending) for side in named[:MOST_SIDES])


def _whole(side: str, first: str, ending: str) -> str:
    """A side with what stands once for all: `the GDP of Japan and Germany`, `in terms of cost`."""
    head = _HEAD.match(first)
    if head and side != first and not _HEAD.match(side):
        side = head["head"] + side
    blank = "" if cjk_share(side) > 0.3 else " "
    return f"{side}{blank}{ending}" if ending else side


def _length(part: str) -> float:
    count = len(words(part))
    return count / 1.6 if cjk_share(part) > 0.3 else count
