"""What is done to a workspace is kept, whatever lies there, and a look costs little where nothing changed."""

import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from moot.journal.sqlite.journal import SqliteJournal
from moot.toolkit import looked_at as looking
from moot.toolkit.kept_files import KeptFiles
from moot.toolkit.laid_out import lay_out
from moot.toolkit.manifest import Held, Manifest, state_of
from moot.values.ports import Contents

RUN = "0123456789"


@pytest.fixture
async def contents() -> AsyncIterator[SqliteJournal]:
    journal = await SqliteJournal.open(":memory:")
    yield journal
    await journal.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture
def files(folder: Path, contents: Contents) -> KeptFiles:
    return kept_files(folder, contents)


def kept_files(
    folder: Path, contents: Contents, *, covered: Callable[[bytes], bytes] = lambda body: body
) -> KeptFiles:  # fmt: skip
    return KeptFiles(folder, contents, RUN, covered=covered)


async def change(files: KeptFiles) -> Manifest:
    made = await files.changed()
    assert made is not None
    return made


async def test_a_change_is_told_once_with_what_is_in_it_and_who_may_run_it(
    files: KeptFiles, folder: Path, contents: Contents
) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "a.sh").write_text("echo a")
    (folder / "src" / "a.sh").chmod(0o755)
    first = await change(files)
    held = first.changed["src/a.sh"]
    assert held is not None
    assert (first.number, oct(held.mode), await contents.get(held.sha256)) == (1, "0o100755", b"echo a")
    assert await files.changed() is None
    (folder / "src" / "a.sh").write_text("echo b")
    (folder / "b").write_text("b")
    second = await change(files)
    assert (second.number, second.paths()) == (2, ["b", "src/a.sh"])
    (folder / "b").unlink()
    assert (await change(files)).changed == {"b": None}


async def test_a_workspace_that_is_not_there_or_empty_has_no_manifest(tmp_path: Path, contents: Contents) -> None:
    assert await kept_files(tmp_path / "none", contents).changed() is None
    assert await kept_files(tmp_path, contents).changed() is None


async def test_a_file_of_the_same_size_changed_right_after_a_look_is_seen(files: KeptFiles, folder: Path) -> None:
    for n in range(50):
        (folder / "n").write_text(f"{n:04}")
        assert (await change(files)).paths() == ["n"], n


async def test_a_time_that_was_set_back_hides_nothing(files: KeptFiles, folder: Path) -> None:
    (folder / "a").write_text("one")
    os.utime(folder / "a", ns=(1, 1))
    await change(files)
    (folder / "a").write_text("two")
    os.utime(folder / "a", ns=(1, 1))
    assert (await change(files)).paths() == ["a"]


async def test_a_file_that_was_only_touched_is_no_change(files: KeptFiles, folder: Path) -> None:
    (folder / "a").write_text("one")
    await change(files)
    os.utime(folder / "a", ns=(1, 1))
    assert await files.changed() is None


async def test_after_a_pause_it_goes_on_from_what_was_kept(
    files: KeptFiles, folder: Path, contents: Contents
) -> None:  # fmt: skip
    (folder / "a").write_text("a")
    (folder / "b").write_text("b")
    first = await change(files)
    later = kept_files(folder, contents)
    assert set(later.go_on([first])) == {"a", "b"}
    assert await later.changed() is None
    (folder / "b").unlink()
    second = await change(later)
    assert (second.number, second.changed) == (2, {"b": None})


async def test_of_siblings_the_later_look_counts_whichever_was_kept_first(files: KeptFiles) -> None:
    old, new = Held("1" * 64, 0o100644), Held("2" * 64, 0o100644)
    early, late = Manifest(number=1, changed={"a": old}), Manifest(number=2, changed={"a": new})
    assert files.go_on([late, early]) == {"a": new}


