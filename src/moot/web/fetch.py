"""One polite, limited GET: redirects by hand, each through the guard; retries; the site's robots and pace kept to.

What the bytes are is sniff.py's and readable.py's business, keeping them cache.py's.
"""

import asyncio
import email.utils
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urldefrag, urljoin

from moot.text.addresses import canonical
from moot.web.connect import Answer, Caps, get
from moot.web.faults import Refused, Unreadable
from moot.web.guard import Guard, Target
from moot.web.pace import Pace
from moot.web.robots import Robots

REDIRECTS = 5
WAITS_S = (1.0, 3.0)
"""Between three attempts."""
LONGEST_WAIT_S = 30.0
"""Longer than this no Retry-After is waited for."""

_MOVED = frozenset({301, 302, 303, 307, 308})
_AGAIN = frozenset({429, 500, 502, 503, 504})
_BROKEN = frozenset({"timeout", "broken_off", "unreachable"})
_CODES = {404: "gone", 410: "gone", 401: "forbidden", 402: "forbidden", 403: "forbidden", 451: "forbidden"}
_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5"


class NoPage(Unreadable):
    """The server's answer was no page. Its beginning is kept for the signs of a wall; it is never read as a page."""

    def __init__(self, code: str, reason: str, *, url: str, answer: Answer) -> None:
        super().__init__(code, reason)
        self.url, self.answer = url, answer


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came. `status` 304: it is still what `validators` were given of."""

    requested_url: str
    final_url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    wire: int
    """Bytes that came over the wire, redirects too."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manners:
    """How moot behaves and shows itself."""

    agent: str = "moot (+https://example.invalid)"
    """The whole User-Agent."""
    language: str = ""
    """Accept-Language."""
    caps: Caps = field(default_factory=Caps)
    obey_robots: bool = True
    allow_downgrade: bool = False


class Fetcher:
    """Fetches pages. One a process; its parts are shared by all runs."""

    def __init__(
        self,
        guard: Guard,
        pace: Pace,
        robots: Robots,
        *,
        manners: Manners = Manners(),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._guard, self._pace, self._robots, self._manners, self._sleep = guard, pace, robots, manners, sleep

    def why_refused(self, url: str) -> Refused | None:
        """Why the form of an address is refused; None when it is not."""
        try:
            self._guard.place(url)
        except Refused as refused:
            return refused
        return None

    async def fetch(
        self, url: str, *, language: str = "", validators: Mapping[str, str] | None = None, asked_for: bool = False
    ) -> Fetched:
        """The page at an address. `validators` are If-None-Match and the like; `asked_for`: a person named this page.

        Raises Unreadable: what the guard refuses; robots; gone, forbidden, rate_limited, http_500 and the like (as
        NoPage); timeout, unreachable, tls, broken_off, too_large, too_slow, encoding, broken; redirects, downgrade.
        """
        at, _ = urldefrag(url.strip())
        seen: list[str] = []
        notes: list[str] = []
        wire = 0
        while True:
            target = await self._guard.check(at)
            self._judge_hop(at, seen)
            seen.append(at)
            await self._hear_robots(at, target, asked_for=asked_for, notes=notes)
            headers = self._headers(language, validators if len(seen) == 1 else None)
            answer = await self._answered(target, at, headers)
            wire += answer.wire
            location = answer.headers.get("location", "") if answer.status in _MOVED else ""
            if not location:
                return _page(url, at, answer, wire=wire, notes=tuple(notes))
            at, _ = urldefrag(_onward(at, location))

    def _judge_hop(self, at: str, seen: list[str]) -> None:
        if not seen:
            return
        if len(seen) > REDIRECTS:
            raise Unreadable("redirects", f"sent on more than {REDIRECTS} times")
        if at in seen:
            raise Unreadable("redirects", "sent round in a circle")
        down = seen[-1].lower().startswith("https:") and not at.lower().startswith("https:")
        if down and not self._manners.allow_downgrade:
            raise Refused("downgrade", "sent on from a secure address to one that is not")

    def _headers(self, language: str, validators: Mapping[str, str] | None) -> dict[str, str]:
        spoken = language or self._manners.language
        return {
            "User-Agent": self._manners.agent,
            "Accept": _ACCEPT,
            **({"Accept-Language": spoken} if spoken else {}),
            "Accept-Encoding": "gzip, deflate",
            **(validators or {}),
        }

    async def _hear_robots(self, at: str, target: Target, *, asked_for: bool, notes: list[str]) -> None:
        if not self._manners.obey_robots:
            return
        try:
            between_s = await self._robots.may_read(at, self._robots_file)
        except Refused as refused:
            if refused.code != "robots" or not asked_for:
                raise
            notes.append("robots_passed_over")
            return
        if between_s is not None:
            self._pace.slow_down(target.host, between_s)

    async def _robots_file(self, at: str) -> tuple[int, bytes]:
        """A robots file, wherever the site sends us for it. One attempt: who cannot say is asked again later."""
        for _ in range(REDIRECTS + 1):
            target = await self._guard.check(at)
            async with self._pace.turn(target.host):
                answer = await get(target, at, headers=self._headers("", None), caps=self._manners.caps)
            location = answer.headers.get("location", "") if answer.status in _MOVED else ""
            if not location:
                return answer.status, answer.body
            at = _onward(at, location)
        return 404, b""  # RFC 9309 2.3.1.2: beyond five redirects it counts as not there

    async def _answered(self, target: Target, at: str, headers: Mapping[str, str]) -> Answer:
        """The answer after up to three attempts."""
        for wait_s in (*WAITS_S, None):
            try:
                async with self._pace.turn(target.host):
                    answer = await get(target, at, headers=headers, caps=self._manners.caps)
            except Unreadable as failed:
                if failed.code not in _BROKEN or wait_s is None:
                    raise
                await self._sleep(wait_s)
                continue
            asked_s = _retry_after(answer.headers.get("retry-after", ""))
            if answer.status not in _AGAIN or wait_s is None or (asked_s or 0) > LONGEST_WAIT_S:
                return answer
            # All who wait for this host wait, or twenty siblings would come back at one moment.
            self._pace.wait_for(target.host, wait_s if asked_s is None else asked_s)
        raise AssertionError("the last attempt returns or raises")


def _onward(at: str, location: str) -> str:
    """Where a site sends us on to."""
    try:
        return urljoin(at, location.strip())
    except ValueError as error:  # http://[bad
        raise Refused("address_form", "sent on to what is no address") from error


def _page(requested: str, final: str, answer: Answer, *, wire: int, notes: tuple[str, ...]) -> Fetched:
    if answer.status in (200, 304):
        if canonical(requested) != canonical(final):
            notes = (*notes, "redirected")
        return Fetched(requested, final, answer.status, answer.headers, answer.body, wire, notes)
    if answer.status == 429:
        code, reason = "rate_limited", "the site asks to be left alone for a while"
    else:
        code = _CODES.get(answer.status, f"http_{answer.status}")
        reason = {"gone": "there is no such page", "forbidden": "the site does not let us read it"}.get(
            code, f"the server answered {answer.status}"
        )
    raise NoPage(code, reason, url=final, answer=answer)


def _retry_after(value: str) -> float | None:
    """Seconds of a Retry-After header, which holds seconds or a date."""
    value = value.strip()
    if value.isdecimal():
        return float(value[:9])
    try:
        at = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, at.timestamp() - time.time())
