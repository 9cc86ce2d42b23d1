"""One SQLite file a collection: its documents, their passages, their words. What is asked of it is find.py's business.

The words stand in a contentless FTS5 table; the readable text is kept compressed beside it, so that a changed
document's old words can be taken out exactly on every SQLite, a hit is shown without its file, a PDF is read once.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from moot.text.passages import CUTTER, cut
from moot.web.prepared import CHUNK, About, Prepared, unpacked, words_of
from moot.web.shelf import Entry

FORMAT = f"2/{CUTTER}"
"""An index of another format is made anew: the cutter's version decides where passages begin."""
_CHUNKS = 1 << 20
"""Room for chunks of one document: a chunk's row is document × this + its number."""
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  sha256 TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', title TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT '', about TEXT NOT NULL DEFAULT '{}', passages INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0, first INTEGER NOT NULL DEFAULT 0);
CREATE TABLE passage (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, n INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  heading TEXT, page INTEGER);
CREATE TABLE body (id INTEGER PRIMARY KEY, text BLOB NOT NULL);
CREATE TABLE skip (path TEXT NOT NULL, reason TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (body, heading, title, content='', tokenize='unicode61 remove_diacritics 2');
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(1.0, 2.0, 4.0)');
"""
_NEW_FILE = """INSERT INTO file
  (path, size, mtime_ns, sha256, status, reason, title, kind, about, passages, bytes, first)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_LACKED = "reason GLOB 'extra_missing:*' OR reason GLOB 'not_yet:*'"
_TOTALS = """SELECT coalesce(sum(status = 'ok'), 0), coalesce(sum(status <> 'ok'), 0), coalesce(sum(passages), 0),
  coalesce(sum(bytes), 0) FROM file"""


class Kept(NamedTuple):
    """A document as the index keeps it. `status` is ok or failed; of a failed one only `reason` tells."""

    id: int
    path: str
    size: int
    mtime_ns: int
    sha256: str
    status: str
    reason: str
    title: str
    kind: str
    about: About
    passages: int


class Totals(NamedTuple):
    """How much is in an index."""

    files: int
    failed: int
    passages: int
    bytes: int


class Index:
    """An open index. Its connection is shared by threads, one at a time (`self.lock`)."""

    def __init__(self, path: Path, *, place: str, rebuild: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.lock = threading.RLock()
        self._totals: tuple[tuple[int, int], Totals] | None = None
        self.db = _opened(path)
        if rebuild or self.meta("format") != FORMAT or self.meta("place") != place:
            self._begin_anew(place)
        self.db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, words, row)")

    def close(self) -> None:
        """Closes the file; what was committed stays."""
        with self.lock:
            self.db.close()

    def meta(self, name: str) -> str:
        """A word about the whole index: format, place, name; `` when it has none."""
        try:
            row = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        except sqlite3.OperationalError:
            return ""
        return str(row[0]) if row else ""

    @contextlib.contextmanager
    def change(self) -> Iterator[None]:
        """One transaction; whatever is raised inside takes all of it back."""
        with self.lock:
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.db.execute("ROLLBACK")
                raise
            self.db.execute("COMMIT")

    def known(self) -> dict[str, tuple[int, int]]:
        """Size and time of every document taken in, by path. One that lacked a package has no size: try it again."""
        with self.lock:
            rows = self.db.execute(
                f"SELECT path, CASE WHEN {_LACKED} THEN -1 ELSE size END, mtime_ns FROM file"
            ).fetchall()
        return {str(path): (int(size), int(mtime)) for path, size, mtime in rows}

    def digests(self) -> dict[str, str]:
        """SHA-256 of the bytes that each document had when it was taken in, by path; of none that lacked a package."""
        with self.lock:
            rows = self.db.execute(f"SELECT path, sha256 FROM file WHERE NOT ({_LACKED})")
            return {str(path): str(sha256) for path, sha256 in rows}

    def file(self, path: str) -> Kept | None:
        """The document at a path, or None."""
        return self._file("path = ?", path)

    def file_by_id(self, number: int) -> Kept | None:
        """The document of a passage's row."""
        return self._file("id = ?", number)

    def put(self, entry: Entry, sha256: str, made: Prepared) -> None:
        """Takes a document in, in place of what stood at its path. Call it within `change()`."""
        self.drop(entry.path)
        first = int(self.db.execute("SELECT coalesce(max(id), 0) + 1 FROM passage").fetchone()[0])
        status = "failed" if made.reason else "ok"
        count = len(made.passages)
        number = self.db.execute(
            _NEW_FILE,
            (*entry, sha256, status, made.reason, made.title, made.kind, made.about, count, made.bytes, first),
        ).lastrowid
        assert number is not None, "an inserted row has a number"
        begin = number * _CHUNKS
        self.db.executemany("INSERT INTO body VALUES (?, ?)", enumerate(made.chunks, begin))
        self.db.executemany(
            "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((first + passage.n - 1, number, *passage) for passage in made.passages),
        )
        self.db.executemany(
            "INSERT INTO words (rowid, title, heading, body) VALUES (?, ?, ?, ?)",
            ((row, *words) for row, words in enumerate(made.words, first)),
        )

    def drop(self, path: str) -> bool:
        """Takes a document out, with its passages and words; False when there was none. Call it within `change()`.

        A contentless table must be told the old words; they are made again from the kept text, by the same cutter.
        """
        row = self.db.execute("SELECT id, title, passages, first FROM file WHERE path = ?", (path,)).fetchone()
        if row is None:
            return False
        number, title, passages, first = row
        if passages:
            text = self.text(number)
            self.db.executemany(
                "INSERT INTO words (words, rowid, title, heading, body) VALUES ('delete', ?, ?, ?, ?)",
                ((row, *words) for row, words in enumerate(words_of(title, text, cut(text)), first)),
            )
            self.db.execute("DELETE FROM passage WHERE id BETWEEN ? AND ?", (first, first + passages - 1))
            self.db.execute("DELETE FROM body WHERE id BETWEEN ? AND ?", _chunks_of(number))
        self.db.execute("DELETE FROM file WHERE id = ?", (number,))
        return True

    def touch(self, entry: Entry) -> None:
        """Notes a new time of an unchanged document. Call it within `change()`."""
        self.db.execute(
            "UPDATE file SET size = ?, mtime_ns = ? WHERE path = ?", (entry.size, entry.mtime_ns, entry.path)
        )

    def skipped(self) -> list[tuple[str, str]]:
        """What the last walk left out and what could not be read, with reasons."""
        with self.lock:
            left = self.db.execute("SELECT path, reason FROM skip ORDER BY rowid").fetchall()
            failed = self.db.execute("SELECT path, reason FROM file WHERE status = 'failed' ORDER BY path").fetchall()
        return [(str(path), str(reason)) for path, reason in (*left, *failed)]

    def note_skipped(self, skipped: tuple[tuple[str, str], ...]) -> None:
        """Keeps what a walk left out, if that is news."""
        with self.lock:
            before = self.db.execute("SELECT path, reason FROM skip ORDER BY rowid").fetchall()
            if before != [*skipped]:
                with self.change():
                    self.db.execute("DELETE FROM skip")
                    self.db.executemany("INSERT INTO skip VALUES (?, ?)", skipped)

    def text(self, number: int) -> str:
        """The readable text of a document, whole."""
        with self.lock:
            rows = self.db.execute(
                "SELECT text FROM body WHERE id BETWEEN ? AND ? ORDER BY id", _chunks_of(number)
            ).fetchall()
        return "".join(unpacked(row[0]) for row in rows)

    def slices(self, spans: Sequence[tuple[int, int, int]]) -> list[str]:
        """Parts (document, start, end) of texts, unpacking no more of them than they need."""
        needed = {row for number, start, end in spans for row in _rows_of(number, start, end)}
        marks = ", ".join("?" * len(needed))
        with self.lock:
            rows = self.db.execute(f"SELECT id, text FROM body WHERE id IN ({marks})", [*needed]).fetchall()
        chunks = {row: unpacked(text) for row, text in rows}
        parts: list[str] = []
        for number, start, end in spans:
            over = _rows_of(number, start, end)
            text = "".join(chunks.get(row, "") for row in over)
            at = (over[0] - number * _CHUNKS) * CHUNK
            parts.append(text[start - at : end - at])
        return parts

    def totals(self) -> Totals:
        """How many documents, how many that could not be read, passages and characters."""
        with self.lock:
            version = (int(self.db.execute("PRAGMA data_version").fetchone()[0]), self.db.total_changes)
            if self._totals is None or self._totals[0] != version:
                self._totals = (version, Totals(*map(int, self.db.execute(_TOTALS).fetchone())))
            return self._totals[1]

    def set_meta(self, name: str, value: str) -> None:
        """Keeps a word about the whole index. Call it within `change()`."""
        self.db.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (name, value)
        )

    def _file(self, where: str, value: str | int) -> Kept | None:
        with self.lock:
            row = self.db.execute(
                "SELECT id, path, size, mtime_ns, sha256, status, reason, title, kind, about, passages FROM file "
                f"WHERE {where}",
                (value,),
            ).fetchone()
        if row is None:
            return None
        number, at_path, size, mtime_ns, sha256, status, reason, title, kind, about, passages = row
        known = About.model_validate_json(about)
        return Kept(number, at_path, size, mtime_ns, sha256, status, reason, title, kind, known, passages)

    def _begin_anew(self, place: str) -> None:
        with self.change():
            tables = self.db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'words\\_%' ESCAPE '\\'"
            )
            for (name,) in tables.fetchall():
                if not str(name).startswith("sqlite_"):
                    self.db.execute(f'DROP TABLE "{name}"')
            for statement in _SCHEMA.split(";\n"):
                if statement.strip():
                    self.db.execute(statement)
            self.set_meta("format", FORMAT)
            self.set_meta("place", place)


