import os
import socket
from pathlib import Path

import pytest

from moot.values.errors import SettingWrong
from moot.web.faults import Unreadable
from moot.web.shelf import Folder, Topics, shown


def shelf(folder: Path, **given: object) -> Folder:
    return Folder(folder.resolve(), name="notes", **given)  # type: ignore[arg-type]  # each test names real fields


def paths(folder: Path) -> list[str]:
    return [entry.path for entry in shelf(folder).walk().entries]


def why(folder: Path) -> dict[str, str]:
    return dict(shelf(folder).walk().skipped)


def test_files_are_listed_in_the_order_of_their_paths(folder: Path) -> None:
    for name in ("b.md", "a/z.md", "a/b/c.md", "a.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    assert paths(folder) == sorted(["a.md", "a/b/c.md", "a/z.md", "b.md"])


def test_what_is_no_document_is_left_out_and_each_has_its_reason(folder: Path, tmp_path: Path) -> None:
    (folder / "good.md").write_text("x")
    (folder / ".secret").write_text("x")
    (folder / ".hidden").mkdir()
    (folder / "etc").symlink_to("/etc")
    (folder / "passwd").symlink_to("/etc/passwd")
    (folder / "gone.md").symlink_to(tmp_path / "nowhere")
    (folder / "inside.md").symlink_to(folder / "good.md")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.md")
    with open(folder / "huge.txt", "wb") as file:
        file.truncate(3_000_000_000)
    here = socket.socket(socket.AF_UNIX)
    here.bind(os.path.relpath(folder / "sock"))
    here.close()
    assert paths(folder) == ["good.md", "inside.md"]
    assert why(folder) == {
        ".secret": "hidden",
        ".hidden": "hidden",
        "etc": "a link out of the folder",
        "passwd": "a link out of the folder",
        "gone.md": "a link out of the folder",
        "loop": "a link to a folder that is read by itself",
        "pipe.md": "a pipe",
        "sock": "a socket",
        "huge.txt": "too_large: 3,000,000,000 bytes, at most 100,000,000",
    }


def test_a_link_that_goes_round_is_left_out(folder: Path) -> None:
    (folder / "a").symlink_to(folder / "b")
    (folder / "b").symlink_to(folder / "a")
    assert paths(folder) == []
    assert set(why(folder)) == {"a", "b"}


def test_gitignored_files_are_left_out_as_git_leaves_them_out(folder: Path) -> None:
    for name in ("a.log", "keep.log", "build/x.md", "sub/b.log", "sub/c.tmp", "sub/deep/c.tmp", "d.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / ".gitignore").write_text("*.log\n!keep.log\nbuild/\n")
    (folder / "sub" / ".gitignore").write_text("/c.tmp\n!b.log\n")
    assert paths(folder) == ["d.md", "keep.log", "sub/b.log", "sub/deep/c.tmp"]
    assert why(folder) == dict.fromkeys(["a.log", "build", "sub/c.tmp"], "left out by .gitignore")


def test_our_own_data_folder_is_no_document(folder: Path) -> None:
    (folder / "data" / "runs").mkdir(parents=True)
    (folder / "data" / "runs" / "report.md").write_text("x")
    (folder / "a.md").write_text("x")
    walked = shelf(folder, without=folder.resolve() / "data").walk()
    assert [entry.path for entry in walked.entries] == ["a.md"]
    assert walked.skipped == (("data", "moot's own data folder"),)


@pytest.mark.parametrize(
    "name", [b"new\nline.md", b"caf\xe9.md", "水库 1.md".encode(), b"a%2Fb.md", b"q?#&.md", b"\x1b[31m.md"]
)
def test_a_file_of_any_name_is_listed_read_and_shown_on_one_line(folder: Path, name: bytes) -> None:
    with open(os.path.join(os.fsencode(folder), name), "wb") as file:
        file.write(b"words")
    (entry,) = shelf(folder).walk().entries
    assert entry.path.isascii()
    assert not set(entry.path) & set(" \n?#&")
    assert shelf(folder).read(entry.path) == b"words"
    assert shelf(folder).stat(entry.path) == entry
    assert shown(entry.path).isprintable()


@pytest.mark.parametrize(
    "path", ["../outside.md", "%2e%2e/outside.md", "/etc/passwd", "%2Fetc%2Fpasswd", "link/../../outside.md", "a%00b"]
)
def test_no_path_leads_out_of_the_folder(folder: Path, path: str) -> None:
    (folder.parent / "outside.md").write_text("secret")
    (folder / "link").symlink_to(folder.parent)
    assert shelf(folder).stat(path) is None
    with pytest.raises(Unreadable):
        shelf(folder).read(path)


@pytest.mark.parametrize("path", ["./a.md", "b/../a.md", "../notes/a.md", "b//c.md", "b/%2e%2e/a.md", "/a.md", "a.md/"])
def test_a_document_has_one_address(folder: Path, path: str) -> None:
    (folder / "b").mkdir()
    for name in ("a.md", "b/c.md"):
        (folder / name).write_text("words")
    assert folder.name == "notes"
    assert shelf(folder).stat("b/c.md") is not None
    assert shelf(folder).stat(path) is None


def test_a_file_that_became_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "a.md")
    with pytest.raises(Unreadable, match="a pipe"):
        shelf(folder).read("a.md")


def test_files_given_one_by_one_are_all_there_is(folder: Path) -> None:
    for name in ("a.md", ".b.md", "c.md"):
        (folder / name).write_text("x")
    some = shelf(folder, only=frozenset(["a.md", ".b.md", "gone.md"]))
    assert [entry.path for entry in some.walk().entries] == [".b.md", "a.md"]
    assert some.walk().skipped == (("gone.md", "gone"),)
    assert some.stat("c.md") is None


def test_pythons_topics_are_a_shelf() -> None:
    python = Topics()
    assert len(python.walk().entries) > 60
    assert b"wrap the execution of a block" in python.read("with")
    assert python.stat("no-such-topic") is None
    with pytest.raises(Unreadable, match="gone"):
        python.read("no-such-topic")


def test_a_python_without_its_topics_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr("moot.web.shelf.importlib.import_module", missing)
    with pytest.raises(SettingWrong, match="Install its full standard library") as caught:
        Topics()
    assert caught.value.code == "docs_missing"
    assert caught.value.chinese
