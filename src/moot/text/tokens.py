"""Estimates how many tokens a text costs, without any provider's tables. Whole requests: models/reserve.py."""

import re
from collections import OrderedDict

_CJK = (
    "\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
_LATIN = re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]+")
_WIDE = re.compile(f"[{_CJK}]+")
_BLANK = re.compile(r"[\s\x00-\x1f\x7f\u200b-\u200f\u2060\ufeff]+")


_LONG = 20_000
_MOST_KNOWN = 8_192
_KNOWN: OrderedDict[tuple[int, int], int] = OrderedDict()
"""Estimates by length and hash; keeping the texts themselves took megabytes."""


def estimate(text: str) -> int:
    """About how many tokens a text is: 0.8 a CJK character, 0.25 a Latin letter, 0.5 for any other visible one."""
    return _counted(text) if len(text) > _LONG else _remembered(text)


def _counted(text: str) -> int:
    blank, latin, wide = _length(_BLANK, text), _length(_LATIN, text), 0
    if not text.isascii():
        wide = _length(_WIDE, text)
    # digits weigh as other visible characters do, so they need no count of their own
    tenths = 16 * wide + 5 * latin + 10 * (len(text) - blank - latin - wide)
    return -(-tenths // 20)


def _remembered(text: str) -> int:
    """The same, kept by the text's hash: an agent's history is estimated anew in every turn, and is long."""
    key = len(text), hash(text)
    known = _KNOWN.get(key)
    if known is None:
        known = _KNOWN[key] = _counted(text)
        if len(_KNOWN) > _MOST_KNOWN:
            _KNOWN.popitem(last=False)
    return known


def _length(pattern: re.Pattern[str], text: str) -> int:
    return sum(map(len, pattern.findall(text)))


def picture_tokens(width: int, height: int, *, low: bool = False) -> int:
    """What a picture costs by OpenAI's rule: 85, and for high detail 170 for each tile of 512 pixels after scaling.

    A side of 0 is refused: ValueError.
    """
    if width <= 0 or height <= 0:
        raise ValueError(f"a picture of {width}x{height} has no pixels")
    if low:
        return 85
    fitted = min(1.0, 2_048 / max(width, height))
    scale = fitted * 768 / (min(width, height) * fitted)  # the shorter side becomes 768, also of a small picture
    across, down = (-(-max(1, round(side * scale)) // 512) for side in (width, height))
    return 85 + 170 * across * down
