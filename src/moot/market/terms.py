"""The closed sets that this room speaks in."""

from collections.abc import Mapping
from typing import Literal

Market = Literal["CN", "HK", "US"]
Exchange = Literal["SH", "SZ", "BJ", "HK", "US"]
Kind = Literal["stock", "fund", "index", "convertible"]

MARKETS: Mapping[str, Market] = {"CN": "CN", "HK": "HK", "US": "US"}
EXCHANGES: Mapping[str, Exchange] = {"SH": "SH", "SZ": "SZ", "BJ": "BJ", "HK": "HK", "US": "US"}
KINDS: Mapping[str, Kind] = {"stock": "stock", "fund": "fund", "index": "index", "convertible": "convertible"}
MARKET_OF: Mapping[Exchange, Market] = {"SH": "CN", "SZ": "CN", "BJ": "CN", "HK": "HK", "US": "US"}
