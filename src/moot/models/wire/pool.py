"""What all models of a process share: one pooled client an address, what was learned, and whose turn it is."""

import asyncio
from collections.abc import Awaitable, Callable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies

import httpx2

from moot.models.rate import Gate
from moot.models.wire.direct import Direct
from moot.models.wire.endpoint import Endpoint as Endpoint
from moot.models.wire.endpoint import Timeouts as Timeouts
from moot.models.wire.learned import Learned

_KEPT_ALIVE = 64
_HERE = ("localhost", "127.", "::1")


class Pool:
    """Clients by address. Its owner is the house, which closes it."""

    def __init__(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self.sleep = sleep
        self._clients: dict[str, httpx2.AsyncClient] = {}
        self._learned: dict[tuple[str, str, str], Learned] = {}
        self._gates: dict[tuple[str, str, str], Gate] = {}
        self._closings: list[Callable[[], Awaitable[None]]] = []

    def client(self, endpoint: Endpoint) -> httpx2.AsyncClient:
        """The client of an address, opened when it is first needed."""
        client = self._clients.get(endpoint.base_url)
        if client is None:
            client = self._clients[endpoint.base_url] = _opened(
                urlsplit(endpoint.base_url), httpx2.Timeout(None, connect=endpoint.timeouts.connect_s)
            )
        return client

    def learned(self, endpoint: Endpoint) -> Learned:
        """What is known of a model at an address."""
        return self._learned.setdefault((endpoint.provider, endpoint.base_url, endpoint.model), Learned())

    def gate(self, endpoint: Endpoint) -> Gate:
        """Whose turn it is with a provider and key: runs of a process wait in one line."""
        key = endpoint.key.get_secret_value() if endpoint.key else ""
        place = (endpoint.provider, endpoint.base_url, key)
        if place not in self._gates:
            self._gates[place] = Gate(endpoint.rate, sleep=self.sleep)
        return self._gates[place]

    def closes(self, closing: Callable[[], Awaitable[None]]) -> None:
        """Another package's client, closed with the rest."""
        self._closings.append(closing)

    async def close(self) -> None:
        """Closes every connection."""
        closings, self._closings = self._closings, []
        for closing in closings:
            await closing()
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.aclose()


def _opened(address: SplitResult, timeout: httpx2.Timeout) -> httpx2.AsyncClient:
    here = (address.hostname or "").startswith(_HERE)
    if not here and getproxies().keys() & {address.scheme, "all"}:
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=_KEPT_ALIVE, keepalive_expiry=30)
        return httpx2.AsyncClient(timeout=timeout, limits=limits, cookies=_no_cookies())
    secured = None
    if address.scheme == "https":
        secured = httpx2.create_ssl_context()  # reading certificates takes 20 ms
        secured.set_alpn_protocols(["http/1.1"])
    return httpx2.AsyncClient(timeout=timeout, cookies=_no_cookies(), transport=Direct(secured))


def _no_cookies() -> CookieJar:
    """Takes none: two keys share a client, and what a server sets for one must not come with the other."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))
