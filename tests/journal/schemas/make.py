"""Keeps a database of the newest schema as `<number>.sql`: `python -m tests.journal.schemas.make`, once a release."""

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from moot.journal.clock import HandClock
from moot.journal.migrations import MIGRATIONS
from moot.journal.records import Visit
from moot.journal.sqlite import SqliteJournal
from tests.journal.samples import a_question, a_run, an_entry, an_event, asked, kept


async def fill(path: Path) -> None:
    """One row or more in every table."""
    journal = await SqliteJournal.open(path, clock=HandClock())
    new = a_run(question="What is kept?")
    await journal.start(new, [an_event("!queued#")])
    claim = await journal.claim(new.id, "host:1:1:00000000")
    request = b'{"messages":["' + b"x" * 70_000 + b'"]}'
    await journal.keep(claim, kept(an_entry(request=request)), [an_event("plan#1/!said#1", body={"字": 1})])
    await journal.visited(claim, Visit(epoch=1, node="plan", step=1, visit=1))
    await asked(journal, claim, a_question())
    await journal.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "moot.db"
        asyncio.run(fill(path))
        with closing(sqlite3.connect(path)) as db:
            lines = "\n".join(db.iterdump()) + "\n"
    Path(__file__).with_name(f"{len(MIGRATIONS)}.sql").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
