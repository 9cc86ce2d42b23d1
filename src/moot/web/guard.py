"""Says which addresses of the web may be opened at all, and to which IP addresses a connection may go.

Every request, redirect, sub-resource and socket passes it. Opening one is web/fetch.py's and web/browser.py's business.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address, ip_address, ip_network

from moot.text.addresses import ascii_host
from moot.web.faults import Refused
from moot.web.public import Ip, Network, is_metadata, is_public, lies_in

LONGEST = 4_096
MOST_ANSWERS = 16
RESOLVE_S = 5.0

_SHAPE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?P<slashes>//)?(?P<authority>[^/?#]*)")
_BAD = re.compile(r"[\x00-\x20\x7f-\xa0\\\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060-\u206f\u3000\ufeff]")
_PORT = re.compile(r":(?P<port>[0-9]*)\Z")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_OPEN_PORTS = frozenset((80, 443, *range(8_000, 9_000)))
_PRIVATE_NAMES = frozenset({"localhost", "metadata", "metadata.google.internal"})
_PRIVATE_ENDS = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_METADATA_NAMES = ("metadata", "metadata.google.internal")

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The IP addresses of a name; OSError when it has none."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address points, before its name is looked up."""

    scheme: str
    host: str
    """In ASCII, lower case, without the final dot; an IPv6 address without its brackets."""
    port: int
    ip: Ip | None = None
    """When the host is one."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a connection may go: to one of `ips` and to no other, under the name of `host`."""

    scheme: str
    host: str
    port: int
    ips: tuple[str, ...]
    proxy: str = ""
    """The operator's proxy, which looks the name up itself: `ips` is empty then, and the pinning is the proxy's."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What the operator opens beyond the public internet. Never from a request, a page or a model."""

    networks: tuple[Network, ...] = ()
    names: frozenset[str] = frozenset()
    ports: frozenset[int] = frozenset()


def allowed(entries: Sequence[str] = (), ports: Collection[int] = ()) -> Allowed:
    """What the settings `web.allow` and `web.ports` open. ValueError names an entry that is none."""
    networks: list[Network] = []
    names: set[str] = set()
    for entry in map(str.strip, entries):
        try:
            networks.append(ip_network(entry.strip("[]"), strict=False))
        except ValueError:
            name = ascii_host(entry)
            if not all(map(_LABEL.fullmatch, name.split("."))) or _NUMBER.fullmatch(name.rpartition(".")[2]):
                raise ValueError(f"neither a network such as 10.1.0.0/16 nor a host's name: {entry!r}") from None
            names.add(name)
    return Allowed(tuple(networks), frozenset(names), frozenset(ports))


