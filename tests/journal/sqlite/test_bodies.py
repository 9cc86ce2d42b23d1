import asyncio
from pathlib import Path

import pytest

from moot.journal.sqlite import SqliteJournal
from moot.values.errors import JournalDown
from tests.journal.samples import RUN, a_run


async def at_home(folder: Path) -> SqliteJournal:
    journal = await SqliteJournal.open(folder / "moot.db")
    await journal.start(a_run())
    return journal


def files(folder: Path) -> list[Path]:
    return [path for path in (folder / "blobs").rglob("*") if path.is_file()]


async def test_only_big_blobs_are_files_and_they_stand_under_their_hash(tmp_path: Path) -> None:
    journal = await at_home(tmp_path)
    await journal.put(RUN, b"s" * 100_000)
    name = await journal.put(RUN, b"b" * 100_001)
    await journal.close()
    assert files(tmp_path) == [tmp_path / "blobs" / name[:2] / name[2:]]


async def test_a_blob_whose_file_is_gone_is_none_until_it_is_put_again(tmp_path: Path) -> None:
    journal = await at_home(tmp_path)
    name = await journal.put(RUN, b"b" * 200_000)
    files(tmp_path)[0].unlink()
    assert await journal.get(name) is None
    await journal.put(RUN, b"b" * 200_000)
    assert await journal.get(name) == b"b" * 200_000
    await journal.close()


async def test_a_file_that_cannot_be_written_is_journal_down_and_leaves_nothing(tmp_path: Path) -> None:
    journal = await at_home(tmp_path)
    (tmp_path / "blobs").write_text("a file where the folder should be")
    with pytest.raises(JournalDown, match="blobs"):
        await journal.put(RUN, b"b" * 200_000)
    (tmp_path / "blobs").unlink()
    name = await journal.put(RUN, b"b" * 200_000)
    assert await journal.get(name) == b"b" * 200_000
    await journal.close()


async def test_a_damaged_file_is_told_and_never_handed_out(tmp_path: Path) -> None:
    journal = await at_home(tmp_path)
    name = await journal.put(RUN, b"b" * 200_000)
    files(tmp_path)[0].write_bytes(b"not what was written")
    with pytest.raises(JournalDown, match=f"{name} is damaged"):
        await journal.get(name)
    await journal.close()


async def test_of_runs_that_put_and_forget_one_blob_at_once_none_loses_it(tmp_path: Path) -> None:
    """`put` finds the file, `forget` removes it, `put` writes its row: the row must not stand without its file."""
    body = b"b" * 200_000
    journal = await at_home(tmp_path)
    other = await SqliteJournal.open(tmp_path / "moot.db")
    for number in range(30):
        goes, stays = a_run(f"goes{number:06}"), a_run(f"stays{number:05}")
        await journal.start(goes)
        await other.start(stays)
        name = await journal.put(goes.id, body)
        await asyncio.gather(journal.forget(goes.id), other.put(stays.id, body))
        assert await journal.get(name) == body
        await journal.forget(stays.id)
        assert files(tmp_path) == []
    await other.close()
    await journal.close()
