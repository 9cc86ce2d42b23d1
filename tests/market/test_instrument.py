import re
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.market.instrument import Instrument, Rejected, resolve
from moot.market.listings import Listing, Listings
from moot.market.terms import MARKETS, Market
from tests.market.random_symbols import PIECES, oracle, random_symbols

SHANGHAI = ["600", "601", "603", "605"]


def found(text: str, market: Market | None = None) -> Instrument:
    """What a text that means something means."""
    instrument = resolve(text, market)
    assert isinstance(instrument, Instrument), (text, instrument)
    return instrument


def rejected(text: str, market: Market | None = None) -> tuple[str, tuple[str, ...]]:
    answer = resolve(text, market)
    assert isinstance(answer, Rejected), (text, answer)
    return answer.reason, answer.suggestions


@pytest.mark.parametrize(
    "text",
    [
        *"600519 SH600519 SH.600519 sh.600519 SSE:600519 600519.SH 600519.SS 600519.XSHG ６００５１９ $600519".split(),
        *("sh600519", "600519.ss", " sh600519 ", "600 519"),
    ],
)
def test_every_form_of_a_code_of_shanghai_is_the_same_instrument(text: str) -> None:
    assert (found(text).id, found(text).currency) == ("600519.SH", "CNY")


@pytest.mark.parametrize("text", "000858 SZ000858 SZ.000858 SZSE:000858 000858.SZ 000858.XSHE 000858.SZSE".split())
def test_every_form_of_a_code_of_shenzhen_is_the_same_instrument(text: str) -> None:
    assert found(text).id == "000858.SZ"


@pytest.mark.parametrize("text", "920002 BJ920002 BJ.920002 BSE:920002 920002.BJ 920002.BSE".split())
def test_every_form_of_a_code_of_beijing_is_the_same_instrument(text: str) -> None:
    assert found(text).id == "920002.BJ"


@pytest.mark.parametrize("text", "0700 00700 HK00700 HK.700 HKEX:700 700.HK 0700.HK 00700.HK hk.00700".split())
def test_every_form_of_a_code_of_hong_kong_is_filled_to_five_digits(text: str) -> None:
    assert (found(text).id, found(text).currency) == ("00700.HK", "HKD")


@pytest.mark.parametrize("text", "BRK.B BRK-B BRK/B brk.b BRK.B.US US.BRK.B NYSE:BRK.B NYSE:BRK.B.US $BRK.B".split())
def test_every_form_of_a_share_class_of_new_york_is_the_same_instrument(text: str) -> None:
    assert (found(text).id, found(text).currency, found(text).market) == ("BRK.B.US", "USD", "US")


@pytest.mark.parametrize(
    "text, id", [("AAPL", "AAPL.US"), ("NASDAQ:AAPL", "AAPL.US"), ("US.AAPL", "AAPL.US"), ("AMEX:A", "A.US")]
)
def test_a_ticker_of_new_york_may_have_its_market_with_it(text: str, id: str) -> None:
    assert found(text).id == id


def test_a_class_of_the_ticker_us_is_not_read_as_a_market_before_a_letter() -> None:
    assert found("US-A").id == "US.A.US" == found("US.A.US").id
    assert found("US.A").id == "A.US"


