"""The instrument table: what a supplier says of instruments, by id, name and old code. There is no built-in one."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from moot.market.terms import Exchange, Kind, Market


@dataclass(frozen=True, slots=True)
class Listing:
    """One row. None and `` mean that the table does not say; section 1's tables decide then."""

    id: str
    market: Market
    exchange: Exchange
    name: str = ""
    board: str = ""
    kind: Kind | None = None
    currency: str = ""
    lot: int | None = None
    tick: Decimal | None = None
    limit: Decimal | None = None
    settle: int | None = None
    list_date: date | None = None
    flags: tuple[str, ...] = ()
    alias: tuple[str, ...] = ()
    """Ids under which it was listed before."""
    industry: str = ""
    known_at: date | None = None
    """From when the name and the flags are so; None when the table does not say."""


@dataclass(frozen=True, slots=True)
class Listings:
    """Finds rows by id, exact name and old id."""

    by_id: Mapping[str, Listing] = field(default_factory=dict)
    by_name: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    by_alias: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(rows: Iterable[Listing]) -> "Listings":
        """Of several rows for one id the last holds."""
        by_id = {row.id: row for row in rows}
        names: dict[str, tuple[str, ...]] = {}
        for row in by_id.values():
            if row.name:
                names[plain_name(row.name)] = (*names.get(plain_name(row.name), ()), row.id)
        aliases = {alias: row.id for row in by_id.values() for alias in row.alias}
        return Listings(by_id, names, aliases)

    def current(self, id: str) -> str:
        """The id under which an old one goes now."""
        return self.by_alias.get(id, id)


def plain_name(text: str) -> str:
    """A name as it is compared: width, case and blanks do not count."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


NO_LISTINGS = Listings()
