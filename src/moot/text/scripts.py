"""Which script a character belongs to, as far as cutting, searching and guessing a language need it."""

import re

_HAN_SET = "\u3005\u3007\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_KANA_SET = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL_SET = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"

HAN = re.compile(f"[{_HAN_SET}]")
KANA = re.compile(f"[{_KANA_SET}]")
HANGUL = re.compile(f"[{_HANGUL_SET}]")
CJK_SET = _HAN_SET + _KANA_SET + _HANGUL_SET
"""The inside of a character class: Han, kana and Hangul."""
CJK = re.compile(f"[{CJK_SET}]")
_CJK_RUN = re.compile(f"[{CJK_SET}]+")
_LETTERS = re.compile(r"[^\W\d_]+")


def is_han(ch: str) -> bool:
    """True for a Chinese character."""
    return HAN.match(ch) is not None


def is_kana(ch: str) -> bool:
    """True for hiragana and katakana."""
    return KANA.match(ch) is not None


def is_hangul(ch: str) -> bool:
    """True for a Korean syllable or letter."""
    return HANGUL.match(ch) is not None


def is_cjk(ch: str) -> bool:
    """True for Han, kana and Hangul: scripts whose words are not told apart by blanks alone."""
    return CJK.match(ch) is not None


def cjk_share(text: str) -> float:
    """Which part of the letters is Han, kana or Hangul; 0 when there is no letter."""
    if text.isascii():
        return 0.0
    cjk = sum(map(len, _CJK_RUN.findall(text)))
    return cjk / sum(map(len, _LETTERS.findall(text))) if cjk else 0.0
