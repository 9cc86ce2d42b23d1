"""Text as the index holds it and asks for it: case folded, CJK as bigrams, operators as words."""

import itertools
import re
import unicodedata

from moot.text.scripts import CJK_SET
from moot.text.words import OPERATORS

_RUN = re.compile(f"[{CJK_SET}]+")
_OPERATOR = "|".join(re.escape(sign) for sign in sorted(OPERATORS, key=len, reverse=True))
_SIGNS = re.compile(rf"(?<![\w:*/=<>|&])(?:{_OPERATOR})(?![\w*/=<>|&])|(?<=\w)(?:{_OPERATOR})(?=\w)")
_MAYBE = re.compile(r"[=*/<>:+\-%@&|^~!][=*/<>&|]")


def grams(text: str) -> str:
    """The text for SQLite's unicode61 tokenizer, which alone finds no Chinese word within a sentence.

    Each run of Han, kana or Hangul becomes its bigrams and its last character, so that a lone one is found by prefix.
    """
    if not text.isascii():
        text = _RUN.sub(_bigrams, unicodedata.normalize("NFKC", text).casefold())
    if _MAYBE.search(text):
        text = _SIGNS.sub(lambda sign: f" {operator(sign[0])} ", text)
    return text


def operator(sign: str) -> str:
    """The word under which an operator such as `==` is indexed."""
    return "xop" + sign.encode("utf-8").hex()


def _bigrams(found: re.Match[str]) -> str:
    run = found[0]
    return f" {' '.join(map(''.join, itertools.pairwise(run)))} {run[-1]} "
