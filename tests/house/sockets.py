"""Who may open a connection or look a name up: the guard's own rooms, and clients of hosts that the operator set."""

import ast
from collections.abc import Iterator, Mapping

from tests.house.tree import Source, dotted, each_file

MAY: Mapping[str, str] = {
    "web/guard.py": "looks up the names that it judges",
    "web/connect.py": "to addresses that the guard checked, and to the operator's proxy",
    "web/proxy.py": "Chromium's way: each connection is checked by the guard and pinned",
    "web/browser.py": "Chromium, behind that proxy",
    "web/browsing.py": "Chromium, behind that proxy",
    "web/mcp/address.py": "outside servers that the operator set, through the guard",
    "models/wire/pool.py": "model servers that the operator set",
    "models/wire/direct.py": "model servers that the operator set",
}
"""Where a connection is opened, and to whom."""

_OPEN = frozenset({
    "open_connection", "open_unix_connection", "create_connection", "create_datagram_endpoint", "start_server",
    "create_server", "connect_tcp", "connect_ex", "getaddrinfo", "gethostbyname", "gethostbyname_ex", "urlopen",
    "sock_connect", "AsyncHTTPConnection", "HTTPConnection", "HTTPSConnection", "AsyncHTTPProxy", "HTTPProxy",
    "AsyncConnectionPool", "ConnectionPool", "AsyncClient", "AsyncHTTPTransport", "HTTPTransport", "AnyIOBackend",
    "SyncBackend", "async_playwright", "sync_playwright", "streamable_http_client", "sse_client", "websocket_client",
})  # fmt: skip
_OPEN_BY_FULL_NAME = frozenset({
    "socket.socket", "socket.socketpair", "httpx2.get", "httpx2.post", "httpx2.request", "httpx2.stream",
    "httpx2.Client", "httpcore2.request", "httpcore2.stream",
})  # fmt: skip
_CLIENTS = frozenset({
    "aiohttp", "requests", "urllib3", "httpx", "urllib.request", "http.client", "http.server", "socketserver", "ftplib",
    "smtplib", "imaplib", "poplib", "telnetlib", "xmlrpc.client", "xmlrpc.server", "websockets", "websocket", "ddgs",
})  # fmt: skip


@each_file("src/moot")
def open_sockets(source: Source) -> Iterator[str]:
    """Connections, look-ups of names, and clients that make them, anywhere but where they may be."""
    if source.in_package not in MAY:
        yield from opened_in(source)


def opened_in(source: Source) -> Iterator[str]:
    """Where a file goes to the network by itself."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            name = dotted(node.func) or getattr(node.func, "attr", "")
            if name in _OPEN_BY_FULL_NAME or name.split(".")[-1] in _OPEN:
                yield source.at(node, f"opens a connection with {name}: addresses pass web/guard.py")
        for module in _imported(node):
            if any(module == client or module.startswith(f"{client}.") for client in _CLIENTS):
                yield source.at(node, f"brings its own client of the network, {module}: addresses pass web/guard.py")


def _imported(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Import):
        return tuple(alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom) and node.module:
        return (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    return ()
