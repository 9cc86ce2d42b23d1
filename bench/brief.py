"""Measures the team brief over HTTP, and how quickly messages reach roles: what moot adds to its models' own time.

    python -m bench.brief

A brief is one call for keywords, one for questions, four rankings side by side, sixteen pages digested so many at a
time, one report: 23 calls. The server is a process of its own, at 200 ms a call; each run is durable, as users have it.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from pydantic import JsonValue

from bench.measured import Table
from bench.scripted.process import served
from bench.scripted.script import WireLine, WireScript
from moot.app.service import Service, opened
from moot.app.starting import New
from moot.journal.records import RunRecord
from moot.patterns.memory import Message
from moot.patterns.roles import Role, Seen, delivered, roles
from moot.patterns.team import Given
from moot.text.marks import mark_of
from moot.values.events import NodeEnded

LATENCY_S, PAGES, CALLS, AROUND = 0.2, 16, 23, 4
"""`AROUND`: calls before and after the pages, one after another."""
COASTS = ("northern", "southern", "eastern", "western")
TOPIC = "The lighthouses of the four coasts"
LONGEST, OVERHEAD_MS, DELIVERY_MS = 1.06, 150.0, 5.0
MESSAGES, ROLES, ROUNDS = 1_000, 10, 5


def sentence(coast: str, n: int) -> str:
    """What a document says."""
    built = 1_800 + 10 * COASTS.index(coast) + n
    return f"Lighthouse {n} of the {coast} coast is {30 + n} m high and was built in {built}."


def write_documents(folder: Path) -> None:
    """Sixteen documents, four a coast, each of about 4,000 characters."""
    folder.mkdir()
    for coast in COASTS:
        for n in range(1, 5):
            rest = "\n\n".join(
                f"Keeper {k} wrote of the weather, the ships, and the oil it took. " * 6 for k in range(9)
            )
            text = f"# The {coast} lighthouse {n}\n\n{sentence(coast, n)}\n\n{rest}\n"
            (folder / f"{coast}{n}.md").write_text(text, encoding="utf-8")


def script(latency_s: float = LATENCY_S, count_path: str = "") -> WireScript:
    """What the model says as each role, as often as it is asked."""
    asked: JsonValue = [f"How high are the {coast} lighthouses?" for coast in COASTS]
    lines: list[dict[str, JsonValue]] = [
        {"role": "keyworder", "value": {"keywords": ["lighthouses", "coasts"]}},
        {"role": "decomposer", "value": {"questions": asked}},
        {"role": "ranker", "value": {"order": [0, 1, 2, 3]}},
    ]
    said = list[str]()
    for coast in COASTS:
        for n in range(1, 5):
            mark = f"{mark_of(f'docs://docs/{coast}{n}.md')}.1"
            points: JsonValue = [{"text": sentence(coast, n), "marks": [mark]}]
            lines.append(
                {"role": "digester", "holds": sentence(coast, n), "value": {"relevant": True, "points": points}}
            )
            said.append(f"{sentence(coast, n)[:-1]} [{mark}].")
    lines.append({"role": "writer", "text": "# Lighthouses\n\n## Heights\n\n" + "\n\n".join(said) + "\n"})
    made = tuple(WireLine.model_validate({**line, "times": None}) for line in lines)
    return WireScript(lines=made, latency_s=latency_s, count_path=count_path)


def settings(base_url: str) -> str:
    """A person's settings: one model for both tiers."""
    model = f'{{model = "compatible:scripted", base_url = "{base_url}", rate = {{concurrent = 32}}}}'
    return f"[models]\nfast = {model}\nstrong = {model}\n"


async def a_brief(service: Service, documents: Path, *, parallel: int = 4) -> RunRecord:
    """One run, from its start to its end."""
    flags = {"docs": (str(documents),), "yes": True, "parallel": parallel}
    return await service.settled(await service.start(New("brief", TOPIC, flags)))


async def measured(home: Path, base_url: str) -> int:
    """Prints each figure beside its limit; how many are over."""
    write_documents(home / "docs")
    (home / "settings.toml").write_text(settings(base_url), encoding="utf-8")
    async with opened(str(home), {"MOOT_HOME": str(home)}) as service:
        await a_brief(service, home / "docs")  # what is imported, indexed and opened once
        table = Table(f"A brief of {PAGES} pages, {CALLS} calls of {LATENCY_S * 1e3:g} ms")
        for parallel in (4, 1, PAGES):
            await pages_at_once(table, service, home / "docs", parallel=parallel)
    return len(table.over)


async def pages_at_once(table: Table, service: Service, documents: Path, *, parallel: int) -> None:
    """So many pages at a time: the reading alone, and the whole run, to their longest chain of calls."""
    reading, whole = list[float](), list[float]()
    for _ in range(5):
        record = await a_brief(service, documents, parallel=parallel)
        assert record.ending == "done", record.reason
        assert record.ended_at is not None
        whole.append((record.ended_at - record.created_at).total_seconds())
        ended = [body for event in await service.past(record.id) if isinstance(body := event.read(), NodeEnded)]
        reading.append(next(body.seconds for body in ended if body.node == "browse"))
    chain = -(-PAGES // parallel) * LATENCY_S
    table.row(
        f"{PAGES} pages, {parallel} at once, of their longest chain", statistics.median(reading) / chain, "times",
        most=LONGEST if parallel == 4 else None,
    )  # fmt: skip
    over = statistics.median(whole) - chain - AROUND * LATENCY_S
    table.row("  the whole run beside its models", over * 1e3, "ms", most=OVERHEAD_MS)


def delivering() -> int:
    """How long it takes to see who has news, with so many messages and roles; 1 when it is too long."""
    members = [Role(f"r{n}", f"Role {n}", watch=("Speech",)) for n in range(ROLES)]
    team = roles("talk", *members)
    made = [
        Message(kind="Speech", content="x" * 200, sent_by=f"r{n % ROLES}", round=n // ROLES) for n in range(MESSAGES)
    ]
    messages = delivered([], made)
    state = team.begin(Given(question="?"))
    state["messages"] = messages[:-ROLES]
    state["seen"] = [Seen(role=one.name, ids=tuple(m.id for m in messages[:-ROLES])) for one in members]
    rounds = list[float]()
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        state["messages"] = delivered(messages[:-ROLES], made[-ROLES:])
        assert len(team.waking(state)) == ROLES
        rounds.append(time.perf_counter() - begun)
    table = Table(f"{MESSAGES} messages, {ROLES} roles")
    table.row("delivery, a round", statistics.median(rounds) * 1e3, "ms", most=DELIVERY_MS)
    return len(table.over)


def main() -> int:
    """0 when every figure is within its limit."""
    with tempfile.TemporaryDirectory(prefix="moot-bench-", dir=".") as folder, served(script()) as server:
        over = asyncio.run(measured(Path(folder).absolute(), server.base_url))
    return 1 if over + delivering() else 0


if __name__ == "__main__":
    sys.exit(main())
