"""Which way a text is written."""

import unicodedata


def is_rtl(text: str) -> bool:
    """True when its first letter of any direction is written from right to left."""
    ways = (unicodedata.bidirectional(sign) for sign in text)
    return next((way != "L" for way in ways if way in ("L", "R", "AL")), False)
