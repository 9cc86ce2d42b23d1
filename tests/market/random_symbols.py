"""Strings that look like symbols, and by other means than moot's which market each is of."""

import random
import unicodedata
from collections.abc import Iterator

PIECES = [
    *"0123456789ABCUSTHKabz.-/:$^ ０１Ａ。", "SH", "SZ", "BJ", "HK", "US", "SS", "XSHG", "XSHE", "NASDAQ:", "NYSE:",
    ".US", "US.", ".HK", "HK.", ".SH", ".T", ".TO", ".B", "600", "000", "300", "688", "920", "830", "730", "519", "001",
    "BRK", "AAPL", "茅台", "\u200b", "\n",
]  # fmt: skip
_HEADS = ["", "", "", "SH", "SZ", "BJ", "HK", "US.", "SH.", "HK.", "NASDAQ:", "NYSE:", "$", " "]
_TAILS = ["", "", "", ".SH", ".SS", ".SZ", ".BJ", ".HK", ".US", ".T", ".L", ".B", "-B", " "]
_NAMED = {
    "SH": "SH", "SS": "SH", "SSE": "SH", "XSHG": "SH", "SZ": "SZ", "SZSE": "SZ", "XSHE": "SZ", "BJ": "BJ", "BSE": "BJ",
    "HK": "HK", "HKEX": "HK", "XHKG": "HK", "US": "US",
}  # fmt: skip
_SHANGHAI = ("600", "601", "603", "605", "688", "689", "900", "5", "110", "111", "113", "118")
_SHENZHEN = ("00", "300", "301", "302", "200", "15", "16", "18", "123", "127", "128", "399")
_BEIJING = ("920", "43", "83", "87", "899")
_NOT_MAIN = ("004", "005", "006", "007", "008", "009")


def random_symbols(count: int) -> Iterator[str]:
    """The same ones each time."""
    chance = random.Random(7)
    for _ in range(count):
        if chance.random() < 0.3:
            yield "".join(chance.choices(PIECES, k=chance.randint(0, 7)))
        else:
            signs = "0123456789" if chance.random() < 0.7 else "ABCDEFGHKLSTUZ"
            body = "".join(chance.choices(signs, k=chance.randint(1, 7)))
            head = chance.choice(["600", "000", "300", "688", "92", "83", ""]) if signs[0] == "0" else ""
            yield chance.choice(_HEADS) + (head + body)[:6] + chance.choice(_TAILS)


def oracle(text: str) -> str:
    """The market, or `` for none: what stands before and after the digits, piece by piece."""
    plain = "".join(unicodedata.normalize("NFKC", text).split())
    plain = (plain[1:] if plain.startswith("$") else plain).upper()
    if not plain or not plain.isascii():
        return ""
    digits = "".join(sign for sign in plain if sign.isdigit())
    if not digits:
        return _american(plain)
    head, _, tail = plain.partition(digits)
    if digits not in plain or len(digits) > 6:
        return ""
    name, fits = (
        (head.rstrip(".:"), len(head) - len(head.rstrip(".:")) < 2) if head else (tail[1:], tail[:1] in ("", "."))
    )
    if (head and tail) or not fits or ((head or tail) and name not in _NAMED):
        return ""
    return _of_digits(digits, _NAMED.get(name, ""))


def _of_digits(digits: str, exchange: str) -> str:
    if len(digits) < 6:
        named = exchange == "HK" or (not exchange and len(digits) > 3)
        return "HK" if named and int(digits) else ""
    on = "BJ" if digits.startswith(_BEIJING) else "SH" if digits.startswith(_SHANGHAI) else ""
    on = on or ("SZ" if digits.startswith(_SHENZHEN) and not digits.startswith(_NOT_MAIN) else "")
    is_index = exchange == "SH" and digits.startswith("000")
    return "CN" if on and (not exchange or exchange == on or is_index) else ""


def _american(plain: str) -> str:
    has_suffix = plain.endswith(".US")
    body = plain[:-3] if has_suffix else plain
    for venue in ("NASDAQ:", "NYSE:", "AMEX:"):
        if body.startswith(venue):
            body = body[len(venue) :]
            break
    bodies = [body] if has_suffix else [body, body.removeprefix("US.")]
    return "US" if any(map(_is_ticker, bodies)) or (body.startswith("US.") and _is_ticker(body[3:])) else ""


def _is_ticker(body: str) -> bool:
    stem, share = (body[:-2], body[-2:]) if body[-2:-1] in (".", "-", "/") else (body, "")
    letters = stem.isalpha() and 1 <= len(stem) <= 5
    return letters and (not share or share[1] in "ABC")
