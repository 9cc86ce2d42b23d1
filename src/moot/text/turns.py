"""Words that turn a sentence: what denies, rises or falls, doubts, alleges, widens. Counted, never understood.

The words are tables in `text/data/`; what they mean for a claim is told in evidence/verdicts.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from moot.text.tables import any_of, pattern, word_table


@lru_cache
def _negators() -> re.Pattern[str]:
    table = word_table("polarity")
    negators = any_of(
        word for word in table["negators"] if not word.startswith("n"[0] + "'") and word not in ("n't", "n’t")
    )
    both = (
        r"\bneither\b[^.;。\n]{1,80}?\bnor\b"
        r"|既(?:没有|[不没未无])[^。；，,\n]{1,30}?[也又](?:没有|[不没未无])"
    )
    none = any_of(table["no_negators"])
    return re.compile(rf"(?P<none>{none})|(?P<not>{both}|{negators}|n['’]t\b)", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def denials(text: str) -> int:
    """How many words of a text deny; `neither … nor` is one."""
    return sum(match["not"] is not None for match in _negators().finditer(text))


_COMPARED = re.compile(
    r"\b(?:more|less|fewer|greater|higher|lower)\s+than\s+(?=[\d$€£]|[a-z]+\s(?:thousand|million|hundred))",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"(?:above|below|under|over|exceed(?:s|ed|ing)?|超过|超出|高于|低于|少于)\s?(?=[\d$€£¥一二三四五六七八九十百千万])",
    re.IGNORECASE,
)
_UP = re.compile(
    r"\b(?P<up>up)\s+(?=\d|[$€£])|\b(?P<down>down)\s+(?=\d|[$€£])"
    r"|(?P<cup>[增涨升])(?=[\d至到了约逾])|(?P<cdown>[减跌降])(?=[\d至到了约逾])",
    re.IGNORECASE,
)


@lru_cache(maxsize=8_192)
def directions(text: str) -> Mapping[str, frozenset[str]]:
    """The axes a text has words of, and on which sides: {"rise": {"a"}}. Bounds of figures are none."""
    text = _NUMBERED.sub(" ", _COMPARED.sub(" ", text))
    found: dict[str, set[str]] = {}
    for key in word_table("direction"):
        if pattern("direction", key).search(text):
            axis, _, side = key.rpartition("_")
            found.setdefault(axis, set()).add(side)
    for match in _UP.finditer(text):
        found.setdefault("rise", set()).add("a" if match["up"] or match["cup"] else "b")
    return {axis: frozenset(sides) for axis, sides in found.items()}


@lru_cache(maxsize=8_192)
def has(text: str, *lists: str) -> bool:
    """True when a word of those lists of shifts.toml stands in a text. `May`, the month, is no hedge."""
    found = pattern("shifts", *lists).finditer(text)
    return any(match.group() != "May" and not _is_other_word(text, match) for match in found)


_OTHER_WORDS: Mapping[str, str] = {
    "拟": "模拟|虚拟|拟合|比拟", "可能": "不可能", "令": "司令|命令|法令|禁令|指令|夏令",
    "使": "使用|大使|使命|即使|使馆|天使", "都": "首都|都市|成都|京都|古都|都江",
    "均": "平均|人均|日均|年均|均值|户均|月均",
    "部分": "大部分", "有的": "所有的|拥有的|持有的|具有的|仅有的|原有的|现有的", "数家": "多数家", "少数": "少数民族",
    "之一": r"分之一", "称": "称为|名称|职称|对称|号称|堪称|称重|称号", "说": "小说|说明|学说",
    "要求": "符合要求|达到要求", "将": "将军|将士|将近|名将|干将", "if": "as if|even if|what if",
    "除": "除夕|排除|清除|消除|扣除|开除|免除|除了|删除|拆除", "若": "若干",
    "希望": "希望小学|希望工程", "规划": "规划局|规划师|规划院", "有关": "有关部门|有关方面",
    "相关": "相关部门|相关负责|相关方|相关人", "准备": "准备金", "all": "in all|at all|above all|after all|all-time",
    "likely": "unlikely", "only": r"not only|only (?:\d|about|a\b)", "most": "at most|the most|most recent",
}  # fmt: skip
"""A word within which another is no such word: 模拟 plans nothing."""


def _is_other_word(text: str, match: re.Match[str]) -> bool:
    other = _OTHER_WORDS.get(match.group().lower())
    if other is None:
        return False
    around = text[max(0, match.start() - 10) : match.end() + 10]
    offset = match.start() - max(0, match.start() - 10)
    return any(found.start() <= offset < found.end() for found in re.finditer(other, around, re.IGNORECASE))


_NO_FIRST = "quarter|half|time|year|two|three|few|day|week|month|phase|stage"
_EST = re.compile(
    r"\bthe\s+(?:\w+\s+)?most\s+(?P<adjective>[a-z]+)|\bleast\s+(?P<least>[a-z]+)"
    rf"|\bthe\s+(?P<first>first|last|only)\b(?!\s+(?:{_NO_FIRST}))",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\b(?:(?:one|some|two|three|four|five|several|many)\s+of|among)\s+(?:the|its|his|their|our|[a-z]+['’]s)\s"
    r"(?:[\w'’-]+\s){0,3}?(?P<word>[a-z]+est|most\s+[a-z]+)\b"
    r"|(?P<zui>最[\u4e00-\u9fff])[^，。；,;\n]{0,24}之一",
    re.IGNORECASE,
)
_RANKED = re.compile(
    r"\b(?P<rank>second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)[-\s]"
    r"(?P<word>[a-z]+est|most\s+[a-z]+)\b|第(?P<place>[二三四五六七八九十])(?P<what>[大高长多深小低重快宽远])",
    re.IGNORECASE,
)
_ZUI = re.compile(
    r"最(?!近|后|终|高人民|多(?=\d)|少(?=\d)|初|新|多可|为)(?P<what>[\u4e00-\u9fff])"
    r"|(?P<first>首[个家座次位例批创]|第一[个家座次位大]|唯一|居首|榜首|之最)"
)


@lru_cache(maxsize=8_192)
def superlatives(text: str) -> frozenset[str]:
    """The superlatives of a text, one word for what means the same: largest and biggest.

    `one of the largest` and `second largest` are superlatives of their own.
    """
    apart: set[str] = set()
    for match in (*_ONE_OF.finditer(text), *_RANKED.finditer(text)):
        apart.add(_apart(match))
        text = text[: match.start()] + " " * len(match.group()) + text[match.end() :]
    return frozenset((*apart, *_plain_superlatives(text)))


def _apart(match: re.Match[str]) -> str:
    same = dict(pair.split("=") for pair in word_table("shifts")["superlatives_same"])
    told = match.groupdict()
    word = (told["word"] or told.get("zui") or told.get("what") or "").lower()
    rank = told.get("rank") or told.get("place")
    return f"{rank or 'one of'} {same.get(word, word)}".lower()


def _plain_superlatives(text: str) -> set[str]:
    same = dict(pair.split("=") for pair in word_table("shifts")["superlatives_same"])
    found = {
        match.group().lower()
        for match in pattern("shifts", "superlatives_en").finditer(text)
        if not _is_other_word(text, match)
    }
    found = {same.get(word, word) for word in found}
    for match in _EST.finditer(text):
        found.add(
            (match["adjective"] and f"most {match['adjective']}")
            or (match["least"] and f"least {match['least']}")
            or match["first"].lower()
        )
    for match in _ZUI.finditer(text):
        found.add(f"最{match['what']}" if match["what"] else "唯一" if match["first"] == "唯一" else "第一")
    return {word.lower() for word in found}


def scope(text: str) -> int:
    """How much a text speaks of: 3 all, 2 most, 1 some, 0 untold; the least of what it names."""
    for level, name in ((1, "scope_some"), (2, "scope_most"), (3, "scope_all")):
        if has(text, name):
            return level
    return 0


def populations(text: str) -> Mapping[str, frozenset[str]]:
    """Whom a text speaks of, by axis: mice or humans, children or adults."""
    found: dict[str, set[str]] = {}
    for key in word_table("shifts"):
        if key.startswith("population_") and pattern("shifts", key).search(text):
            axis, _, side = key.removeprefix("population_").partition("_")
            found.setdefault(axis, set()).add(side)
    return {axis: frozenset(sides) for axis, sides in found.items()}