async def look_up(host: str, port: int) -> Sequence[str]:
    """What the system's resolver answers."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


class Guard:
    """Judges addresses. Holds no connection; `resolve` is asked once for each address judged by name."""

    def __init__(
        self, allow: Allowed = Allowed(), *, resolve: Resolve = look_up, offline: bool = False, proxy: str = ""
    ) -> None:  # fmt: skip
        self._allow, self._resolve, self._offline, self._proxy = allow, resolve, offline, proxy

    def place(self, url: str) -> Place:
        """Where an address points, judged by its form alone: no name is looked up. Raises Refused."""
        scheme, host, written_port = _parts(url)
        ip = _as_ip(host)
        if ip is None:
            self._judge_name(host)
        else:
            self._judge(ip, host)
        port = written_port if written_port is not None else _DEFAULT_PORTS[scheme]
        if port not in _OPEN_PORTS and port not in self._allow.ports:
            raise Refused("port", f"port {port} is not one of the web's (80, 443, 8000 to 8999, or named in web.ports)")
        return Place(scheme, host, port, ip)

    async def check(self, url: str) -> Target:
        """Where a connection may go. Raises Refused, before any socket is opened."""
        place = self.place(url)
        if self._offline and not self._is_here(place):
            raise Refused("offline", f"{place.host} is not asked: this run is offline")
        if place.ip is not None:
            ips: tuple[Ip, ...] = (place.ip,)
        elif self._offline:
            ips = (IPv4Address("127.0.0.1"),)  # localhost, allowed by name: nobody is asked
        elif self._proxy:
            ips = ()
        else:
            ips = await self._addresses(place)
        for ip in ips:
            self._judge(ip, place.host)
        proxy = "" if self._offline else self._proxy
        return Target(place.scheme, place.host, place.port, tuple(map(str, ips[:MOST_ANSWERS])), proxy)

    def _judge_name(self, host: str) -> None:
        labels = host.split(".")
        if len(host) > 253 or not all(map(_LABEL.fullmatch, labels)):
            raise Refused("form", f"no name of a host: {host[:100]!r}")
        private = host in _PRIVATE_NAMES or host.endswith(_PRIVATE_ENDS) or len(labels) == 1
        if host in _METADATA_NAMES or (private and host not in self._allow.names):
            raise Refused("private_address", f"{host} is a name of a private network")

    def _judge(self, ip: Ip, host: str) -> None:
        if is_metadata(ip):
            raise Refused("private_address", f"{host} leads to a machine's own data, which nobody may read")
        if is_public(ip) or host in self._allow.names or lies_in(ip, self._allow.networks):
            return
        raise Refused("private_address", f"{host} leads to an address outside the public internet")

    def _is_here(self, place: Place) -> bool:
        """Whether it is this machine, and the operator allows it: all that an offline run may reach."""
        if place.ip is None:
            return place.host == "localhost" and place.host in self._allow.names
        named = place.host in self._allow.names or lies_in(place.ip, self._allow.networks)
        return place.ip.is_loopback and named

    async def _addresses(self, place: Place) -> tuple[Ip, ...]:
        try:
            async with asyncio.timeout(RESOLVE_S):
                answers = await self._resolve(place.host, place.port)
        except TimeoutError as late:
            raise Refused("no_such_host", f"{place.host} was not found within {RESOLVE_S:.0f} s") from late
        except (OSError, UnicodeError) as unknown:
            raise Refused("no_such_host", f"there is no host {place.host}") from unknown
        if not answers:
            raise Refused("no_such_host", f"there is no host {place.host}")
        try:
            return tuple(ip_address(answer) for answer in answers)
        except ValueError as odd:  # an IPv6 address with a zone: of this link only
            raise Refused("private_address", f"{place.host} leads to an address of one link only") from odd


def _parts(url: str) -> tuple[str, str, int | None]:
    """Scheme, host and port as written. Raises Refused with scheme, form, credentials or address_form."""
    url = url.strip(" \t\r\n")
    if len(url) > LONGEST:
        raise Refused("form", f"an address of {len(url):,} characters; at most {LONGEST:,} are read")
    if found := _BAD.search(url):
        raise Refused("form", f"the address holds a character that none may hold (U+{ord(found[0]):04X})")
    shape = _SHAPE.match(url)
    if shape is None:
        raise Refused("form", f"no address: {url[:100]!r}")
    scheme = shape["scheme"].lower()
    if scheme not in _DEFAULT_PORTS:
        raise Refused("scheme", f"only http and https are opened, not {scheme[:20]}:")
    authority = shape["authority"]
    if "@" in authority:
        raise Refused("credentials", "an address with a user's name in it is not opened")
    if shape["slashes"] is None or not authority:
        raise Refused("form", f"an address without a host: {url[:100]!r}")
    port = None if authority.endswith("]") else _PORT.search(authority)
    host = authority[: port.start()] if port else authority
    number = int(port["port"][:6]) if port and port["port"] else None
    return scheme, _host(host), number


def _host(written: str) -> str:
    if written.startswith("["):
        if not written.endswith("]") or ":" not in written or "%" in written:
            raise Refused("address_form", f"no IPv6 address: {written[:100]!r}")
        return written[1:-1].lower()
    if "%" in written or ":" in written or not written:
        raise Refused("form", f"no name of a host: {written[:100]!r}")
    try:
        host = ascii_host(written)
    except ValueError as wrong:
        raise Refused("form", str(wrong)) from wrong
    if ":" in host:  # a full-width colon became one
        raise Refused("form", f"no name of a host: {written[:100]!r}")
    return host


def _as_ip(host: str) -> Ip | None:
    """The IP address a host is written as; None for a name.

    Raises Refused for any number that is no strict dotted quad: what `0177.1` means depends on who reads it.
    """
    try:
        if ":" in host:
            return IPv6Address(host)
        if _NUMBER.fullmatch(host.rpartition(".")[2]):
            return IPv4Address(host)
    except AddressValueError as wrong:
        raise Refused(
            "address_form", f"an IP address must be written in full, such as 93.184.215.14: {host!r}"
        ) from wrong
    return None
