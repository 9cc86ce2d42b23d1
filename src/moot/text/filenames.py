"""A file's name made of a title, such that every system takes it."""

import hashlib
import re
import unicodedata

_UNFIT = re.compile(r'[\x00-\x1f\x7f-\x9f\\/:"*?<>|\ud800-\udfff\u2028\u2029]+')
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"]
)
_MOST_SIGNS, _MOST_BYTES = 100, 200
_CUT_SIGNS, _CUT_BYTES = 91, 191


def file_name(title: str) -> str:
    """The name, without a suffix; `` for a title that leaves nothing. A long one is cut and gets digits of its hash."""
    name = "".join(sign for sign in unicodedata.normalize("NFC", title) if unicodedata.category(sign) != "Cf")
    name = " ".join(_UNFIT.sub(" ", name).split()).strip(". ")
    if name.partition(".")[0].strip().lower() in _RESERVED:
        name = f"_{name}"
    if len(name) <= _MOST_SIGNS and len(name.encode()) <= _MOST_BYTES:
        return name
    cut = name[:_CUT_SIGNS].encode()[:_CUT_BYTES].decode("utf-8", "ignore").rstrip(". ")
    return f"{cut}-{digits(title)}"


def digits(title: str) -> str:
    """8 hex digits of a title's SHA-256."""
    return hashlib.sha256(title.encode("utf-8", "surrogatepass")).hexdigest()[:8]
