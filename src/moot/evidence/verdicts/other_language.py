"""Test: claim and passages are in scripts that can be compared by their words; else what figures and names tell."""

import re

from moot.text.scripts import CJK

_PLAIN_WORD = re.compile(r"(?<![A-Za-z])[a-z][a-z'’-]+")


def is_chinese(text: str) -> bool:
    """True for a text that is mostly Chinese; names and units in Latin letters aside."""
    signs = len(CJK.findall(text))
    return signs > 1 and signs > 1.5 * len(_PLAIN_WORD.findall(text))
