"""How often a model is asked again, and how long is waited before. What went wrong is each wire's to say."""

import hashlib
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

ATTEMPTS = 4
WAITS_S = (1.0, 2.0, 4.0)
CAP_S = 30.0
ASKED_CAP_S = 120.0
"""A provider that asks for a longer wait is not waited for."""
TOGETHER_S = 180.0
"""All waits of one call."""
_RESETS = (
    "x-ratelimit-reset-requests",
    "x-ratelimit-reset-tokens",
    "x-ratelimit-reset",
)
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0}
_PART = re.compile(r"(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(ms|s|m|h)", re.ASCII)


class Patience:
    """The waits of one call. Its owner is the call."""

    def __init__(self, key: str, attempts: int = ATTEMPTS) -> None:
        """`key`: what chance is made from, so that the same call waits the same in every run."""
        self.attempts = 1
        self.waited_s = 0.0
        self._key = key
        self._most = attempts

    def wait_s(self, asked_s: float | None) -> float | None:
        """Seconds to wait before the next attempt; None when there is none. `asked_s`: what the provider asks for."""
        if self.attempts >= self._most or (asked_s is not None and asked_s > ASKED_CAP_S):
            return None
        own = WAITS_S[min(self.attempts, len(WAITS_S)) - 1] * self._chance()
        wait = min(CAP_S, own) if asked_s is None else asked_s
        if self.waited_s + wait > TOGETHER_S:
            return None
        self.attempts += 1
        self.waited_s += wait
        return wait

    def _chance(self) -> float:
        digest = hashlib.sha256(f"{self._key}/{self.attempts}".encode()).digest()
        return 0.75 + int.from_bytes(digest[:4], "big") / 2**33


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """The seconds that a provider asks to be left alone for; None when it names none. Names in small letters."""
    if (ms := _number(headers.get("retry-after-ms", ""))) is not None:
        return ms / 1_000
    if after := headers.get("retry-after", "").strip():
        seconds = _number(after)
        return seconds if seconds is not None else _until(after, now or datetime.now(UTC))
    resets = [_span(headers[name]) for name in _RESETS if name in headers and _is_spent(headers, name)]
    known = [span for span in resets if span is not None]
    return max(known) if known else None


def _is_spent(headers: Mapping[str, str], name: str) -> bool:
    """Whether it is this limit that was met: the one with nothing remaining, or the only word there is on it."""
    left = headers.get(name.replace("reset", "remaining"))
    return left is None or left.strip() in ("0", "0.0")


def _number(written: str) -> float | None:
    try:
        value = float(written)
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _until(date: str, now: datetime) -> float | None:
    try:
        then = parsedate_to_datetime(date)
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - now).total_seconds())


def _span(written: str) -> float | None:
    """`6m0s`, `120ms`, `1.5`: seconds. A point in time, as some send, is none."""
    plain = _number(written)
    if plain is not None:
        return plain if plain < 1e6 else None
    total, rest = 0.0, written.strip().lower()
    while part := _PART.match(rest):
        total, rest = total + float(part[1]) * _UNITS[part[2]], rest[part.end() :]
    return None if rest else total
