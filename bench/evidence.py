"""`python -m bench.evidence`: speed of addresses, marks, cutting, checking and auditing. Ends 1 if a figure is missed.

Times are of one core (processor time), so that what else runs on the machine does not show.
"""

import asyncio
import hashlib
import random
import sys
import time
from collections.abc import Callable

from bench.measured import Table
from moot.evidence.audit.copies import Copy
from moot.evidence.audit.own import audit
from moot.evidence.check import check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.text.addresses import canonical
from moot.text.marks import mark_of, read_marks
from moot.text.passages import cut
from moot.values.evidence import NewRead, Shown
from moot.values.report import Surroundings
from moot.values.value import RunId

SENTENCES = 2_000
_ENGLISH = (
    "The {name} Dam was completed in {year} and holds {n} million cubic metres of water.",
    "In {year} the town of {name} had {n},{m} inhabitants, {p} percent more than ten years before.",
    "The board of {name} Holdings approved a dividend of ${n} million in {year}.",
    "Of the {n} patients at {name} Hospital, {p} percent recovered within {m} days.",
)
_CHINESE = (
    "{name}水库于{year}年建成，总库容为{n}万立方米。",
    "{year}年，{name}县的常住人口为{n}万人，比十年前增长{p}%。",
    "{name}集团董事会于{year}年批准派发股息{n}万元。",
    "{name}医院的{n}名患者中，{p}%在{m}天内康复。",
)
_NAMES = "Halden Norvale Merrow Calder Ashby Torven Lisbrook Farrow Brimley Ostwick".split()
_CHINESE_NAMES = "临江 青岚 云溪 松原 白石 南岭 石桥 清河 金沙 平湖".split()


class Blobs:
    """Bytes by hash, in memory."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    async def put(self, run: str, body: bytes) -> str:
        sha256 = hashlib.sha256(body).hexdigest()
        self._kept[sha256] = body
        return sha256

    async def get(self, sha256: str) -> bytes | None:
        return self._kept.get(sha256)

    async def drop(self, sha256s: object) -> int:
        raise AssertionError("nothing is dropped here")


def said(chance: random.Random, *, chinese: bool) -> str:
    """One sentence of fact."""
    names, forms = (_CHINESE_NAMES, _CHINESE) if chinese else (_NAMES, _ENGLISH)
    return chance.choice(forms).format(
        name=chance.choice(names), year=chance.randrange(1950, 2024), n=chance.randrange(100, 999),
        m=chance.randrange(100, 999), p=chance.randrange(3, 60),
    )  # fmt: skip


def prose(megabytes: float, *, chinese: bool) -> str:
    """Paragraphs of such sentences under headings."""
    chance, between = random.Random(5), "" if chinese else " "
    parts: list[str] = []
    size = 0.0
    while size < megabytes * 1e6:
        if len(parts) % 12 == 0:
            parts.append(f"## {chance.choice(_CHINESE_NAMES if chinese else _NAMES)}")
        parts.append(between.join(said(chance, chinese=chinese) for _ in range(chance.randrange(2, 9))))
        size += len(parts[-1].encode())
    return "\n\n".join(parts)


def seconds(work: Callable[[], object], rounds: int = 3) -> float:
    """The least processor time of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def functions(table: Table) -> None:
    """Addresses, marks and cutting."""
    urls = [f"https://Example{n % 50}.org:443/report/./a/../{n}?utm_source=x&id={n}#sec2" for n in range(20_000)] + [
        f"https://例子{n % 50}.测试/%e4%b8%ad/{n}" for n in range(5_000)
    ]
    table.row("addresses brought into canonical form", len(urls) / seconds(lambda: [canonical(u) for u in urls]), "/s",
              least=20_000)  # fmt: skip
    pages = [f"//example.org/page/{n}" for n in range(50_000)]
    table.row("marks made", len(pages) / seconds(lambda: [mark_of(page) for page in pages]), "/s", least=20_000)
    draft = " ".join(f"It is so [S{n % 65_536:04x}.{n % 90 + 1}]." for n in range(20_000))
    table.row("marks read in a draft", 20_000 / seconds(lambda: read_marks(draft)), "/s", least=20_000)
    for language, chinese in (("English", False), ("Chinese", True)):
        text = prose(2, chinese=chinese)
        size = len(text.encode()) / 1e6
        table.row(f"cutting, {language} prose", size / seconds(lambda text=text: cut(text)), "MB/s", least=5)  # type: ignore[misc] # bound now


async def report(table: Table, *, chinese: bool) -> None:
    """A report of 2,000 sentences: checked, finished, audited."""
    store = await Store.open(None, Blobs())
    chance = random.Random(9)
    sources: list[Shown] = []
    lines = ["# A report"]
    for n in range(40):
        sentences = [said(chance, chinese=chinese) for _ in range(SENTENCES // 40)]
        text = "\n\n".join("".join(sentences[at : at + 2]) for at in range(0, len(sentences), 2))
        read = NewRead(address=f"//example.org/{n}", run="bench", text=text, body=b"<p>" + text.encode())
        kept = await store.keep(read)
        mark = mark_of(read.address, 8)
        sources.append(
            Shown(mark=mark, address=read.address, text_hash=kept.text_hash, snapshot=kept.snapshot,
                  passages=len(kept.passages))
        )  # fmt: skip
        lines += [f"{one[:-1]} [{mark}.{at // 2 + 1}]{one[-1]}" for at, one in enumerate(sentences)]
    ledger = Ledger(sources)
    language = "Chinese" if chinese else "English"
    began = time.process_time()
    checked = await check("\n\n".join(lines), ledger, store)
    spent = time.process_time() - began
    table.row(f"checking a claim, {language}", 1_000 * spent / len(checked.checked), "ms", most=20)
    table.row(f"checking {len(checked.checked):,} claims, {language}", spent, "s", most=40)
    made = await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("bench")))
    began = time.process_time()
    result = await audit(Copy(made.markdown), store)
    table.row(f"auditing them, {language}", time.process_time() - began, "s", most=40)
    assert result.problems == (), result.problems[:3]
    await store.close()


async def main() -> int:
    """Prints every figure; 1 when one is over its limit."""
    table = Table("Evidence")
    functions(table)
    for chinese in (False, True):
        await report(table, chinese=chinese)
    return 1 if table.over else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
