"""Which IP addresses belong to the public internet. Names, ports and forms of an address are web/guard.py's.

Python's `is_global` does not suffice: it calls, depending on its version, 168.63.129.16 (a cloud's own services),
224.0.0.1, `::127.0.0.1`, `64:ff9b::7f00:1`, `2002:7f00:1::` and `fec0::1` global.
"""

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Ip = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_NEVER_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "168.63.129.16/32",
            "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
            "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)  # fmt: skip
_GLOBAL_6 = IPv6Network("2000::/3")
_NEVER_6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))
_METADATA = tuple(
    map(IPv4Network, ("169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"))
) + tuple(map(IPv6Network, ("fe80::/10", "fd00:ec2::/32", "fd20:ce::254/128")))
"""Where clouds tell a machine its keys: never lifted, whatever an operator allows."""

_CARRIED_LAST = tuple(map(IPv6Network, ("::ffff:0:0/96", "::/96", "64:ff9b::/96")))
_SIX_TO_FOUR = IPv6Network("2002::/16")
_ISATAP = (0x00005EFE, 0x02005EFE)


def is_public(ip: Ip) -> bool:
    """Whether an address is one of the public internet, and so is every IPv4 address that it carries."""
    carried = _replaced(ip)
    if carried is not None:
        return is_public(carried)
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in _NEVER_4)
    within = ip in _GLOBAL_6 and not any(ip in network for network in _NEVER_6)
    return within and all(is_public(inner) for inner in _beside(ip))


def is_metadata(ip: Ip) -> bool:
    """Whether an address, or one that it carries, is where a cloud tells a machine about itself."""
    carried = _replaced(ip)
    inner = () if carried is None else (carried,)
    everything: tuple[Ip, ...] = (ip, *inner, *_beside(ip))
    return any(one in network for one in everything for network in _METADATA if one.version == network.version)


def lies_in(ip: Ip, networks: tuple[Network, ...]) -> bool:
    """Whether an address, or the IPv4 address it stands for, lies in one of the networks."""
    either = (ip, _replaced(ip) or ip)
    return any(one in network for one in either for network in networks if network.version == one.version)


def _replaced(ip: Ip) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for (mapped, compatible, translated); None when it is its own."""
    if isinstance(ip, IPv6Address) and any(ip in network for network in _CARRIED_LAST):
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return None


def _beside(ip: Ip) -> Iterator[IPv4Address]:
    """IPv4 addresses to which packets for an IPv6 address are handed on: by 6to4 and by ISATAP."""
    if not isinstance(ip, IPv6Address):
        return
    if ip in _SIX_TO_FOUR:
        yield IPv4Address((int(ip) >> 80) & 0xFFFFFFFF)
    if (int(ip) >> 32) & 0xFFFFFFFF in _ISATAP:
        yield IPv4Address(int(ip) & 0xFFFFFFFF)
