"""What may be asked of the journal; nothing here writes."""

import sqlite3

from moot.journal.records import Entry, RunFilter, RunRecord, Visit
from moot.journal.sqlite.bodies import Bodies
from moot.journal.sqlite.fence import row_of
from moot.journal.sqlite.rows import entry_of, event_of, question_of, run_of
from moot.values.events import Event
from moot.values.questions import Question
from moot.values.value import Key, QuestionId, RunId


def run(db: sqlite3.Connection, which: RunId) -> RunRecord:
    return run_of(row_of(db, which))


def runs(db: sqlite3.Connection, which: RunFilter) -> list[RunRecord]:
    """Runs that fit, newest first; forgotten ones are not listed."""
    equal = {name: value for name in ("team", "status", "ending") if (value := getattr(which, name)) is not None}
    wanted = "".join(f" AND {name} = :{name}" for name in equal)
    found = db.execute(
        f"SELECT * FROM runs WHERE forgotten = 0{wanted} AND (:q = '' OR instr(lower(question), lower(:q)) > 0)"
        " ORDER BY n DESC LIMIT :limit",
        {**equal, "q": which.q, "limit": which.limit},
    )
    return [run_of(row) for row in found]


def named(db: sqlite3.Connection, prefix: str) -> list[RunId]:
    """Ids that begin so, newest first; `last`: the newest that a person started (no child of another run)."""
    if prefix == "last":
        rows = db.execute("SELECT id FROM runs WHERE forgotten = 0 AND start_key IS NULL ORDER BY n DESC LIMIT 1")
    else:
        rows = db.execute("SELECT id FROM runs WHERE substr(id, 1, ?) = ? ORDER BY n DESC", (len(prefix), prefix))
    return [RunId(row["id"]) for row in rows]


def entries(db: sqlite3.Connection, bodies: Bodies, which: RunId) -> list[Entry]:
    rows = db.execute(
        "SELECT * FROM entries e WHERE run = ? AND aside = 0"
        " AND rev = (SELECT max(rev) FROM entries n WHERE n.run = e.run AND n.key = e.key) ORDER BY seq",
        (which,),
    ).fetchall()
    return [entry_of(db, bodies, row) for row in rows]


def aside(db: sqlite3.Connection, bodies: Bodies, which: RunId) -> list[Entry]:
    rows = db.execute("SELECT * FROM entries WHERE run = ? AND aside = 1 ORDER BY seq, rev", (which,)).fetchall()
    return [entry_of(db, bodies, row) for row in rows]


def entry(db: sqlite3.Connection, bodies: Bodies, which: RunId, *, key: Key) -> Entry | None:
    row = db.execute(
        "SELECT * FROM entries WHERE run = ? AND key = ? ORDER BY rev DESC LIMIT 1", (which, key)
    ).fetchone()
    return entry_of(db, bodies, row) if row and not row["aside"] else None


def revs(db: sqlite3.Connection, which: RunId) -> dict[Key, int]:
    """The rev that comes next under each key whose newest entry was set aside."""
    rows = db.execute("SELECT key, max(rev), aside FROM entries WHERE run = ? GROUP BY key", (which,))
    return {Key(key): rev + 1 for key, rev, aside in rows if aside}


def visits(db: sqlite3.Connection, which: RunId, epoch: int) -> list[Visit]:
    rows = db.execute(
        "SELECT epoch, node, step, visit FROM visits WHERE run = ? AND epoch = ? ORDER BY step, node", (which, epoch)
    )
    return [Visit(epoch=row[0], node=row[1], step=row[2], visit=row[3]) for row in rows]


def events(db: sqlite3.Connection, which: RunId, after: int, *, limit: int) -> list[Event]:
    rows = db.execute("SELECT * FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?", (which, after, limit))
    return [event_of(row) for row in rows]


def questions(db: sqlite3.Connection, which: RunId) -> list[Question]:
    """A run's questions in the order they were begun."""
    rows = db.execute(
        "SELECT q.* FROM questions q LEFT JOIN entries e ON e.run = q.run AND e.key = q.key"
        " WHERE q.run = ? GROUP BY q.id ORDER BY min(e.seq), q.id",
        (which,),
    )
    return [question_of(row) for row in rows]


def question(db: sqlite3.Connection, which: QuestionId) -> Question | None:
    row = db.execute("SELECT * FROM questions WHERE id = ?", (which,)).fetchone()
    return question_of(row) if row else None
