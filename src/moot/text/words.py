"""Words and search terms of a text. Which of them name something is names.py's business."""

import re
import unicodedata
from functools import lru_cache

from moot.text.scripts import CJK_SET

FUNCTION_WORDS = frozenset(
    # articles, pronouns, prepositions, conjunctions, auxiliaries, interrogatives
    "a an the this that these those such each every either neither any some all both no none other another same own "
    "i me my mine we us our ours you your yours he him his she her hers it its they them their theirs one ones "
    "myself yourself himself herself itself ourselves themselves who whom whose which what when where why how "
    "about above across after against along among amid around as at before behind below beneath beside between beyond "
    "by despite down during except for from in inside into like near of off on onto out outside over past per since "
    "through throughout to toward towards under until up upon via with within without than "
    "and or but nor so yet if unless although though because while whereas whether then else "
    "am is are was were be been being do does did done doing have has had having can could may might must shall should "
    "will would ought need let not there here also too very just only even still again ever never more most less least "
    "much many few lot lots several s t d ll m re ve don isn aren wasn weren doesn didn hasn haven "
    "couldn shouldn wouldn "
    "won ain please tell".split()
)

CJK_FUNCTION = (
    "什么 甚么 怎么样 怎么 怎样 如何 为什么 为何 多少 哪些 哪个 哪里 哪儿 哪 几个 是否 是不是 有没有 能否 可否 谁 "
    "以及 因为 所以 如果 关于 对于 由于 根据 按照 我们 他们 她们 它们 你们 咱们 自己 这个 那个 这些 那些 这样 那样 "
    "这里 那里 一个 一些 一种 还是 或者 并且 而且 但是 然而 因此 的话 请问 请 吗 呢 吧 啊 呀 么 的 了 着 是 在 和 与 "
    "及 或 把 被 之 其 这 那 也 都 很 而 但 我 你 他 她 它 们"
).split()
"""Function words of Chinese, longest first where one begins another: a run of characters is cut at them."""

OPERATORS = "**= //= >>= <<= == != <= >= := -> ** // << >> += -= *= /= %= @= &= |= ^= ~= <> && ||".split()

_DUNDER = re.compile(r"__\w+__")
_CJK_CUT = re.compile("|".join(sorted(map(re.escape, CJK_FUNCTION), key=len, reverse=True)))
_OPERATOR = "|".join(re.escape(sign) for sign in sorted(OPERATORS, key=len, reverse=True))
_QUOTED_SIGN = r"(?<=[\"“”'‘’`])[-+*/%@&|^~<>=](?=[\"“”'‘’`])"
_TERM = re.compile(
    rf"(?P<cjk>[{CJK_SET}]+)|(?P<number>\d+(?:[.,:]\d+)+)|(?P<word>[^\W{CJK_SET}]+(?:['’][^\W\d_]+)?)"
    rf"|(?P<open>(?<![\w:*/=<>|&])(?:{_OPERATOR})(?![\w*/=<>|&]))|(?P<tight>(?<=\w)(?:{_OPERATOR})(?=\w))"
    rf"|(?P<sign>{_QUOTED_SIGN})"
)
_WORD = re.compile(rf"[{CJK_SET}]|\d+(?:[.,:]\d+)+|[^\W{CJK_SET}]+(?:['’-][^\W\d_]+)*")


def is_function_word(word: str) -> bool:
    """True for a word that carries no matter of its own: the, of, does, what, 的, 什么."""
    return word.lower() in FUNCTION_WORDS or word in CJK_FUNCTION


def words(text: str) -> list[str]:
    """The words as they are written; a Chinese, Japanese or Korean character counts as one."""
    return _WORD.findall(text)


def terms(text: str) -> list[str]:
    """Search terms in order: lower case, plurals folded, function words out, operators kept, CJK as bigrams."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    found: list[str] = []
    for match in _TERM.finditer(text):
        kind, written = match.lastgroup, match.group()
        if kind == "word":
            word = fold(written)
            if word:
                found.append(word)
        elif kind == "cjk":
            found += bigrams(written)
        else:
            found.append(written)
    return found


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """A word as it is searched: lower case, no possessive, singular; `` for a function word. `__del__` is not `del`."""
    if _DUNDER.fullmatch(word):
        return word.lower()
    word = word.lower().strip("_")
    for sign in ("'", "’"):
        head, _, tail = word.partition(sign)
        if tail in ("s", "t", "re", "ve", "ll", "d", "m"):
            word = head
    if word in FUNCTION_WORDS:
        return ""
    return singular(word)


def singular(word: str) -> str:
    """An English plural folded; anything else as it is. The same for `class` and `classes`, `key` and `keys`."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")) or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def bigrams(run: str) -> list[str]:
    """Pairs of neighbouring characters of a run, after cutting it at function words; a lone one stays alone."""
    found: list[str] = []
    for piece in _CJK_CUT.split(run):
        if len(piece) == 1:
            found.append(piece)
        else:
            found += [piece[i : i + 2] for i in range(len(piece) - 1)]
    return found
