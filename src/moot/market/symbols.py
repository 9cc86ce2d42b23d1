"""What each supplier calls an instrument. None: this supplier does not offer it, and is skipped without a call."""

from collections.abc import Mapping

from moot.market.terms import Exchange, Kind

_YAHOO: Mapping[Exchange, str] = {"SH": "SS", "SZ": "SZ"}


def symbols_of(code: str, exchange: Exchange, kind: Kind) -> Mapping[str, str | None]:
    """By supplier. `code` is the id without its exchange; an index is known to AkShare by its prefixed calls alone."""
    if exchange == "US":
        yahoo = code.replace(".", "-")
        listed = None if code.startswith("^") else code
        return {"akshare": listed, "akshare_prefixed": None, "tushare": None, "baostock": None, "yfinance": yahoo}
    if exchange == "HK":
        return {
            "akshare": code,
            "akshare_prefixed": None,
            "tushare": f"{code}.HK",
            "baostock": None,
            "yfinance": f"{int(code):04d}.HK",
        }
    yahoo_suffix = _YAHOO.get(exchange)
    return {
        "akshare": None if kind == "index" else code,
        "akshare_prefixed": f"{exchange.lower()}{code}",
        "tushare": f"{code}.{exchange}",
        "baostock": None if exchange == "BJ" else f"{exchange.lower()}.{code}",
        "yfinance": f"{code}.{yahoo_suffix}" if yahoo_suffix else None,
    }
