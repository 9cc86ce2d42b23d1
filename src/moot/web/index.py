"""One SQLite file a collection: its documents, their passages, their words. What is asked of it is find.py's business.

The words stand in a contentless FTS5 table; the readable text is kept compressed beside it, so that a changed
document's old words can be taken out exactly on every SQLite, a hit is shown without its file, a PDF is read once.
"""

import contextlib
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from moot.text.passages import CUTTER, cut
from moot.values.evidence import Passage
from moot.values.value import Value
from moot.web.grams import grams
from moot.web.readable import Readable
from moot.web.shelf import Entry

FORMAT = f"1/{CUTTER}"
"""An index of another format is made anew: the cutter's version decides where passages begin."""
_CHUNK = 8_192
_SHIFT = 24
_HEADER = 300
"""Of a table's header row, so many characters are found with each of its rows."""
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  sha256 TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', title TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL DEFAULT '', about TEXT NOT NULL DEFAULT '{}', passages INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0);
CREATE TABLE passage (
  file INTEGER NOT NULL, n INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, heading TEXT, page INTEGER,
  PRIMARY KEY (file, n)) WITHOUT ROWID;
CREATE TABLE body (
  file INTEGER NOT NULL, chunk INTEGER NOT NULL, text BLOB NOT NULL, PRIMARY KEY (file, chunk)) WITHOUT ROWID;
CREATE TABLE skip (path TEXT NOT NULL, reason TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (title, heading, body, content='', tokenize='unicode61 remove_diacritics 2');
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(4.0, 2.0, 1.0)');
"""
_TOTALS = """SELECT coalesce(sum(status = 'ok'), 0), coalesce(sum(status <> 'ok'), 0), coalesce(sum(passages), 0),
  coalesce(sum(bytes), 0) FROM file"""


class About(Value):
    """What is known of a document beside its text and title."""

    extractor: str = ""
    charset: str = ""
    language: str = ""
    published: str = ""
    authors: tuple[str, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()


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


class Cut(NamedTuple):
    """A document read and cut, ready to be taken in."""

    entry: Entry
    sha256: str
    reason: str = ""
    """Why it has no text; then `readable` is None."""
    readable: Readable | None = None
    passages: tuple[Passage, ...] = ()


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
        """Size and time of every document taken in, by path."""
        with self.lock:
            rows = self.db.execute("SELECT path, size, mtime_ns FROM file").fetchall()
        return {str(path): (int(size), int(mtime)) for path, size, mtime in rows}

    def file(self, path: str) -> Kept | None:
        """The document at a path, or None."""
        return self._file("path = ?", path)

    def file_by_id(self, number: int) -> Kept | None:
        """The document of a passage's row."""
        return self._file("id = ?", number)

    def put(self, cut: Cut) -> None:
        """Takes a document in, in place of what stood at its path. Call it within `change()`."""
        self.drop(cut.entry.path)
        entry, made = cut.entry, cut.readable
        about = About() if made is None else about_of(made)
        row = self.db.execute(
            "INSERT INTO file (path, size, mtime_ns, sha256, status, reason, title, kind, about, passages, bytes) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *entry, cut.sha256, "failed" if made is None else "ok", cut.reason, made.title if made else "",
                made.kind if made else "", about.model_dump_json(exclude_defaults=True), len(cut.passages),
                sum(passage.end - passage.start for passage in cut.passages),
            ),
        )  # fmt: skip
        if made is None:
            return
        number = row.lastrowid
        assert number is not None, "an inserted row has a number"
        self.db.executemany(
            "INSERT INTO body VALUES (?, ?, ?)",
            ((number, i // _CHUNK, _packed(made.text[i : i + _CHUNK])) for i in range(0, len(made.text), _CHUNK)),
        )
        self.db.executemany(
            "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?)",
            ((number, p.n, p.start, p.end, " › ".join(p.heading) or None, p.page) for p in cut.passages),
        )
        self.db.executemany(
            "INSERT INTO words (rowid, title, heading, body) VALUES (?, ?, ?, ?)",
            _rows(number, made.title, made.text, cut.passages),
        )

    def drop(self, path: str) -> bool:
        """Takes a document out, with its passages and words; False when there was none. Call it within `change()`.

        A contentless table must be told the old words; they are made again from the kept text, by the same cutter.
        """
        kept = self.file(path)
        if kept is None:
            return False
        if kept.passages:
            text = self.text(kept.id)
            self.db.executemany(
                "INSERT INTO words (words, rowid, title, heading, body) VALUES ('delete', ?, ?, ?, ?)",
                _rows(kept.id, kept.title, text, cut(text)),
            )
        for table in ("passage", "body"):
            self.db.execute(f"DELETE FROM {table} WHERE file = ?", (kept.id,))
        self.db.execute("DELETE FROM file WHERE id = ?", (kept.id,))
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
            rows = self.db.execute("SELECT text FROM body WHERE file = ? ORDER BY chunk", (number,)).fetchall()
        return "".join(_unpacked(row[0]) for row in rows)

    def slices(self, number: int, spans: Sequence[tuple[int, int]]) -> list[str]:
        """Parts of a document's text, unpacking no more of it than they need."""
        needed = {chunk for start, end in spans for chunk in range(start // _CHUNK, max(end - 1, start) // _CHUNK + 1)}
        marks = ", ".join("?" * len(needed))
        with self.lock:
            rows = self.db.execute(
                f"SELECT chunk, text FROM body WHERE file = ? AND chunk IN ({marks})", (number, *needed)
            ).fetchall()
        chunks = {chunk: _unpacked(text) for chunk, text in rows}
        parts: list[str] = []
        for start, end in spans:
            first, last = start // _CHUNK, max(end - 1, start) // _CHUNK
            text = "".join(chunks.get(chunk, "") for chunk in range(first, last + 1))
            parts.append(text[start - first * _CHUNK : end - first * _CHUNK])
        return parts

    def totals(self) -> Totals:
        """How many documents, how many that could not be read, passages and characters."""
        with self.lock:
            return Totals(*map(int, self.db.execute(_TOTALS).fetchone()))

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


def row_of(number: int, n: int) -> int:
    """The row of a document's n-th passage among the words."""
    return number << _SHIFT | n


def passage_of(row: int) -> tuple[int, int]:
    """Document and number of a passage, by its row among the words."""
    return row >> _SHIFT, row & ((1 << _SHIFT) - 1)


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
    db.execute("PRAGMA temp_store = MEMORY")
    return db


def about_of(made: Readable) -> About:
    """What the index keeps of a document beside its text and title."""
    return About(
        extractor=made.extractor, charset=made.charset, language=made.language, published=made.published,
        authors=made.authors, pages=made.pages, notes=made.notes,
    )  # fmt: skip


def _rows(number: int, title: str, text: str, passages: tuple[Passage, ...]) -> Iterator[tuple[int, str, str, str]]:
    """What goes into the words, and what must be named word for word to take it out again."""
    named = grams(title)
    headings: dict[tuple[tuple[str, ...], str], str] = {}
    for passage in passages:
        over = (passage.heading, passage.header[:_HEADER])
        heading = headings.get(over)
        if heading is None:
            heading = headings[over] = grams(" › ".join((*over[0], over[1])))
        yield row_of(number, passage.n), named, heading, grams(text[passage.start : passage.end])


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 3)


def _unpacked(text: bytes) -> str:
    return zlib.decompress(text).decode("utf-8", "surrogatepass")