async def test_links_are_kept_as_links_and_none_is_followed(
    files: KeptFiles, folder: Path, tmp_path: Path, contents: Contents
) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("the key")
    (folder / "file").symlink_to(secret / "key")
    (folder / "folder").symlink_to(secret)
    (folder / "circle").symlink_to("circle")
    made = await change(files)
    assert made.paths() == ["circle", "file", "folder"]
    bodies = [await contents.get(held.sha256) for held in made.changed.values() if held]
    assert b"the key" not in bodies
    assert str(secret).encode() in bodies
    assert await lay_out(tmp_path / "out", state_of([made]), contents) == 0
    assert os.readlink(tmp_path / "out" / "folder") == str(secret)


async def test_a_folder_swapped_for_a_link_while_it_is_read_gives_nothing_away(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("the key")
    (folder / "a").mkdir()
    (folder / "a" / "key").write_text("mine")
    look = looking.looked_at(folder).there["a/key"]
    (folder / "a" / "key").unlink()
    (folder / "a").rmdir()
    (folder / "a").symlink_to(secret)
    assert looking.body_of(folder, "a/key", look) is None


async def test_pipes_sockets_and_our_own_folder_are_passed_over(files: KeptFiles, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(folder)  # an address of a socket is short
        try:
            listening.bind("socket")
        finally:
            os.chdir(here)
        (folder / ".moot" / "out").mkdir(parents=True)
        (folder / ".moot" / "out" / "x").write_text("x")
        (folder / "sub" / ".moot").mkdir(parents=True)
        (folder / "sub" / ".moot" / "theirs").write_text("x")
        made = await change(files)
    assert (made.paths(), made.left_out) == (["sub/.moot/theirs"], 0)


async def test_any_name_is_kept_and_laid_out_as_it_was(
    files: KeptFiles, folder: Path, tmp_path: Path, contents: Contents
) -> None:
    names = [b"a\nb", b"\xff\xfe", b"%2e%2e", "报告.md".encode(), b" ", b"-rf", b"a\\b", b"\x01", "\u202e".encode()]
    for name in names:
        Path(os.fsdecode(os.path.join(os.fsencode(folder), name))).write_bytes(name)
    made = await change(files)
    again = Manifest.model_validate_json(made.model_dump_json())
    assert await lay_out(tmp_path / "out", state_of([again]), contents) == 0
    assert sorted(os.listdir(os.fsencode(tmp_path / "out"))) == sorted(names)
    assert all((tmp_path / "out" / os.fsdecode(name)).read_bytes() == name for name in names)
    assert await kept_files(folder, contents).changed() is not None
    later = kept_files(folder, contents)
    later.go_on([again])
    assert await later.changed() is None


async def test_a_file_that_is_too_big_leaves_a_workspace_kept_in_part_and_that_is_said_once(
    files: KeptFiles, folder: Path
) -> None:
    with (folder / "big").open("wb") as big:
        big.truncate(300 << 20)
    (folder / "small").write_text("small")
    made = await change(files)
    assert (made.paths(), made.left_out) == (["small"], 1)
    assert made.why.startswith("The workspace is kept in part: 1 of its files are not, of 5,000 files and 200 MiB")
    (folder / "small").write_text("other")
    assert ((again := await change(files)).left_out, again.why) == (1, "")
    (folder / "big").unlink()
    assert (await change(files)).left_out == 0


async def test_a_file_that_grew_too_big_is_not_kept_as_it_was_before(files: KeptFiles, folder: Path) -> None:
    (folder / "a").write_text("a")
    await change(files)
    with (folder / "a").open("r+b") as file:
        file.truncate(300 << 20)
    assert (await change(files)).changed == {"a": None}


async def test_of_too_many_files_those_that_lie_least_deep_are_kept(files: KeptFiles, folder: Path) -> None:
    (folder / "a" / "modules").mkdir(parents=True)
    for n in range(5_010):
        (folder / "a" / "modules" / str(n)).touch()
    (folder / "z").write_text("z")
    made = await change(files)
    assert (len(made.changed), made.left_out) == (5_000, 11)
    assert "z" in made.changed


@pytest.mark.parametrize(("name", "levels"), [("d", 70), ("d" * 200, 30)], ids=["too deep", "too long a path"])
async def test_what_lies_deeper_than_anybody_puts_it_is_left_out(
    files: KeptFiles, folder: Path, name: str, levels: int
) -> None:  # fmt: skip
    here = os.getcwd()
    os.chdir(folder)  # the path is longer than the system takes at once
    try:
        for _ in range(levels):
            os.mkdir(name)
            os.chdir(name)
        Path("deep").write_text("x")
    finally:
        os.chdir(here)
    (folder / "z").write_text("z")
    made = await change(files)
    assert (made.paths(), made.left_out) == (["z"], 1)


async def test_empty_folders_are_laid_out_too(
    files: KeptFiles, folder: Path, tmp_path: Path, contents: Contents
) -> None:  # fmt: skip
    (folder / "out" / "plots").mkdir(parents=True)
    first = await change(files)
    assert first.paths() == ["out/plots"]
    (folder / "out" / "plots" / "a.png").write_bytes(b"png")
    second = await change(files)
    assert await lay_out(tmp_path / "before", state_of([first]), contents) == 0
    assert [path.name for path in (tmp_path / "before").rglob("*")] == ["out", "plots"]
    assert await lay_out(tmp_path / "after", state_of([first, second]), contents) == 0
    assert (tmp_path / "after" / "out" / "plots" / "a.png").read_bytes() == b"png"


async def test_a_secret_is_covered_in_what_is_kept_and_stays_in_the_folder(folder: Path, contents: Contents) -> None:
    covering = kept_files(folder, contents, covered=lambda body: body.replace(b"sk-123", b"[key]"))
    (folder / ".env").write_text("KEY=sk-123")
    held = (await change(covering)).changed[".env"]
    assert held is not None
    assert await contents.get(held.sha256) == b"KEY=[key]"
    assert (folder / ".env").read_text() == "KEY=sk-123"
    os.utime(folder / ".env")
    assert await covering.changed() is None


@pytest.mark.parametrize("path", ["../out", "/etc/x", "a/../../x", "a//b", ".", ""])
async def test_a_path_that_leads_out_is_not_laid_out(tmp_path: Path, contents: Contents, path: str) -> None:
    (kept,) = await contents.put_all(RUN, [b"x"])
    assert await lay_out(tmp_path / "in" / "files", {path: Held(kept, 0o100644)}, contents) == 1
    assert [one.name for one in tmp_path.rglob("*") if one.is_file()] == []


async def test_what_was_forgotten_is_counted_and_the_rest_laid_out(tmp_path: Path, contents: Contents) -> None:
    (kept,) = await contents.put_all(RUN, [b"x"])
    state = {"a": Held("0" * 64, 0o100644), "b": Held(kept, 0o100644)}
    assert await lay_out(tmp_path / "files", state, contents) == 1
    assert [one.name for one in (tmp_path / "files").iterdir()] == ["b"]


async def test_laying_out_that_was_broken_off_begins_anew(tmp_path: Path, contents: Contents) -> None:
    (tmp_path / ".files.new" / "half").mkdir(parents=True)
    assert await lay_out(tmp_path / "files", {}, contents) == 0
    assert list((tmp_path / "files").iterdir()) == []
    assert not (tmp_path / ".files.new").exists()


async def test_5_000_files_that_did_not_change_are_looked_over_in_little_time(files: KeptFiles, folder: Path) -> None:
    for n in range(5_000):
        path = folder / str(n % 50) / str(n)
        path.parent.mkdir(exist_ok=True)
        path.touch()
    written_ns = time.time_ns()
    await change(files)
    while time.time_ns() - written_ns < 100_000_000:
        pass  # until no file is so young that it could change again under the same time
    await files.changed()
    begun = time.process_time()
    assert await files.changed() is None
    assert time.process_time() - begun < 0.5  # a tenth of it on a quiet machine
