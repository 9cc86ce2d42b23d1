"""Bytes of a text to clean characters: which charset, tidy line ends, nothing invisible that could mislead a reader."""

import codecs
import importlib
import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from moot.web.faults import Unreadable
from moot.web.guess import guess
from moot.web.sniff import HEAD, wide

_META = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]+)""", re.I
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (b"\xff\xfe\x00\x00", "utf-32-le"), (b"\x00\x00\xfe\xff", "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_LABELS = {
    "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "gb_2312-80": "gb18030", "chinese": "gb18030",
    "big5": "big5hkscs", "big5-hkscs": "big5hkscs", "x-x-big5": "big5hkscs", "cn-big5": "big5hkscs",
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "windows-31j": "cp932",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "korean": "cp949", "windows-949": "cp949",
    "iso-8859-1": "cp1252", "iso8859-1": "cp1252", "latin1": "cp1252", "l1": "cp1252", "ascii": "cp1252",
    "us-ascii": "cp1252", "iso-8859-9": "cp1254", "latin5": "cp1254", "tis-620": "cp874", "iso-8859-11": "cp874",
    "utf-16": "utf-16-le", "unicode": "utf-16-le", "utf8": "utf-8", "x-mac-cyrillic": "mac-cyrillic",
}  # fmt: skip
_WIDE = ("utf-8", "utf-16", "utf-32", "gb18030", "big5", "cp932", "cp949", "euc", "iso2022", "hz")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_DOUBLE = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122\u20ac]{1,3}"
)


class Decoded(NamedTuple):
    """A text, the charset it was in, and what had to be done to it."""

    text: str
    charset: str
    notes: tuple[str, ...] = ()


def decode(body: bytes, *, header: str = "") -> Decoded:
    """The text of these bytes. `header` is the charset that came with them. Raises Unreadable(unreadable)."""
    mark = next(((sign, name) for sign, name in _MARKS if body.startswith(sign)), None)
    if mark:
        body = body[len(mark[0]) :]
    tried: list[str] = []
    for charset in (mark[1],) if mark else _candidates(body, header):
        if charset in tried:
            continue
        tried.append(charset)
        text = _strictly(body, charset)
        if text is not None:
            return _tidy(text, charset, ())
    return _doubtful(body, tried)


def _candidates(body: bytes, header: str) -> Iterator[str]:
    utf16 = wide(body[:HEAD])
    if utf16:
        yield utf16
    said = _label(header)
    found = _META.search(body[:HEAD])
    meta = _label((found[1] or found[2]).decode("ascii")) if found else ""
    if meta.startswith(("utf-16", "utf-32")):
        meta = "utf-8"  # a page that could be read as far as its own label is not in UTF-16
    if said.startswith(_WIDE):
        yield said
    if meta:
        yield meta
    yield "utf-8"
    if said:
        yield said
    guessed = guess(body)
    if guessed:
        yield guessed
    best = importlib.import_module("charset_normalizer").from_bytes(body[:200_000]).best()  # 30 ms to load: only now
    if best is not None:
        yield _label(str(best.encoding)) or str(best.encoding)
    yield "cp1252"


def _label(label: str) -> str:
    """The codec for a charset's label by the WHATWG's table; `` when there is none."""
    name = label.strip().strip("\"'").lower()
    if not name:
        return ""
    name = _LABELS.get(name, name)
    try:
        b"".decode(name)  # a codec that makes no text, such as hex, is a LookupError here
        return codecs.lookup(name).name
    except LookupError:
        return ""


def _strictly(body: bytes, charset: str) -> str | None:
    try:
        return body.decode(charset)
    except (UnicodeError, LookupError):
        return None


def _doubtful(body: bytes, tried: list[str]) -> Decoded:
    """No charset fits whole: the one with fewest errors, or none when more than 2 % would be lost."""
    best = min(((body.decode(charset, "replace").count("\ufffd"), charset) for charset in tried), default=None)
    assert best is not None, "utf-8 is always tried"
    lost, charset = best
    text = body.decode(charset, "replace")
    if lost > 0.02 * max(len(text), 1):
        raise Unreadable("unreadable", f"no charset fits: {lost} of {len(text)} characters would be lost")
    return _tidy(text, charset, (f"charset_doubtful: {lost} characters lost in {charset}",))


def _tidy(text: str, charset: str, notes: tuple[str, ...]) -> Decoded:
    if not text.isascii():
        text, mended = _mended(text)
        if mended:
            notes += (f"charset_mended: {mended} pairs of twice encoded UTF-8",)
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
        text, turned = _BIDI.subn("", text)
        if turned:
            notes += (f"bidi_dropped: {turned}",)
        text = text.replace("\u2028", "\n").replace("\u2029", "\n").replace("\x85", "\n")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _CONTROLS.sub("", text).replace("\x0c", "\n")
    return Decoded(text, charset, notes)


def _mended(text: str) -> tuple[str, int]:
    """Undoes UTF-8 that was read as windows-1252 and encoded again, when at least 3 places show it."""
    if len(_DOUBLE.findall(text)) < 3:
        return text, 0
    mended = 0

    def once(found: re.Match[str]) -> str:
        nonlocal mended
        pair = b"".join(char.encode("cp1252") if _in_1252(char) else char.encode("latin-1") for char in found[0])
        try:
            whole = pair.decode("utf-8")
        except UnicodeDecodeError:
            return found[0]
        mended += 1
        return whole

    again = _DOUBLE.sub(once, text)
    return (again, mended) if mended >= 3 else (text, 0)


def _in_1252(char: str) -> bool:
    try:
        char.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True
