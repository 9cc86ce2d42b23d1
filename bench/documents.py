"""`python -m bench.documents`: the figures of own documents on 10,000 files that it makes. Ends 1 if one is missed."""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from bench.corpus import Made, make
from moot.text.scripts import cjk_share
from moot.text.words import words
from moot.web.documents import Collection, open_collections
from moot.web.find import find
from moot.web.index import Index
from moot.web.shelf import Entry
from moot.web.wanted import wanted

QUESTIONS = 300, 150
"""English and Chinese known items."""


class Figure(NamedTuple):
    """One figure: what it should be, what it is."""

    name: str
    target: str
    reached: str
    held: bool


async def measured(folder: Path, home: Path, made: Made, *, questions: tuple[int, int] = QUESTIONS) -> list[Figure]:
    """Indexes the folder, asks it, changes it; every figure of the table."""
    begun, worked = time.perf_counter(), time.process_time()
    collection = await opened(folder, home)
    seconds, worked = time.perf_counter() - begun, time.process_time() - worked
    index = collection.index
    speed = made.bytes / 1e6 / seconds
    index.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = sum(path.stat().st_size for path in home.rglob(f"{index.path.name}*")) / made.bytes
    passages = index.totals().passages
    english, chinese, times = known_items(index, questions)
    p95 = quantiles(times, n=20)[-1]
    collection.index.close()
    changed = await change(folder, home)
    begun = time.perf_counter()
    again = await opened(folder, home)
    unchanged = time.perf_counter() - begun
    again.index.close()
    return [
        Figure(
            "indexing, all stages",
            "≥ 2 MB/s",
            f"{speed:.1f} MB/s ({passages:,} passages in {seconds:.0f} s, of which {worked:.0f} s of work)",
            speed >= 2,
        ),
        Figure("query, median", "≤ 40 ms", f"{median(times) * 1e3:.0f} ms", median(times) <= 0.040),
        Figure("query, p95", "≤ 150 ms", f"{p95 * 1e3:.0f} ms", p95 <= 0.150),
        Figure("index size", "≤ 2.2 × text", f"{size:.2f} ×", size <= 2.2),
        Figure("known item, English", "≥ 0.88", f"{english:.3f}", english >= 0.88),
        Figure("known item, Chinese", "≥ 0.95", f"{chinese:.3f}", chinese >= 0.95),
        Figure("one changed file", "≤ 150 ms", f"{changed * 1e3:.0f} ms", changed <= 0.150),
        Figure("nothing changed", "≤ 3 s", f"{unchanged:.2f} s", unchanged <= 3),
    ]


async def opened(folder: Path, home: Path) -> Collection:
    """The folder's collection, its index brought up to date."""
    (collection,) = await open_collections([str(folder)], home=home)
    return collection


def known_items(index: Index, questions: tuple[int, int], *, seed: int = 11) -> tuple[float, float, list[float]]:
    """How often the document of a random passage is among the first 10, in English and in Chinese; all seconds."""
    chance = random.Random(seed)
    times: list[float] = []
    rates: list[float] = []
    for foreign, count in zip((False, True), questions, strict=True):
        hits = 0
        for path, query in _questions(index, chance, foreign=foreign, count=count):
            begun = time.perf_counter()
            found = find([index], wanted(query), n=10)
            times.append(time.perf_counter() - begun)
            hits += any(hit.file.path == path for hit in found)
        rates.append(hits / count)
    return rates[0], rates[1], times


def _questions(index: Index, chance: random.Random, *, foreign: bool, count: int) -> Iterator[tuple[str, str]]:
    """(path, query): 5 random words of an English passage, two runs of 6 characters of a Chinese one."""
    files = [row[0] for row in index.db.execute("SELECT id FROM file WHERE status = 'ok' ORDER BY path")]
    made = 0
    while made < count:
        file = index.file_by_id(chance.choice(files))
        assert file is not None, "a listed file is there"
        rows = index.db.execute('SELECT start, "end" FROM passage WHERE file = ?', (file.id,)).fetchall()
        (text,) = index.slices([(file.id, *chance.choice(rows))])
        query = _chinese(chance, text) if foreign else _english(chance, text)
        if query:
            made += 1
            yield file.path, query


def _english(chance: random.Random, text: str) -> str:
    found = [word for word in words(text) if word.isalpha()] if cjk_share(text) < 0.1 else []
    return " ".join(chance.sample(found, 5)) if len(found) >= 8 else ""


def _chinese(chance: random.Random, text: str) -> str:
    signs = "".join(char for char in text if char.isalpha()) if cjk_share(text) > 0.9 else ""
    if len(signs) < 16:
        return ""
    return " ".join(signs[at : at + 6] for at in (chance.randrange(len(signs) - 5), chance.randrange(len(signs) - 5)))


async def change(folder: Path, home: Path) -> float:
    """The median seconds of taking in one changed file, over 5: read, cut, old words out, new words in."""
    collection = await opened(folder, home)
    spent: list[float] = []
    files = sorted(folder.rglob("*.md"))
    for path in files[:: len(files) // 5][:5]:
        path.write_text(path.read_text(encoding="utf-8") + "\n\nOne more paragraph, added later.\n", encoding="utf-8")
        os.utime(path)
        entry = collection.shelf.stat(str(path.relative_to(folder)))
        assert entry is not None, "a changed file is still there"
        spent.append(_timed(collection, entry))
    collection.index.close()
    return median(spent)


def _timed(collection: Collection, entry: Entry) -> float:
    begun = time.perf_counter()
    assert collection.renew(entry, stop=threading.Event()), "the file has changed"
    return time.perf_counter() - begun


def main(arguments: Sequence[str]) -> int:
    """Makes, measures, prints. 0 when every figure is reached, else 1."""
    reader = argparse.ArgumentParser(prog="python -m bench.documents", description=__doc__)
    reader.add_argument("--files", type=int, default=10_000)
    reader.add_argument("--in", dest="folder", type=Path, help="where to make them; by default a temporary folder")
    given = reader.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="moot-bench-") as temporary:
        folder = given.folder or Path(temporary)
        begun = time.perf_counter()
        made = make(folder / "documents", files=given.files)
        print(
            f"{made.files:,} documents, {made.bytes / 1e6:.1f} MB, {made.chinese / made.files:.0%} Chinese, "
            f"made in {time.perf_counter() - begun:.0f} s",
            flush=True,
        )
        figures = asyncio.run(measured(folder / "documents", folder / "home", made))
    for figure in figures:
        print(f"{'ok  ' if figure.held else 'MISS'}  {figure.name:<22} {figure.target:<13} {figure.reached}")
    return 0 if all(figure.held for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
