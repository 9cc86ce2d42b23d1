"""Bytes by their SHA-256: rows when small, files beside the database when big. Which run uses them: `blob_uses`."""

import hashlib
import os
import secrets
import sqlite3
import zlib
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from moot.values.errors import JournalDown, RunRefused

INLINE = 64 * 1024
"""A request or reply longer than this is a blob, and its row keeps the hash."""
ROW = 100_000
"""At home, a blob longer than this is a file."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A blob ready to be written: its bytes compressed, away from the writer's thread."""

    sha256: str
    size: int
    compressed: bytes


def pack(body: bytes) -> Packed:
    """Compresses bytes and names them."""
    return Packed(hashlib.sha256(body).hexdigest(), len(body), zlib.compress(body, 6))


@dataclass(frozen=True, slots=True)
class Bodies:
    """Reads and writes blobs. `folder` None: in memory, all are rows."""

    folder: Path | None

    def path(self, sha256: str) -> Path | None:
        return self.folder / sha256[:2] / sha256[2:] if self.folder else None

    def write_file(self, packed: Packed) -> None:
        """Makes a big blob's file durable (temporary file, fsync, rename); no more than a look when it is there."""
        path = self.path(packed.sha256)
        if path is None or packed.size <= ROW or path.exists():
            return
        unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                file.write(packed.compressed)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
            for folder in (path.parent, path.parent.parent):
                _sync_folder(folder)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise JournalDown(f"journal_down: {path}: {error.strerror}. Make room, then resume.") from error

    def keep(self, db: sqlite3.Connection, run: str, packed: Packed) -> None:
        """Keeps a blob for a run. Its file is looked for again under the lock: `forget` removes files under it too."""
        gone = db.execute("SELECT 1 FROM runs WHERE id = ? AND forgotten", (run,)).fetchone()
        if gone:
            raise RunRefused(f"run_forgotten: {run} was forgotten.", code="run_forgotten")
        as_file = self.folder is not None and packed.size > ROW
        if as_file:
            self.write_file(packed)
        db.execute(
            "INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)",
            (packed.sha256, packed.size, None if as_file else packed.compressed),
        )
        db.execute("INSERT OR IGNORE INTO blob_uses VALUES (?, ?)", (packed.sha256, run))

    def keep_all(self, db: sqlite3.Connection, run: str, bodies: Sequence[Packed]) -> None:
        """Keeps blobs for a run."""
        for packed in bodies:
            self.keep(db, run, packed)

    def share(self, db: sqlite3.Connection, run: str, sha256s: Collection[str]) -> None:
        """Makes blobs that are there this run's too."""
        db.executemany(
            "INSERT OR IGNORE INTO blob_uses SELECT sha256, ? FROM blobs WHERE sha256 = ?",
            [(run, sha256) for sha256 in sha256s],
        )

    def read(self, db: sqlite3.Connection, sha256: str) -> bytes | None:
        """The bytes of a blob; None when there is none."""
        row = db.execute("SELECT bytes FROM blobs WHERE sha256 = ?", (sha256,)).fetchone()
        if row is None:
            return None
        compressed = row[0] if row[0] is not None else self._read_file(sha256)
        try:
            return zlib.decompress(compressed) if compressed is not None else None
        except zlib.error as error:
            raise JournalDown(f"journal_down: blob {sha256} is damaged: {error}. Restore it from a copy.") from error

    def _read_file(self, sha256: str) -> bytes | None:
        path = self.path(sha256)
        try:
            return path.read_bytes() if path else None
        except FileNotFoundError:
            return None
        except OSError as error:
            raise JournalDown(f"journal_down: {path}: {error.strerror}.") from error

    def drop(self, db: sqlite3.Connection, sha256s: Collection[str]) -> int:
        """Removes blobs, but for those that an entry or a run's report names; gives the bytes freed."""
        named = {name for row in db.execute("SELECT request_blob, reply_blob FROM entries") for name in row}
        named |= {report for (report,) in db.execute("SELECT report FROM runs")}
        freed = 0
        for sha256 in sha256s:
            row = db.execute("SELECT length(bytes) FROM blobs WHERE sha256 = ?", (sha256,)).fetchone()
            if row is None or sha256 in named:
                continue
            path = self.path(sha256)
            if row[0] is None and path and path.exists():
                freed += path.stat().st_size
                path.unlink(missing_ok=True)
            freed += row[0] or 0
            db.execute("DELETE FROM blob_uses WHERE sha256 = ?", (sha256,))
            db.execute("DELETE FROM blobs WHERE sha256 = ?", (sha256,))
        return freed

    def drop_unused(self, db: sqlite3.Connection) -> None:
        """Removes every blob that no run uses, file first: a crash between leaves a row, and the next call ends it."""
        unused = "SELECT sha256 FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM blob_uses)"
        for (sha256,) in db.execute(unused).fetchall():
            path = self.path(sha256)
            if path:
                path.unlink(missing_ok=True)
            db.execute("DELETE FROM blobs WHERE sha256 = ?", (sha256,))


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
