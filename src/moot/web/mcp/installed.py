"""Whether outside servers can be spoken to here. Speaking to them is servers.py's business, and loads the package."""

import importlib.util


def why_missing() -> str:
    """Why no outside server can be used; `` when one can."""
    if importlib.util.find_spec("mcp") is None:
        return 'outside servers need the package mcp: pip install "moot[mcp]"'
    return ""
