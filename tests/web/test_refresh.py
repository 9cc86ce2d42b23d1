import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from moot.values.errors import SettingWrong
from moot.web import refresh as refresh_of
from moot.web.index import Index
from moot.web.refresh import Counts, Holding, Progress, Stopped, refresh
from moot.web.shelf import Folder

Bring = Callable[[], Counts]


@pytest.fixture
def index(home: Path) -> Index:
    return Index(home / "index" / "x.db", place="here")


@pytest.fixture
def bring(folder: Path, index: Index) -> Bring:
    shelf = Folder(folder.resolve(), name="notes")
    return lambda: refresh(index, shelf, stop=threading.Event(), tell=lambda told: None)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def holding(index: Index, match: str) -> list[str]:
    rows = "SELECT rowid FROM words WHERE words MATCH ?"
    sql = f"SELECT path FROM file WHERE id IN (SELECT file FROM passage WHERE id IN ({rows}))"
    return sorted(row[0] for row in index.db.execute(sql, (match,)))


def test_only_what_changed_is_read_again(folder: Path, index: Index, bring: Bring) -> None:
    for number in range(5):
        write(folder, f"{number}.md", f"Document {number} speaks of dams.")
    assert bring() == Counts(5, 5, 0, ())
    assert bring() == Counts(5, 0, 0, ())
    write(folder, "3.md", "Document 3 speaks of bridges now.")
    assert bring() == Counts(5, 1, 0, ())
    assert holding(index, "bridges") == ["3.md"]
    (folder / "4.md").unlink()
    write(folder, "sub/5.md", "A new one.")
    assert bring() == Counts(5, 1, 1, ())
    assert holding(index, "document") == ["0.md", "1.md", "2.md", "3.md"]


def test_a_new_time_on_old_bytes_changes_nothing(folder: Path, bring: Bring) -> None:
    path = write(folder, "a.md", "Words.")
    bring()
    os.utime(path, (1, 1))
    assert bring() == Counts(1, 0, 0, ())
    assert bring() == Counts(1, 0, 0, ())


def test_a_file_that_fails_is_listed_and_the_rest_is_read(folder: Path, index: Index, bring: Bring) -> None:
    write(folder, "good.md", "Good words.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    (folder / "program.txt").write_bytes(b"\x7fELF" + b"\0" * 40)
    (folder / "broken.docx").write_bytes(b"PK\x03\x04 word/ and nothing more")
    write(folder, "empty.md", "")
    counts = bring()
    assert (counts.files, counts.changed) == (1, 6)
    reasons = dict(counts.skipped)
    assert set(reasons) == {"broken.pdf", "picture.png", "program.txt", "broken.docx", "empty.md"}
    assert reasons["broken.docx"].startswith("broken: no docx file")
    assert reasons["broken.pdf"].startswith("broken: ")
    assert holding(index, "words") == ["good.md"]
    assert bring().changed == 0


def test_a_failed_file_is_read_once_it_is_mended(folder: Path, bring: Bring) -> None:
    write(folder, "a.md", "")
    assert bring().files == 0
    write(folder, "a.md", "Words.")
    assert bring() == Counts(1, 1, 0, ())


def test_stopped_it_keeps_what_is_done_and_goes_on_from_there(folder: Path, index: Index) -> None:
    for number in range(6):
        write(folder, f"{number}.md", f"Document {number}.")
    shelf = Folder(folder.resolve(), name="notes")
    stop = threading.Event()
    with pytest.raises(Stopped):
        refresh(index, shelf, stop=stop, tell=lambda told: stop.set() if told.done == 3 else None)
    assert index.totals().files == 3
    assert refresh(index, shelf, stop=threading.Event(), tell=lambda told: None).changed == 3


def test_progress_names_each_document_once_it_is_taken_in(folder: Path, index: Index) -> None:
    write(folder, "a.md", "A.")
    write(folder, "b.md", "B.")
    told: list[Progress] = []
    refresh(index, Folder(folder.resolve(), name="notes"), stop=threading.Event(), tell=told.append)
    assert told == [Progress("notes", 1, 2, "a.md"), Progress("notes", 2, 2, "b.md")]


def test_many_documents_are_read_in_a_process_beside(
    folder: Path, index: Index, bring: Bring, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        write(folder, f"{number}.md", f"# Document {number}\n\nIt speaks of dams.\n")
    (folder / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    monkeypatch.setattr(refresh_of, "_MANY", 0)
    counts = bring()
    assert (counts.files, counts.changed) == (60, 61)
    assert len(holding(index, "dams")) == 60
    write(folder, "7.md", "Bridges.")
    assert bring().changed == 1


def test_a_second_indexer_waits_and_says_for_whom(folder: Path, index: Index, home: Path) -> None:
    write(folder, "a.md", "Words.")
    other = Index(home / "index" / "x.db", place="here")
    told: list[Progress] = []
    waiting = threading.Event()

    def tell(progress: Progress) -> None:
        told.append(progress)
        if progress.waiting_for:
            waiting.set()

    shelf = Folder(folder.resolve(), name="notes")
    with Holding(other, stop=threading.Event(), wait_s=1, told=lambda who: None):
        thread = threading.Thread(target=refresh, args=(index, shelf), kwargs={"stop": threading.Event(), "tell": tell})
        thread.start()
        assert waiting.wait(10)
        assert index.totals().files == 0
    thread.join(10)
    assert index.totals().files == 1
    assert told[0].waiting_for == f"process {os.getpid()}"
    other.close()


def test_one_that_waits_too_long_says_who_holds_the_index(index: Index, home: Path) -> None:
    other = Index(home / "index" / "x.db", place="here")
    with Holding(other, stop=threading.Event(), wait_s=1, told=lambda who: None):
        late = Holding(index, stop=threading.Event(), wait_s=0, told=lambda who: None)
        with pytest.raises(SettingWrong, match=f"held for 0 s by process {os.getpid()}"):
            late.__enter__()
    other.close()


def test_one_that_is_stopped_while_it_waits_ends_at_once(index: Index, home: Path) -> None:
    other = Index(home / "index" / "x.db", place="here")
    stop = threading.Event()
    stop.set()
    late = Holding(index, stop=stop, wait_s=60, told=lambda who: None)
    with Holding(other, stop=threading.Event(), wait_s=1, told=lambda who: None), pytest.raises(Stopped):
        late.__enter__()
    other.close()


KILLED = """
import os, signal, sys, threading
from pathlib import Path
from moot.web.index import Index
from moot.web.refresh import refresh
from moot.web.shelf import Folder
import moot.web.refresh
moot.web.refresh._TRANSACTION = 1
def tell(told):
    if told.done == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
refresh(Index(Path(sys.argv[1]), place="here"), Folder(Path(sys.argv[2]), name="n"), stop=threading.Event(), tell=tell)
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", [1, 2, 5, 8])
def test_killed_at_any_document_the_index_is_whole_and_the_rest_follows(folder: Path, home: Path, at: int) -> None:
    for number in range(8):
        write(folder, f"{number}.md", f"Document {number} speaks of dams.")
    path = home / "index" / "x.db"
    ended = subprocess.run([sys.executable, "-c", KILLED, str(path), str(folder.resolve()), str(at)], check=False)
    assert ended.returncode == -signal.SIGKILL
    index = Index(path, place="here")
    index.db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    kept = at - 1  # it was killed before the commit of the document that was told of
    assert index.totals().files == len(holding(index, "dams")) == kept
    counts = refresh(index, Folder(folder.resolve(), name="n"), stop=threading.Event(), tell=lambda told: None)
    assert (counts.files, counts.changed) == (8, 8 - kept)
    index.close()
