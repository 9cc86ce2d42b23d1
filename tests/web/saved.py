"""The saved pages: invented sites in five languages, and beside each what a reader of it sees.

`text` and `cells` are what stands visibly in the article and in its tables, `absent` must not be read, `wall` is what
the page is when it is none.
"""

import json
from pathlib import Path
from typing import NamedTuple

_PAGES = Path(__file__).parent / "pages"


class Saved(NamedTuple):
    """A saved page."""

    name: str
    body: bytes
    text: tuple[str, ...]
    cells: tuple[str, ...]
    title: str
    wall: str
    absent: tuple[str, ...]
    content_type: str


def saved_pages() -> list[Saved]:
    """Every saved page, by name."""
    return [_saved(path) for path in sorted(_PAGES.glob("*.html"))]


def _saved(path: Path) -> Saved:
    told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return Saved(
        path.stem, path.read_bytes(), tuple(told["text"]), tuple(told["cells"]), told.get("title", ""),
        told.get("wall", ""), tuple(told.get("absent", ())), told.get("content_type", "text/html"),
    )  # fmt: skip