class Peeked(NamedTuple):
    """What an index says of itself."""

    name: str
    """As a person called it; `` for one that is kept by its place."""
    place: str
    totals: Totals


def peek(path: Path) -> Peeked | None:
    """What an index says of itself, touching nothing; None when it is none, or of another format."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            meta = {str(name): str(value) for name, value in db.execute("SELECT name, value FROM meta")}
            totals = Totals(*map(int, db.execute(_TOTALS).fetchone()))
    except sqlite3.Error:
        return None
    return Peeked(meta.get("name", ""), meta.get("place", ""), totals) if meta.get("format") == FORMAT else None


def _opened(path: Path) -> sqlite3.Connection:
    try:
        return _connected(path)
    except sqlite3.DatabaseError as fault:
        if isinstance(fault, sqlite3.OperationalError):
            raise
        for part in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
            part.unlink(missing_ok=True)  # no database any more: an index can be made again from its documents
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA cache_size = -32768")
    db.execute("PRAGMA wal_autocheckpoint = 8000")
    db.execute("PRAGMA temp_store = MEMORY")
    return db


def _rows_of(number: int, start: int, end: int) -> range:
    """The rows of the chunks that hold a part of a document's text."""
    return range(number * _CHUNKS + start // CHUNK, number * _CHUNKS + max(end - 1, start) // CHUNK + 1)


def _chunks_of(number: int) -> tuple[int, int]:
    return number * _CHUNKS, (number + 1) * _CHUNKS - 1
