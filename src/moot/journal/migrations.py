"""The database's shape, one numbered step after another: a step's number is its place, and what was released stays.

Two processes starting together apply each step once; the database is copied before a step changes it.
"""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from moot.values.errors import SchemaNewer

Migration = Callable[[sqlite3.Connection], None]


def _first(db: sqlite3.Connection) -> None:
    for statement in FIRST.split(";\n"):
        db.execute(statement)


FIRST = """
CREATE TABLE runs (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, team TEXT NOT NULL, question TEXT NOT NULL,
  settings BLOB NOT NULL, limits BLOB NOT NULL, thread TEXT NOT NULL, parent TEXT, start_key TEXT,
  seed TEXT NOT NULL, code TEXT NOT NULL,
  status TEXT NOT NULL, reason TEXT NOT NULL, ending TEXT, report TEXT NOT NULL DEFAULT '',
  epoch INTEGER NOT NULL DEFAULT 0, holder TEXT NOT NULL DEFAULT '',
  lease_boot TEXT NOT NULL DEFAULT '', lease_until REAL NOT NULL DEFAULT 0, claimed_at REAL NOT NULL DEFAULT 0,
  kept_epoch INTEGER NOT NULL DEFAULT 0, lost_epochs INTEGER NOT NULL DEFAULT 0,
  from_start INTEGER NOT NULL DEFAULT 1, last_event INTEGER NOT NULL DEFAULT 0, aside_from INTEGER,
  cancel_asked_at REAL, report_now INTEGER NOT NULL DEFAULT 0, held INTEGER NOT NULL DEFAULT 0,
  spent_seconds REAL NOT NULL DEFAULT 0, forgotten INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL, started_at TEXT, ended_at TEXT
);
CREATE UNIQUE INDEX runs_started ON runs (coalesce(parent, ''), start_key) WHERE start_key IS NOT NULL;
CREATE INDEX runs_status ON runs (status);
CREATE TABLE entries (
  run TEXT NOT NULL REFERENCES runs (id), key TEXT NOT NULL, rev INTEGER NOT NULL, seq INTEGER NOT NULL,
  aside INTEGER NOT NULL DEFAULT 0,
  kind TEXT NOT NULL, effect TEXT NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL,
  epoch INTEGER NOT NULL, tries INTEGER NOT NULL,
  request BLOB, request_blob TEXT, reply BLOB, reply_blob TEXT,
  failure BLOB, usage BLOB, reserved BLOB, begun_at REAL NOT NULL, ended_at REAL, carried INTEGER NOT NULL,
  PRIMARY KEY (run, key, rev)
) WITHOUT ROWID;
CREATE INDEX entries_seq ON entries (run, seq);
CREATE TABLE events (
  run TEXT NOT NULL REFERENCES runs (id), seq INTEGER NOT NULL, key TEXT NOT NULL,
  type TEXT NOT NULL, at TEXT NOT NULL, body BLOB NOT NULL,
  PRIMARY KEY (run, seq), UNIQUE (run, key)
) WITHOUT ROWID;
CREATE TABLE visits (
  run TEXT NOT NULL REFERENCES runs (id), epoch INTEGER NOT NULL, node TEXT NOT NULL, step INTEGER NOT NULL,
  visit INTEGER NOT NULL,
  PRIMARY KEY (run, epoch, node, step)
) WITHOUT ROWID;
CREATE TABLE questions (
  id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id), key TEXT NOT NULL, kind TEXT NOT NULL,
  body BLOB NOT NULL, digest TEXT NOT NULL, wait_s REAL, fallback BLOB NOT NULL, due_at REAL,
  state TEXT NOT NULL, answer BLOB, by TEXT NOT NULL DEFAULT '', at REAL
) WITHOUT ROWID;
CREATE INDEX questions_run ON questions (run);
CREATE TABLE blobs (sha256 TEXT PRIMARY KEY, size INTEGER NOT NULL, bytes BLOB);
CREATE TABLE blob_uses (
  sha256 TEXT NOT NULL REFERENCES blobs (sha256), run TEXT NOT NULL,
  PRIMARY KEY (sha256, run)
) WITHOUT ROWID;
CREATE INDEX blob_uses_run ON blob_uses (run)
"""

VERSIONS = "CREATE TABLE schema_version (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"

MIGRATIONS: tuple[Migration, ...] = (_first,)


def migrate(db: sqlite3.Connection, path: Path | None, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Brings a database up to the newest step, each in a commit of its own; copies it to `<name>.before-<n>` first.

    Raises SchemaNewer, and touches nothing, when a newer moot made it. `path` None: in memory, nothing to copy.
    """
    while check_known(db, steps) < len(steps):
        db.execute("BEGIN EXCLUSIVE")
        try:
            done = check_known(db, steps)  # another process may have been here while we waited for the lock
            if done < len(steps):
                _step(db, path, done + 1, step=steps[done])
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")


def check_known(db: sqlite3.Connection, steps: Sequence[Migration] = MIGRATIONS) -> int:
    """The newest step this database has had. Raises SchemaNewer when we do not know it."""
    done = schema_number(db)
    if done > len(steps):
        raise SchemaNewer(f"schema_newer: database is at {done}, this moot knows {len(steps)}. Use the newer moot.")
    return done


def schema_number(db: sqlite3.Connection) -> int:
    """The newest step this database has had; 0 when it is new."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'schema_version'").fetchone():
        return 0
    return int(db.execute("SELECT coalesce(max(number), 0) FROM schema_version").fetchone()[0])


def _step(db: sqlite3.Connection, path: Path | None, number: int, *, step: Migration) -> None:
    if number == 1:
        db.execute(VERSIONS)
    elif path:
        _copy(path, path.with_name(f"{path.name}.before-{number}"))
    step(db)
    row = (number, step.__name__.strip("_"), datetime.now(UTC).isoformat())
    db.execute("INSERT INTO schema_version VALUES (?, ?, ?)", row)


def _copy(path: Path, target: Path) -> None:
    """Copies a database whole; the lock is held by our caller, so nothing is written meanwhile."""
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(unfinished)) as copy:
        source.backup(copy)
    unfinished.replace(target)
