"""Which exchange and board a Chinese code belongs to, by its prefix. An unlisted prefix belongs to none."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from moot.market.tables import rows
from moot.market.terms import EXCHANGES, KINDS, Exchange, Kind


@dataclass(frozen=True, slots=True)
class Board:
    """What holds for every code of a prefix; None where an index has none."""

    exchange: Exchange
    given: bool
    """True when the exchange must be named: the bare code means another instrument."""
    board: str
    kind: Kind
    currency: str
    lot: int | None
    step: int | None
    tick: Decimal
    limit: Decimal | None


def boards_of(code: str) -> Sequence[Board]:
    """The boards that a six-digit code may be on: those of its longest listed prefix."""
    listed = _boards()
    return next((listed[code[:n]] for n in range(len(code), 0, -1) if code[:n] in listed), ())


@cache
def _boards() -> dict[str, tuple[Board, ...]]:
    found: dict[str, tuple[Board, ...]] = {}
    for row in rows("rules/boards.csv"):
        board = Board(
            exchange=EXCHANGES[row["exchange"]],
            given=row["given"] == "given",
            board=row["board"],
            kind=KINDS[row["kind"]],
            currency=row["currency"],
            lot=int(row["lot"]) if row["lot"] else None,
            step=int(row["step"]) if row["step"] else None,
            tick=Decimal(row["tick"]),
            limit=Decimal(row["limit"]) if row["limit"] else None,
        )
        found[row["prefix"]] = (*found.get(row["prefix"], ()), board)
    return found