# the table of boards: prefix, exchange, board, kind, currency, lot, step, tick, limit
Row = tuple[str, str, str, str, str, int | None, int | None, str, str | None]
BOARDS: list[Row] = [
    *((p, "SH", "main", "stock", "CNY", 100, 100, "0.01", "0.10") for p in SHANGHAI),
    *((p, "SH", "star", "stock", "CNY", 200, 1, "0.01", "0.20") for p in ("688", "689")),
    ("900", "SH", "b", "stock", "USD", 100, 100, "0.001", "0.10"),
    *((p, "SH", "fund", "fund", "CNY", 100, 100, "0.001", "0.10") for p in ("500", "510", "563")),
    ("508", "SH", "reit", "fund", "CNY", 100, 100, "0.001", "0.10"),
    *((p, "SH", "fund", "fund", "CNY", 100, 100, "0.001", "0.20") for p in ("588", "589")),
    *((p, "SH", "bond", "convertible", "CNY", 10, 10, "0.001", "0.20") for p in ("110", "111", "113", "118")),
    *((p, "SZ", "main", "stock", "CNY", 100, 100, "0.01", "0.10") for p in ("000", "001", "002", "003")),
    *((p, "SZ", "chinext", "stock", "CNY", 100, 100, "0.01", "0.20") for p in ("300", "301", "302")),
    ("200", "SZ", "b", "stock", "HKD", 100, 100, "0.01", "0.10"),
    *((p, "SZ", "fund", "fund", "CNY", 100, 100, "0.001", "0.10") for p in ("159", "150", "160", "169", "180")),
    *((p, "SZ", "bond", "convertible", "CNY", 10, 10, "0.001", "0.20") for p in ("123", "127", "128")),
    ("399", "SZ", "index", "index", "CNY", None, None, "0.01", None),
    *((p, "BJ", "bse", "stock", "CNY", 100, 1, "0.01", "0.30") for p in ("920", "430", "831", "873")),
    ("899", "BJ", "index", "index", "CNY", None, None, "0.01", None),
]


@pytest.mark.parametrize("row", BOARDS, ids=[str(row[0]) for row in BOARDS])
def test_a_prefix_is_of_its_exchange_and_board(row: Row) -> None:
    prefix, exchange, board, kind, currency, lot, step, tick, limit = row
    one = found(f"{prefix}801"[:6])
    assert one.id == f"{prefix}801.{exchange}"
    assert (one.board, str(one.kind), one.currency, one.lot, one.step) == (board, kind, currency, lot, step)
    assert (one.tick, one.limit) == (Decimal(tick), Decimal(limit) if limit else None)


@pytest.mark.parametrize("id, settle", [("600519", 1), ("510300", 1), ("110059", 0), ("00700", 0), ("AAPL", 0)])
def test_what_was_bought_settles_by_its_kind_and_market(id: str, settle: int) -> None:
    assert found(id).settle == settle


SYMBOLS: list[tuple[str, str | None, str | None, str | None, str | None, str | None]] = [
    ("600519.SH", "600519", "sh600519", "600519.SH", "sh.600519", "600519.SS"),
    ("000001.SZ", "000001", "sz000001", "000001.SZ", "sz.000001", "000001.SZ"),
    ("000001.SH", None, "sh000001", "000001.SH", "sh.000001", "000001.SS"),
    ("920002.BJ", "920002", "bj920002", "920002.BJ", None, None),
    ("00700.HK", "00700", None, "00700.HK", None, "0700.HK"),
    ("09992.HK", "09992", None, "09992.HK", None, "9992.HK"),
    ("BRK.B.US", "BRK.B", None, None, None, "BRK-B"),
]


@pytest.mark.parametrize("row", SYMBOLS, ids=[row[0] for row in SYMBOLS])
def test_each_supplier_has_its_own_symbol_or_none(row: tuple[str | None, ...]) -> None:
    id, *expected = row
    given = found(str(id)).symbols
    assert [given[name] for name in ("akshare", "akshare_prefixed", "tushare", "baostock", "yfinance")] == expected


@pytest.mark.parametrize(
    "text, id, kind",
    [("000001", "000001.SZ", "stock"), ("000001.SH", "000001.SH", "index"), ("399001", "399001.SZ", "index")],
)
def test_a_bare_code_is_the_stock_and_the_index_is_named_with_its_exchange(text: str, id: str, kind: str) -> None:
    assert (found(text).id, found(text).kind) == (id, kind)


