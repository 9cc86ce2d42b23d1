"""The one address of a page. Which addresses may be opened at all is the web guard's business."""

import re
from functools import lru_cache

from idna import IDNAError
from idna.core import uts46_remap

_OWN = ("docs:", "rag:", "market:", "calc:", "mcp:")
_PARTS = re.compile(r"(?:(https?):)?//([^/?#\\]*)([^?#]*)(?:\?([^#]*))?(#.*)?", re.IGNORECASE | re.DOTALL)
_PORT = re.compile(r":(\d*)\Z")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_FOREIGN = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_ODD = re.compile(r"[^!-~]+")
_JSESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_TRACKING = frozenset(
    "gclid dclid gbraid wbraid fbclid msclkid yclid mc_cid mc_eid igshid _hsenc _hsmi ref_src spm scm".split()
)
_DEFAULT_PORT = {"http": "80", "https": "443"}


def canonical(url: str) -> str:
    """The address under which a page is one source; its own form stays as it is.

    `docs:`, `rag:`, `market:`, `calc:` and `mcp:` addresses are taken as they are; http and https become one, as
    `//host/path`.
    Raises ValueError for what is no address of a page: another scheme, no host, a user part, an impossible name.
    """
    url = url.strip()
    if url.startswith(_OWN):
        return url
    parts = _PARTS.fullmatch(url)
    if parts is None:
        raise ValueError(f"no http, https, docs or rag address: {url[:200]!r}")
    scheme, authority, path, query, fragment = parts.groups()
    host, port = _host_and_port(authority, (scheme or "").lower())
    path = _path(path)
    kept = _query(query) if query else ""
    shown = _escaped(fragment) if fragment and fragment.startswith("#!") else ""
    return f"//{host}{port}{path}{'?' + kept if kept else ''}{shown}"


def openable(url: str) -> str:
    """The canonical form with its scheme before it: what a page is fetched by. Raises ValueError for no such address.

    What does not belong to the address (a fragment, tracking parameters) is never sent.
    """
    address = canonical(url)
    scheme, colon, _ = url.strip().partition("://")
    return f"{scheme.lower() if colon else 'https'}:{address}" if address.startswith("//") else address


def url(address: str) -> str:
    """An address as a browser takes it: `//example.org/a` leaves its scheme out."""
    return f"https:{address}" if address.startswith("//") else address


def readable(address: str) -> str:
    """The address as a person reads it: names that are not ASCII decoded, all other escapes left as they are."""
    return _FOREIGN.sub(_as_written, url(address))


def _as_written(match: re.Match[str]) -> str:
    try:
        written = bytes.fromhex(match[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]
    return written if written.isprintable() and not any(sign.isspace() for sign in written) else match[0]


def _host_and_port(authority: str, scheme: str) -> tuple[str, str]:
    if "@" in authority:
        raise ValueError(f"an address with a user part is refused: {authority[:200]!r}")
    found = None if authority.endswith("]") else _PORT.search(authority)
    port = found.group(1) if found else ""
    host = authority[: found.start()] if found else authority
    if not host:
        raise ValueError("an address without a host")
    host = ascii_host(host)
    return host, "" if not port or port == _DEFAULT_PORT.get(scheme) else f":{int(port)}"


def ascii_host(host: str) -> str:
    """A host's name in ASCII by UTS 46, lower case, its final dot dropped. Raises ValueError when it can be none."""
    if "%" in host and not host.startswith("["):
        host = _decoded(host)
    if not host.isascii():
        host = _mapped(host)
    host = host.lower().removesuffix(".")
    if not host or _ODD.search(host):
        raise ValueError(f"no name of a host: {host[:200]!r}")
    return host


@lru_cache(maxsize=4_096)
def _mapped(host: str) -> str:
    try:
        mapped = uts46_remap(host, std3_rules=False, transitional=False)
    except IDNAError as wrong:
        raise ValueError(f"no name of a host: {host[:200]!r} ({wrong})") from wrong
    labels = mapped.split(".")
    return ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii") for label in labels)


def _decoded(host: str) -> str:
    raw = re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m.group(1), 16)]), host.encode("utf-8", "replace"))
    return raw.decode("utf-8", "replace")


def _escaped(text: str) -> str:
    """Unreserved escapes decoded, the others upper-cased, everything outside visible ASCII escaped as UTF-8."""
    if "%" in text:
        text = _ESCAPE.sub(_escape, text)
    if not text.isascii() or " " in text or not text.isprintable():
        text = _ODD.sub(lambda m: "".join(f"%{b:02X}" for b in m.group().encode("utf-8", "replace")), text)
    return text


def _escape(match: re.Match[str]) -> str:
    ch = chr(int(match.group(1), 16))
    return ch if ch in _UNRESERVED else "%" + match.group(1).upper()


def _path(path: str) -> str:
    path = _escaped(path)
    if "/." in path:
        path = _without_dots(path)
    if ";" in path:
        shorter = _JSESSION.sub("", path)
        path = _without_dots(shorter) if shorter != path and "/." in shorter else shorter
    return path or "/"


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            if kept:
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _query(query: str) -> str:
    escaped = _escaped(query)
    return "&".join(part for part in escaped.split("&") if not _is_tracking(part.partition("=")[0]))


def _is_tracking(name: str) -> bool:
    return name.startswith("utm_") or name in _TRACKING
