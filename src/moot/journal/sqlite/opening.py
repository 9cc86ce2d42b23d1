"""Opens connections to the journal's database: what is set on each, and nothing else."""

import sqlite3
import time
from pathlib import Path

from moot.journal.migrations import check_known, migrate
from moot.values.errors import JournalDown, SchemaNewer

WRITING = ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON", "busy_timeout=5000", "temp_store=MEMORY")
"""FULL is what survives a power cut; temporary tables stay in memory, or `forget` could not reach them."""
READING = ("busy_timeout=5000", "temp_store=MEMORY", "query_only=ON")


def open_writing(path: Path | None) -> sqlite3.Connection:
    """The writing connection, its database brought up to date. Raises JournalDown, SchemaNewer."""
    try:
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(path, WRITING)
    except (sqlite3.Error, OSError) as error:
        raise JournalDown(f"journal_down: {path} cannot be opened: {error}.") from error
    try:
        check_known(db)
        if path:
            _log_ahead(db)
        migrate(db, path)
    except sqlite3.Error as error:
        db.close()
        raise JournalDown(f"journal_down: {path} cannot be read: {error}.") from error
    except SchemaNewer:
        db.close()
        raise
    return db


def _log_ahead(db: sqlite3.Connection) -> None:
    """Sets WAL mode. Of two processes that make one database, the later is told `locked` at once, with no timeout."""
    for patience in range(100, -1, -1):
        try:
            db.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if not patience:
                raise
            time.sleep(0.05)
        else:
            return


def open_reading(path: Path) -> sqlite3.Connection:
    """A connection that reads beside the writer."""
    return _connect(path, READING)


def truncate_log(path: Path) -> bool:
    """Writes the log into the database and empties it; False when a reader of another process stands in the way."""
    db = _connect(path, WRITING)
    try:
        busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        db.close()
    return not busy


def _connect(path: Path | None, settings: tuple[str, ...]) -> sqlite3.Connection:
    db = sqlite3.connect(path or ":memory:", isolation_level=None, check_same_thread=False)
    db.row_factory = sqlite3.Row
    try:
        for setting in settings:
            db.execute(f"PRAGMA {setting}")
    except sqlite3.Error:
        db.close()
        raise
    return db