REJECTED: list[tuple[str, str, tuple[str, ...]]] = [
    ("000001.BJ", "wrong_exchange", ("000001.SZ",)),
    ("600519.SZ", "wrong_exchange", ("600519.SH",)),
    ("600519.HK", "wrong_exchange", ("600519.SH",)),
    ("600519.US", "wrong_exchange", ("600519.SH",)),
    ("700.SH", "wrong_exchange", ("00700.HK",)),
    ("700", "ambiguous", ("00700.HK",)),
    ("1", "ambiguous", ("00001.HK",)),
    ("7203.T", "market_not_supported", ()),
    ("VOD.L", "market_not_supported", ()),
    ("RY.TO", "market_not_supported", ()),
    ("2330.TW", "market_not_supported", ()),
    ("005930.KS", "market_not_supported", ()),
    ("BHP.AX", "market_not_supported", ()),
    ("RELIANCE.NS", "market_not_supported", ()),
    ("500325.BO", "market_not_supported", ()),
    ("SAP.DE", "market_not_supported", ()),
    ("MC.PA", "market_not_supported", ()),
    ("D05.SI", "market_not_supported", ()),
    ("BAC.D", "market_not_supported", ()),
    ("ABCDEF", "not_a_symbol", ()),
    ("BTC-USD", "not_a_symbol", ()),
    ("../../etc/passwd", "not_a_symbol", ()),
    ("贵州茅台", "not_a_symbol", ()),
    ("7" * 7, "not_a_symbol", ()),
    ("A" * 5_000, "not_a_symbol", ()),
    ("", "empty", ()),
    ("   ", "empty", ()),
    (" " * 200, "empty", ()),
    ("$", "empty", ()),
    ("730519", "unknown_prefix", ()),
    ("730519.SH", "unknown_prefix", ()),
    ("00000", "unknown_prefix", ()),
    ("000", "unknown_prefix", ()),
    ("^GSPC", "unknown_index", ()),
]


@pytest.mark.parametrize("text, reason, suggestions", REJECTED, ids=[row[0][:20] or "empty" for row in REJECTED])
def test_what_is_no_instrument_is_rejected_with_its_reason(
    text: str, reason: str, suggestions: tuple[str, ...]
) -> None:
    assert rejected(text) == (reason, suggestions)


@pytest.mark.parametrize(
    "text, market, suggestion", [("600519", "HK", "600519.SH"), ("AAPL", "CN", "AAPL.US"), ("00700", "CN", "00700.HK")]
)
def test_another_market_than_the_one_asked_for_is_a_conflict(text: str, market: Market, suggestion: str) -> None:
    assert rejected(text, market) == ("market_conflict", (suggestion,))


def test_short_numbers_are_of_hong_kong_when_that_is_asked_for() -> None:
    assert found("700", "HK").id == "00700.HK"
    assert found("1", "HK").id == "00001.HK"
    assert rejected("700", "CN") == ("ambiguous", ("00700.HK",))


@pytest.mark.parametrize("text, id", [("00020", "00020.HK"), ("0700", "00700.HK"), ("9992.HK", "09992.HK")])
def test_nothing_is_ever_filled_up_to_six_digits(text: str, id: str) -> None:
    assert found(text).id == id


@pytest.mark.parametrize("text", ["920002", "835185"])
def test_codes_of_beijing_are_not_of_shanghai_because_of_their_nine_or_eight(text: str) -> None:
    one = found(text)
    assert (one.exchange, one.board, one.limit, one.lot, one.step) == ("BJ", "bse", Decimal("0.30"), 100, 1)


def test_renminbi_counters_of_hong_kong_are_in_yuan_and_lots_there_are_assumed() -> None:
    assert [found(code).currency for code in ("79999", "80700", "89999", "90000")] == ["HKD", "CNY", "CNY", "HKD"]
    assert found("00700").notes == ("lot: assumed",)
    assert found("00700").lot == 1


def test_without_a_table_the_name_is_the_id_and_said_to_be_unknown() -> None:
    assert (found("600519").name, found("600519").name_known) == ("600519.SH", False)


