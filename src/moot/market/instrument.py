"""Reads what a person types as one instrument, or says why it is none. Never raises, touches no file, reads no network.

Which forms there are is forms.py's business.
"""

from decimal import Decimal
from typing import Literal

from moot.market.boards import boards_of
from moot.market.forms import Form, read_form
from moot.market.listings import NO_LISTINGS, Listing, Listings, plain_name
from moot.market.symbols import symbols_of
from moot.market.terms import MARKET_OF, Exchange, Kind, Market
from moot.values.value import Value

Reason = Literal[
    "empty", "not_a_symbol", "ambiguous", "unknown_prefix", "unknown_index", "wrong_exchange", "market_not_supported",
    "market_conflict",
]  # fmt: skip
_RENMINBI_COUNTERS = range(80_000, 90_000)
_CENT = Decimal("0.01")


class Instrument(Value):
    """One instrument. Equal to what its own id resolves to."""

    id: str
    market: Market
    exchange: Exchange
    board: str
    kind: Kind
    currency: str
    lot: int | None
    """The least that is bought at once; None for an index."""
    step: int | None
    """What may be added to the lot."""
    tick: Decimal
    limit: Decimal | None
    """How far a price may go in a day, on this board now; rules of a date are in trading.py."""
    settle: int | None
    """Days after which what was bought may be sold."""
    name: str
    name_known: bool
    """False: no table holds the name, and nobody may make one up."""
    symbols: dict[str, str | None]
    notes: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The id without its exchange."""
        return self.id.rpartition(".")[0] or self.id


class Rejected(Value):
    """Why a text is no instrument, and the ids that may have been meant."""

    reason: Reason
    suggestions: tuple[str, ...] = ()


def resolve(text: str, market: Market | None = None, *, listings: Listings = NO_LISTINGS) -> Instrument | Rejected:
    """The one instrument that a text means. `market`: where it must be traded."""
    form = read_form(text, market)
    found = _of_form(form, market, listings) if isinstance(form, Form) else Rejected(reason=form)
    if isinstance(found, Rejected) and found.reason != "market_conflict":
        found = _by_name(text, listings) or found
    if isinstance(found, Instrument) and market not in (None, found.market):
        return Rejected(reason="market_conflict", suggestions=(found.id,))
    return found


def _of_form(form: Form, market: Market | None, listings: Listings) -> Instrument | Rejected:
    match form.kind:
        case "index":
            row = listings.by_id.get(form.code)
            return _other(form.code, row.exchange, row) if row else Rejected(reason="unknown_index")
        case "letters":
            id = f"{form.code}.US"
            return _other(id, "US", listings.by_id.get(id))
        case "digits" if len(form.code) == 6:
            return _chinese(form, listings)
        case "digits":
            return _hong_kong(form, market, listings)


def _chinese(form: Form, listings: Listings) -> Instrument | Rejected:
    boards = boards_of(form.code)
    usual = next((board for board in boards if not board.given), None)
    board = next((board for board in boards if board.exchange == form.exchange), None) if form.exchange else usual
    if board is None:
        if usual is None:
            return Rejected(reason="unknown_prefix")
        return Rejected(reason="wrong_exchange", suggestions=(listings.current(f"{form.code}.{usual.exchange}"),))
    id = f"{form.code}.{board.exchange}"
    if (now := listings.current(id)) != id:
        moved = read_form(now)
        return _chinese(moved, Listings(listings.by_id)) if isinstance(moved, Form) else Rejected(reason="not_a_symbol")
    settle = {"index": None, "convertible": 0}.get(board.kind, 1)
    found = Instrument(
        id=id, market="CN", exchange=board.exchange, board=board.board, kind=board.kind, currency=board.currency,
        lot=board.lot, step=board.step, tick=board.tick, limit=board.limit, settle=settle, name=id, name_known=False,
        symbols=dict(symbols_of(form.code, board.exchange, board.kind)),
    )  # fmt: skip
    return _listed(found, listings.by_id.get(id))


def _hong_kong(form: Form, market: Market | None, listings: Listings) -> Instrument | Rejected:
    number = int(form.code)
    id = f"{number:05d}.HK"
    if number == 0:
        return Rejected(reason="unknown_prefix")
    if form.exchange not in ("", "HK"):
        return Rejected(reason="wrong_exchange", suggestions=(id,))
    if len(form.code) < 4 and not form.exchange and market != "HK":
        return Rejected(reason="ambiguous", suggestions=(id,))
    return _other(id, "HK", listings.by_id.get(id))


def _other(id: str, exchange: Exchange, row: Listing | None) -> Instrument:
    """An instrument of Hong Kong or New York, or an index: the table says what a board's table cannot."""
    is_index, code = id.startswith("^"), id.rpartition(".")[0] or id
    counter = exchange == "HK" and not is_index and int(code) in _RENMINBI_COUNTERS
    currency = "CNY" if counter or MARKET_OF[exchange] == "CN" else {"HK": "HKD"}.get(exchange, "USD")
    assumed = exchange == "HK" and not is_index and not (row and row.lot)
    found = Instrument(
        id=id, market=MARKET_OF[exchange], exchange=exchange, board="index" if is_index else "main",
        kind="index" if is_index else "stock", currency=currency, lot=None if is_index else 1,
        step=None if is_index else 1, tick=_CENT, limit=None, settle=None if is_index else 0, name=id,
        name_known=False, symbols=dict(symbols_of(code, "US" if is_index else exchange, "stock")),
        notes=("lot: assumed",) if assumed else (),
    )  # fmt: skip
    return _listed(found, row)


def _listed(found: Instrument, row: Listing | None) -> Instrument:
    """What the table holds goes before what is general."""
    if row is None:
        return found
    said: dict[str, object] = {"name": row.name, "name_known": True} if row.name else {}
    for name in ("board", "kind", "currency", "lot", "tick", "limit", "settle"):
        value = getattr(row, name)
        said |= {} if value in (None, "") else {name: value}
    if row.lot is not None and found.market != "CN":
        said["step"] = row.lot
    return found.model_copy(update=said)


def _by_name(text: str, listings: Listings) -> Instrument | Rejected | None:
    ids = listings.by_name.get(plain_name(text), ()) if listings.by_name else ()
    if len(ids) > 1:
        return Rejected(reason="ambiguous", suggestions=ids)
    form = read_form(ids[0]) if ids else None
    return _of_form(form, None, listings) if isinstance(form, Form) else None
