"""Cleans texts from outside, once, at the door. Charsets and odd encodings are web/charset.py's business."""

import re

_BAD = re.compile("[\x00\ud800-\udfff]")
_ESCAPED = re.compile(r"\\(?:u0000|u[dD][89abAB]..\\u[dD][c-fC-F]..|u[dD][89a-fA-F]..|.)")
_BAD_ESCAPED = re.compile(r"\\u(?:0000|[dD][89a-fA-F]..)")


def clean(text: str) -> str:
    """The text with NUL and lone surrogates turned into U+FFFD: no database and no JSON of ours takes them."""
    if text.isascii() and "\x00" not in text:
        return text
    return _BAD.sub("\ufffd", text)


def clean_json(text: str) -> str:
    """JSON with what its strings may not hold behind escapes turned into U+FFFD."""
    if not any(escape in text for escape in ("\\u0000", "\\ud", "\\uD")):
        return text
    return _ESCAPED.sub(lambda found: "\\ufffd" if _BAD_ESCAPED.fullmatch(found[0]) else found[0], text)
