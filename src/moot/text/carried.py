"""Finds words of a text in an address that was made of them, however it escapes them: runs of characters alike."""

import base64
import binascii
import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

LEAST = 40
"""Running characters of a text that an address may not carry; letter case and blanks aside."""
_NESTED = 3
"""How often an address is decoded: an address in a parameter of an address."""
_PACKED = re.compile(r"[A-Za-z0-9+/_-]{24,}")
_BETWEEN = re.compile(r"[\s\-_+.,;:|/]+")


def decoded(address: str) -> tuple[str, ...]:
    """What an address may mean: as it stands, its escapes decoded as often as there are any, and what base64 holds."""
    forms = [address]
    for _ in range(_NESTED):
        if (plain := unquote_plus(forms[-1])) == forms[-1]:
            break
        forms.append(plain)
    packed = [text for form in tuple(forms) for run in _PACKED.findall(form) for text in _unpacked(run)]
    return tuple(dict.fromkeys((*forms, *packed)))


def carries(address: str, text: str) -> bool:
    """True when an address, decoded, holds 40 running characters of a text."""
    whole = _plain(text)
    return any(_shares(_plain(form), whole) for form in decoded(address))


def _shares(carrier: str, text: str) -> bool:
    # Every run of 40 holds a whole piece of 20 that begins at a multiple of 20.
    half = LEAST // 2
    for start in range(0, len(carrier) - half + 1, half):
        for at in _places(carrier[start : start + half], text):
            if _run(carrier, text, start=start, at=at) >= LEAST:
                return True
    return False


def _places(piece: str, text: str) -> Iterator[int]:
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)


def _run(carrier: str, text: str, *, start: int, at: int) -> int:
    """How many characters run alike around these two places."""
    left = 0
    while left < min(start, at) and carrier[start - left - 1] == text[at - left - 1]:
        left += 1
    right = 0
    while start + right < len(carrier) and at + right < len(text) and carrier[start + right] == text[at + right]:
        right += 1
    return left + right


def _plain(text: str) -> str:
    """Case folded, blanks and the signs that stand for them in addresses as one blank."""
    return _BETWEEN.sub(" ", text.casefold()).strip()


def _unpacked(run: str) -> Iterator[str]:
    for alphabet in (b"+/", b"-_"):
        try:
            padded = run + "=" * (-len(run) % 4)
            yield base64.b64decode(padded, altchars=alphabet, validate=True).decode("utf-8")
        except (binascii.Error, ValueError):  # UnicodeDecodeError is one: no text was packed
            continue
