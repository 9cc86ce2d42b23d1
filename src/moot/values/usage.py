"""What was used, what may be used: tokens, money, seconds and calls. Money is whole micro-dollars."""

from typing import Literal

from pydantic import Field

from moot.values.value import Value

Dimension = Literal["tokens", "usd", "seconds", "calls"]


class Usage(Value):
    """What one model call used, as the provider counted it or, marked, as we estimated it."""

    input: int = 0
    cached: int = 0
    """Part of `input` that the provider read from its cache."""
    cache_write: int = 0
    """Part of `input` that the provider put into its cache, where it asks more for that."""
    output: int = 0
    reasoning: int = 0
    """Part of `output` that was thinking."""
    usd_micro: int | None = None
    """None: the model's price is unknown."""
    estimated: bool = False
    attempts: int = 1

    @property
    def tokens(self) -> int:
        return self.input + self.output


def added(one: Usage, other: Usage) -> Usage:
    """Two attempts' use as one; the price is unknown as soon as one's is."""
    known = one.usd_micro is not None or not one.tokens
    both = None if other.usd_micro is None or not known else (one.usd_micro or 0) + other.usd_micro
    return Usage(
        input=one.input + other.input,
        cached=one.cached + other.cached,
        cache_write=one.cache_write + other.cache_write,
        output=one.output + other.output,
        reasoning=one.reasoning + other.reasoning,
        usd_micro=both,
        estimated=one.estimated or other.estimated,
        attempts=one.attempts + other.attempts,
    )


class Limits(Value):
    """What a run, node or agent may spend. None: no limit."""

    tokens: int | None = Field(400_000, ge=1)
    usd_micro: int | None = Field(None, ge=1)
    seconds: float | None = Field(1_800, gt=0, allow_inf_nan=False)
    """Seconds of running, not of waiting."""
    calls: int | None = Field(400, ge=1)
    """Model calls."""
    keep_back: float = Field(0.15, ge=0, lt=1)
    """Share of tokens, money and seconds kept for scopes opened with `reserve=True` (the report)."""
    keep_back_calls: int = Field(3, ge=0)


class Reserve(Value):
    """What one call may use at most, asked for before it; settled by what it used."""

    tokens: int = 0
    usd_micro: int = 0
    seconds: float = 0.0
    calls: int = 1


class Spent(Value):
    """What a run has used so far. `carried` was paid by the run it was forked from."""

    tokens: int = 0
    usd_micro: int = 0
    seconds: float = 0.0
    calls: int = 0
    overrun: int = 0
    """Tokens used beyond what was reserved."""
    carried: int = 0
    """Tokens that a fork took over, not counted against its limits."""
    usd_unknown: bool = False
    """True when some call's price was unknown, so `usd_micro` is a lower bound."""
