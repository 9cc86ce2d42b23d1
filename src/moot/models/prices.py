"""What a model costs: by a person's own word, else by our dated list, else unknown. Counting: models/priced.py."""

import tomllib
from collections.abc import Iterator, Mapping
from decimal import ROUND_CEILING, Decimal
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, TypeAdapter, model_validator
from pydantic_core import PydanticCustomError

from moot.models.named import Named
from moot.values.usage import Reserve, Usage
from moot.values.value import Value

_HERE = Path(__file__).parent
LOCAL = ("scripted", "ollama")
"""Providers whose models run on this machine and cost nothing; any other whose price nobody named is unknown."""
Amount = Annotated[Decimal, Field(ge=0, le=1_000_000, allow_inf_nan=False)]
"""Money a million tokens: of dollars, just as many micro-dollars a token."""


class Price(Value):
    """What tokens of a model cost, a million of them. The text `IN/OUT` alone is one too."""

    input: Amount
    cached: Amount | None = None
    """Of input read from the provider's cache; None: as any other."""
    cache_write: Amount | None = None
    """Of input that the provider puts into its cache; None: as any other."""
    output: Amount
    over: int | None = Field(None, ge=1)
    """Tokens of input beyond which a call costs `times` as much."""
    times: Amount = Decimal(1)
    currency: Literal["USD", "CNY"] = "USD"
    date: str = ""
    """When it was looked up: `2025-09`; `` for a person's own."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        into, slash, out = given.partition("/")
        if not slash:
            raise PydanticCustomError(
                "no_price", "must be IN/OUT, in dollars a million tokens, such as 0.27/1.10",
                {"zh": "应为 IN/OUT，即每百万 token 的两个美元价格，例如 0.27/1.10"},
            )  # fmt: skip
        return {"input": into.strip(), "output": out.strip()}

    @property
    def is_free(self) -> bool:
        """True when it costs nothing, however much is used."""
        return not any((self.input, self.cached, self.cache_write, self.output))

    def cost(self, usage: Usage) -> int:
        """Micro-dollars of a call, rounded up."""
        fresh = usage.input - usage.cached - usage.cache_write
        each = (
            (fresh, self.input),
            (usage.cached, self._or_input(self.cached)),
            (usage.cache_write, self._or_input(self.cache_write)),
            (usage.output, self.output),
        )
        return self._whole(sum((tokens * amount for tokens, amount in each), Decimal(0)), of_input=usage.input)

    def reserve(self, asked: Reserve, *, max_output_tokens: int) -> int:
        """Micro-dollars that a call may cost at most: its input as dear as any may be, and all of the output."""
        into = asked.tokens - max_output_tokens
        dearest = max(self.input, self._or_input(self.cached), self._or_input(self.cache_write))
        return self._whole(into * dearest + max_output_tokens * self.output, of_input=into)

    def _or_input(self, amount: Decimal | None) -> Decimal:
        return self.input if amount is None else amount

    def _whole(self, amount: Decimal, *, of_input: int) -> int:
        dearer = self.times if self.over is not None and of_input > self.over else Decimal(1)
        return int((amount * dearer * _rates()[self.currency].usd).to_integral_value(ROUND_CEILING))


class Rate(Value):
    """What a unit of a currency is in dollars."""

    usd: Decimal
    date: str


class Known(NamedTuple):
    """A price, and who says so: `settings`, `prices.toml`, `local`."""

    price: Price
    source: str


FREE = Price(input=Decimal(0), output=Decimal(0))


def price_of(name: str, own: Mapping[str, Price]) -> Known | None:
    """The price of `provider:model` from the first that knows it; None: unknown, which is never 0.

    `own`: a person's, by pattern, the first that fits.
    """
    for source, prices in (("settings", own), ("prices.toml", _prices())):
        if found := _fitting(name, prices):
            return Known(found, source)
    return Known(FREE, "local") if name.partition(":")[0] in LOCAL else None


def listed_prices() -> Mapping[str, Price]:
    """The prices of our list, by pattern."""
    return _prices()


def unpriced(names: Mapping[str, Named], own: Mapping[str, Price]) -> Iterator[str]:
    """The models whose price nobody knows, those that answer in another's stead among them."""
    for named in names.values():
        yield from (one.model for one in (named, *named.fallback) if price_of(one.model, own) is None)


def currency_rate(currency: str) -> Rate:
    """What a unit of a currency is in dollars, and when it was looked up."""
    return _rates()[currency]


def _fitting(name: str, prices: Mapping[str, Price]) -> Price | None:
    if name in prices:
        return prices[name]
    return next((price for pattern, price in prices.items() if fnmatchcase(name, pattern)), None)


@cache
def _prices() -> Mapping[str, Price]:
    return TypeAdapter(dict[str, Price]).validate_python(_read()["prices"])


@cache
def _rates() -> Mapping[str, Rate]:
    return TypeAdapter(dict[str, Rate]).validate_python(_read()["currencies"])


def _read() -> Mapping[str, object]:
    return tomllib.loads((_HERE / "prices.toml").read_text(encoding="utf-8"), parse_float=Decimal)
