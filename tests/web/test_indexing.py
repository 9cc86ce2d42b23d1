import json
from pathlib import Path

import pytest

from moot.values.errors import SettingWrong
from moot.web.indexing import index_folder, index_status


def write(folder: Path, name: str, text: str = "Words.") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


async def test_a_folder_is_indexed_once_and_then_only_what_changed(folder: Path, home: Path) -> None:
    for number in range(3):
        write(folder, f"{number}.md")
    assert (await index_folder(str(folder), home=home))[:3] == (3, 3, 0)
    assert (await index_folder(str(folder), home=home))[:3] == (3, 0, 0)
    write(folder, "1.md", "Other words.")
    assert (await index_folder(str(folder), home=home))[:3] == (3, 1, 0)
    (folder / "2.md").unlink()
    assert (await index_folder(str(folder), home=home))[:3] == (2, 0, 1)
    assert (await index_folder(str(folder), home=home, rebuild=True))[:3] == (2, 2, 0)


async def test_what_is_skipped_is_told_with_its_reason(folder: Path, home: Path) -> None:
    write(folder, "a.md")
    write(folder, ".b.md")
    (folder / "c.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    counts = await index_folder(str(folder), home=home)
    assert counts.skipped == [(".b.md", "hidden"), ("c.png", "image: a picture; it has no text")]
    assert json.loads(json.dumps(counts._asdict()))["files"] == 1


async def test_the_status_tells_every_index_and_changes_none(folder: Path, home: Path) -> None:
    assert index_status(home) == ()
    write(folder, "a.md")
    await index_folder(str(folder), home=home)
    await index_folder(str(folder), home=home, name="mine")
    await index_folder("python", home=home)
    (home / "index" / "other.db").write_bytes(b"not ours")
    statuses = index_status(home)
    assert [status.name for status in statuses] == ["mine", "", ""]
    assert [status.files for status in statuses[:2]] == [1, 1]
    assert statuses[0].place == str(folder.resolve())
    assert (home / "index" / "other.db").read_bytes() == b"not ours"


async def test_a_name_belongs_to_one_folder_until_it_is_taken_over(folder: Path, home: Path, tmp_path: Path) -> None:
    write(folder, "a.md")
    write(tmp_path / "other", "b.md")
    await index_folder(str(folder), home=home, name="mine")
    with pytest.raises(SettingWrong, match="--rebuild to take it over"):
        await index_folder(str(tmp_path / "other"), home=home, name="mine")
    await index_folder(str(tmp_path / "other"), home=home, name="mine", rebuild=True)
    assert index_status(home)[0].place == str((tmp_path / "other").resolve())


@pytest.mark.parametrize("name", ["python", "../x", "a/b", "-", "x" * 65, "a b"])
async def test_a_name_that_is_none_is_refused(folder: Path, home: Path, name: str) -> None:
    write(folder, "a.md")
    with pytest.raises(SettingWrong, match="a name is letters"):
        await index_folder(str(folder), home=home, name=name)


async def test_a_failed_indexing_leaves_no_broken_index(folder: Path, home: Path) -> None:
    (folder / "c.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    with pytest.raises(SettingWrong, match="no document to read"):
        await index_folder(str(folder), home=home)
    write(folder, "a.md")
    assert (await index_folder(str(folder), home=home))[:2] == (1, 1)