TABLE = Listings.of([
    Listing("600519.SH", "CN", "SH", name="贵州茅台"),
    Listing("00700.HK", "HK", "HK", name="腾讯控股", lot=100),
    Listing("920185.BJ", "CN", "BJ", name="贝特瑞", alias=("835185.BJ",)),
    Listing("000001.SZ", "CN", "SZ", name="同名"),
    Listing("600000.SH", "CN", "SH", name="同名"),
    Listing("510900.SH", "CN", "SH", settle=0, list_date=date(2012, 10, 22)),
    Listing("^GSPC", "US", "US", name="S&P 500"),
    Listing("DEMO.US", "US", "US", name="Demo", currency="USD", tick=Decimal("0.05")),
])  # fmt: skip


@pytest.mark.parametrize("text, id", [("贵州茅台", "600519.SH"), (" 贵州 茅台", "600519.SH"), ("s&p 500", "^GSPC")])
def test_an_exact_name_of_the_table_is_its_instrument(text: str, id: str) -> None:
    one = resolve(text, listings=TABLE)
    assert isinstance(one, Instrument)
    assert one.id == id
    assert one.name_known


def test_a_name_of_two_instruments_is_ambiguous_and_part_of_a_name_is_none() -> None:
    assert resolve("同名", listings=TABLE) == Rejected(reason="ambiguous", suggestions=("000001.SZ", "600000.SH"))
    assert resolve("茅台", listings=TABLE) == Rejected(reason="not_a_symbol")


def test_the_table_goes_before_what_is_general() -> None:
    one, fund, demo = (resolve(text, listings=TABLE) for text in ("00700", "510900", "DEMO"))
    assert isinstance(one, Instrument)
    assert (one.lot, one.step, one.notes) == (100, 100, ())
    assert isinstance(fund, Instrument)
    assert fund.settle == 0
    assert not fund.name_known
    assert isinstance(demo, Instrument)
    assert demo.tick == Decimal("0.05")


def test_an_old_code_of_beijing_goes_to_the_new_one_by_the_tables_alias_alone() -> None:
    assert found("835185").id == "835185.BJ"
    one = resolve("835185", listings=TABLE)
    assert isinstance(one, Instrument)
    assert (one.id, one.name) == ("920185.BJ", "贝特瑞")


def test_an_index_of_new_york_is_one_when_the_table_holds_it() -> None:
    one = resolve("^gspc", listings=TABLE)
    assert isinstance(one, Instrument)
    assert (one.id, one.kind, one.currency) == ("^GSPC", "index", "USD")
    assert one.symbols["yfinance"] == "^GSPC"
    assert one.lot is None


# properties

ANY = st.one_of(st.text(max_size=20), st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
WHERE = st.sampled_from([None, *MARKETS.values()])


@given(ANY, WHERE)
def test_nothing_raises_and_an_id_is_well_formed(text: str, market: Market | None) -> None:
    one = resolve(text, market, listings=TABLE)
    if isinstance(one, Instrument):
        assert re.fullmatch(r"\^?[A-Z0-9.]{3,16}", one.id)
        assert market in (None, one.market)


@given(ANY, WHERE)
def test_an_instrument_is_what_its_own_id_resolves_to(text: str, market: Market | None) -> None:
    for listings in (Listings(), TABLE):
        one = resolve(text, market, listings=listings)
        if isinstance(one, Instrument):
            assert resolve(one.id, listings=listings) == one


@given(ANY)
def test_every_suppliers_symbol_with_its_market_resolves_back(text: str) -> None:
    one = resolve(text)
    if isinstance(one, Instrument):
        for symbol in filter(None, one.symbols.values()):
            assert resolve(symbol, one.market) == one


@given(ANY)
def test_fewer_than_six_digits_are_never_chinese(text: str) -> None:
    one = resolve(text)
    if isinstance(one, Instrument) and one.market == "CN":
        assert re.fullmatch(r"[0-9]{6}\.(SH|SZ|BJ)", one.id)


@pytest.mark.slow
def test_of_200_000_random_strings_none_gets_a_wrong_market() -> None:
    markets = {"CN": 0, "HK": 0, "US": 0, "": 0}
    for text in random_symbols(200_000):
        one = resolve(text)
        market = one.market if isinstance(one, Instrument) else ""
        assert market == oracle(text), text
        markets[market] += 1
    assert min(markets.values()) > 2_000, markets
