"""The forms in which a symbol is typed, first that fits. What the code then means is instrument.py's business."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from moot.market.terms import Exchange, Market

NotRead = Literal["empty", "not_a_symbol", "market_not_supported"]
_LONGEST = 64
_EXCHANGES: Mapping[str, Exchange] = {
    "SH": "SH", "SSE": "SH", "SS": "SH", "XSHG": "SH", "SZ": "SZ", "SZSE": "SZ", "XSHE": "SZ", "BJ": "BJ", "BSE": "BJ",
    "HK": "HK", "HKEX": "HK", "XHKG": "HK", "US": "US",
}  # fmt: skip
_ELSEWHERE = frozenset(
    """AQ AS AT AX BA BD BE BK BO BR CA CN CO CR DE DU F HA HE HM IC IL IR IS JK JO KL KQ KS L LM LN LS MC ME MI MU MX
    NE NS NZ OL PA PR QA RG RO SA SG SI SN SR ST SW T TA TL TO TW TWO TI V VI VN VS VX WA XC XD XETRA""".split()
)
"""Suffixes of markets that are not read here."""
_NAMES = "|".join(sorted(_EXCHANGES, key=len, reverse=True))
_BEFORE = re.compile(rf"({_NAMES})[.:]?([0-9]{{1,6}})")
_AFTER = re.compile(rf"([0-9]{{1,6}})\.({_NAMES})")
_BARE = re.compile(r"[0-9]{1,6}")
_LETTERS = re.compile(r"([A-Z]{1,5})(?:[.\-/]([ABC]))?")
_INDEX = re.compile(r"\^[A-Z]{3,15}")
_VENUE = re.compile(r"^(?:NASDAQ|NYSE|AMEX):")
_FOREIGN = re.compile(r"[A-Z0-9]{1,12}(?:[.\-&][A-Z0-9]{1,4})?\.([A-Z]{1,5})")


@dataclass(frozen=True, slots=True)
class Form:
    """A code as it was read: `index` with its sign, `letters` with the class after a dot, or `digits`."""

    kind: Literal["index", "letters", "digits"]
    code: str
    exchange: Exchange | Literal[""] = ""
    """The exchange that was named with it."""


def read_form(text: str, market: Market | None = None) -> Form | NotRead:
    """The first form that fits, after width and case are evened out and blanks and a leading `$` are dropped."""
    if len(text) > _LONGEST:
        return "not_a_symbol" if text.strip() else "empty"
    plain = "".join(unicodedata.normalize("NFKC", text).split()).removeprefix("$")
    if not plain:
        return "empty"
    if not plain.isascii():
        return "not_a_symbol"
    plain = plain.upper()
    if _INDEX.fullmatch(plain):
        return Form("index", plain)
    return _digits(plain) or _letters(plain, market) or _unread(plain)


def _digits(plain: str) -> Form | None:
    if _BARE.fullmatch(plain):
        return Form("digits", plain)
    if found := _BEFORE.fullmatch(plain):
        return Form("digits", found[2], _EXCHANGES[found[1]])
    found = _AFTER.fullmatch(plain)
    return Form("digits", found[1], _EXCHANGES[found[2]]) if found else None


def _letters(plain: str, market: Market | None) -> Form | None:
    """A ticker of New York. `US.A` alone is A with its market before it; `US.A.US` is class A of US."""
    body = plain.removesuffix(".US")
    with_suffix, body = body != plain, _VENUE.sub("", body, count=1)
    found = _LETTERS.fullmatch(body)
    is_class = found is not None and (with_suffix or market == "US")
    if body.startswith("US.") and not is_class:
        found = _LETTERS.fullmatch(body.removeprefix("US."))
    return Form("letters", ".".join(filter(None, found.groups()))) if found else None


def _unread(plain: str) -> NotRead:
    found = _FOREIGN.fullmatch(plain)
    return "market_not_supported" if found and (found[1] in _ELSEWHERE or len(found[1]) == 1) else "not_a_symbol"
