"""An outside server made with the official library: `python serving.py` speaks over its input and output, and with a
port over HTTP on loopback."""

import sys

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("tests")
READS = ToolAnnotations(read_only_hint=True)
noted: list[str] = []


@server.tool(annotations=READS)
def add(a: int, b: int = 1) -> str:
    """Adds two numbers."""
    return f"{a} + {b} = {a + b}"


@server.tool(annotations=READS)
def table(rows: int) -> list[dict[str, int]]:
    """Gives rows."""
    return [{"row": n, "square": n * n} for n in range(rows)]


@server.tool()
def note(text: str) -> str:
    """Notes a text."""
    noted.append(text)
    return f"{len(noted)} noted"


@server.tool(annotations=READS)
def fails() -> str:
    """Always fails."""
    raise ToolError("no such dam")


@server.tool(annotations=READS)
def long(megabytes: int) -> str:
    """Answers at length."""
    return "x" * (megabytes * 1024 * 1024)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
