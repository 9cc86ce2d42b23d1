import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from moot.web.beside import Beside, ReaderDied
from moot.web.prepared import Prepared, prepare
from moot.web.reading import read_beside, read_here
from moot.web.shelf import Entry, Folder

DIES = """
import os, moot.web.beside as b
b.prepare = lambda body, name: os._exit(9) if b"die" in body else b.Prepared(title=name)
b.main()
"""
ASLEEP = """
import sys, threading, moot.web.beside as b
b.prepare = lambda body, name: threading.Event().wait()
b.main()
"""


@pytest.fixture
def reader() -> Iterator[Beside]:
    made = Beside()
    assert made.is_ready()
    yield made
    made.close()


def test_a_process_beside_answers_as_this_one_would(reader: Beside) -> None:
    for body, name in ((b"# A\n\nWords.\n", "a.md"), (b"\x00\x01", "b.txt"), ("水库".encode("gbk") * 40, "c.txt")):
        assert reader.send(body, name=name)
        assert reader.take() == prepare(body, name=name)


def test_a_reader_that_ended_is_told_from_one_that_answers(reader: Beside) -> None:
    reader.close()
    assert not reader.send(b"x", name="a.md")


def started(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Lets every Beside run this program instead of our reader."""
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda command, **given: popen([command[0], "-P", "-c", program], **given))


def test_one_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    started(monkeypatch, ASLEEP)
    reader = Beside(slowest_s=5)
    assert reader.is_ready()
    reader._slowest_s = 0.1
    reader.send(b"x", name="a.md")
    with pytest.raises(ReaderDied, match="longer than 0 s"):
        reader.take()
    reader.close()


def test_a_document_that_kills_its_reader_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started(monkeypatch, DIES)
    entries = []
    for name, body in (("1.md", "a"), ("2.md", "die"), ("3.md", "b"), ("4.md", "die"), ("5.md", "die"), ("6.md", "c")):
        (folder / name).write_text(body)
        entries.append(Entry(name, 1, 1))
    found = list(read_beside(Folder(folder.resolve(), name="n"), entries, {}))
    assert [read.entry.path for read in found] == [entry.path for entry in entries]
    died = Prepared(reason="reader_died: it ended its reader")
    assert [read.made for read in found] == [
        Prepared(title="1.md"), died, Prepared(title="3.md"), died, died, Prepared(title="6.md"),
    ]  # fmt: skip
    assert all(read.sha256 for read in found)


@pytest.mark.parametrize("program", ["raise SystemExit(1)", "print('no frame')"])
def test_where_no_process_can_be_had_documents_are_read_here(
    folder: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    started(monkeypatch, program)
    (folder / "a.md").write_text("Words.")
    shelf, entries = Folder(folder.resolve(), name="n"), [Entry("a.md", 1, 1)]
    assert list(read_beside(shelf, entries, {})) == list(read_here(shelf, entries, {}))


def test_both_ways_of_reading_bring_the_same(folder: Path) -> None:
    entries = []
    for number in range(70):
        (folder / f"{number:02d}.md").write_text(f"# T{number}\n\n" + "Words. " * number * 50)
        entries.append(Entry(f"{number:02d}.md", 1, 1))
    entries.append(Entry("gone.md", 1, 1))
    shelf = Folder(folder.resolve(), name="n")
    first = list(read_here(shelf, entries, {}))
    assert list(read_beside(shelf, entries, {})) == first
    known = {read.entry.path: read.sha256 for read in first}
    assert all(read.made is None for read in read_beside(shelf, entries[:-1], known))


def test_a_reading_left_off_leaves_no_process_behind(folder: Path) -> None:
    for number in range(100):
        (folder / f"{number:03d}.md").write_text("Words. " * 5_000)
    reading = read_beside(Folder(folder.resolve(), name="n"), [Entry(f"{n:03d}.md", 1, 1) for n in range(100)], {})
    before = children()
    next(reading)
    assert children() != before, "nothing was begun: the test proves nothing"
    reading.close()
    assert children() == before


def children() -> str:
    """The processes that this thread has begun and that are still there."""
    return Path(f"/proc/self/task/{threading.get_native_id()}/children").read_text("ascii")
