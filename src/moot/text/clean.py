"""Cleans texts from outside, once, at the door. Charsets and odd encodings are web/charset.py's business."""

import re

_BAD = re.compile("[\x00\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with NUL and lone surrogates turned into U+FFFD: no database and no JSON of ours takes them."""
    if text.isascii() and "\x00" not in text:
        return text
    return _BAD.sub("\ufffd", text)
