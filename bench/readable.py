"""How much of a page's visible text and of its tables' cells is read, beside trafilatura alone, and how long it takes.

python -m bench.readable
"""

import importlib
import time
from collections import Counter
from collections.abc import Callable
from statistics import mean
from typing import NamedTuple

from bench.measured import Table
from moot.web.readable import readable
from tests.web.saved import Saved, saved_pages

LEAST = 0.95
SLOWEST_PAGE_S, FORTY_KB_S = 1.0, 0.1
_PARAGRAPH = "<p>Paragraph {0} says that {0} cubic metres a second ran through gate {0}.</p>"
_TABLE = (
    "<table><tr><th>Gauge<th>cm</tr>"
    + "<tr><td><a href=/gauge/{0}>Gauge {0}</a></td><td>{0} cm</td></tr>" * 11
    + "</table>"
)
_SECTION = "<h2>Part {0}</h2><p>Paragraph {0} says <b>that</b> {0} <a href=/{0}>cubic</a> metres.</p><pre>x = {0}</pre>"


class Recalled(NamedTuple):
    """Shares of what a reader of the page sees."""

    text: float
    cells: float


def recalled(page: Saved, text: str) -> Recalled:
    """How much of the page's article and of its cells is in a text made of it."""
    words, found = Counter(gram for line in page.text for gram in grams(line)), Counter(grams(text))
    cells, in_rows = Counter(map(bare, page.cells)), Counter(cells_of(text))
    return Recalled(_share(words, found), _share(cells, in_rows))


def grams(text: str) -> list[str]:
    """Words; of Chinese, Japanese and Korean text its characters in pairs."""
    parts: list[str] = []
    for word in "".join(char if char.isalnum() else " " for char in text.casefold()).split():
        parts += [word[at : at + 2] for at in range(len(word) - 1)] if word[0] > "\u2e80" else [word]
    return parts


def cells_of(text: str) -> list[str]:
    """The cells of the tables in Markdown."""
    rows = [line.strip() for line in text.splitlines() if line.strip().startswith("|")]
    return [bare(cell) for row in rows for cell in row.replace("\\|", "\0").strip("|").split("|")]


def bare(text: str) -> str:
    """A cell's text without marks and blanks."""
    return "".join(char for char in text.replace("\\", "").casefold() if char.isalnum())


def _share(wanted: Counter[str], found: Counter[str]) -> float:
    return sum((wanted & found).values()) / wanted.total() if wanted else 1.0


def alone(page: Saved) -> str:
    """What trafilatura makes of the page by itself."""
    extract: Callable[..., str | None] = importlib.import_module("trafilatura").extract
    return extract(page.body, output_format="markdown", include_tables=True, favor_recall=True) or ""


def forty_kilobytes(part: str, *, parts: int) -> float:
    """Processor seconds for a page of 40 kB, made of so many of a part."""
    body = "".join(part.format(n) for n in range(parts))
    page = f"<!doctype html><html><body><article><h1>Flow</h1>{body}</article></body></html>".encode()
    assert 38_000 <= len(page) <= 44_000, len(page)
    readable(page, name="p.html")
    begun = time.process_time()
    for _ in range(5):
        readable(page, name="p.html")
    return (time.process_time() - begun) / 5


def main() -> None:
    """Prints every figure; ends with 1 when one is over its limit."""
    pages = [page for page in saved_pages() if page.text or page.cells]
    ours: list[Recalled] = []
    theirs: list[Recalled] = []
    slowest = 0.0
    for page in pages:
        begun = time.process_time()
        text = readable(page.body, name=page.name, content_type=page.content_type).text
        slowest = max(slowest, time.process_time() - begun)
        ours.append(recalled(page, text))
        theirs.append(recalled(page, alone(page)))
        for what, found in (("text", ours[-1].text), ("cells", ours[-1].cells)):
            if found < LEAST:
                print(f"  {page.name}: {what} {found:.3f}")
    tabled = [at for at, page in enumerate(pages) if page.cells]
    table = Table(f"{len(pages)} saved pages, {len(tabled)} with tables")
    table.row("article text read", mean(one.text for one in ours), least=LEAST)
    table.row("  by trafilatura alone", mean(one.text for one in theirs))
    table.row("cells read", mean(ours[at].cells for at in tabled), least=LEAST)
    table.row("  by trafilatura alone", mean(theirs[at].cells for at in tabled))
    table.row("slowest page (first of all, loading included)", slowest, "s CPU", most=SLOWEST_PAGE_S)
    table.row("40 kB of paragraphs", forty_kilobytes(_PARAGRAPH, parts=520), "s CPU", most=FORTY_KB_S)
    table.row("40 kB of tables", forty_kilobytes(_TABLE, parts=60), "s CPU", most=FORTY_KB_S)
    table.row("40 kB of 400 headings with code", forty_kilobytes(_SECTION, parts=400), "s CPU")
    if table.over:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
