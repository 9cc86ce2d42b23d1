"""How wide a text stands on a terminal: Chinese characters take two columns."""

import unicodedata


def width(text: str) -> int:
    """Columns that a text takes."""
    return sum(
        2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text if not unicodedata.combining(sign)
    )


def padded(text: str, columns: int) -> str:
    """The text with blanks after it, so that what follows stands in line."""
    return text + " " * max(0, columns - width(text))


def cut(text: str, columns: int) -> str:
    """The text on one line, at most so wide; what was cut ends with `…`."""
    line = " ".join(text.split())
    if width(line) <= columns:
        return line
    kept, used = [], 1
    for sign in line:
        used += width(sign)
        if used > columns:
            break
        kept.append(sign)
    return "".join(kept).rstrip() + "…"
