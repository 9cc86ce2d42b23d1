"""The journal in one SQLite file, or in memory."""

from moot.journal.sqlite.journal import SqliteJournal

__all__ = ["SqliteJournal"]
