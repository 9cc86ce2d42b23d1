import os
from pathlib import Path

import pytest

from moot.values.errors import SettingWrong
from moot.web.chosen import choose, look
from moot.web.indexing import index_folder


def names(whats: list[str | Path], home: Path) -> list[str]:
    return [chosen.shelf.name for chosen in choose([str(what) for what in whats], home=home)]


def put(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_look_counts_what_may_be_documents_and_makes_no_index(folder: Path, home: Path) -> None:
    put(folder / "a.md")
    put(folder / "b.txt")
    assert [one.line for one in look(["python", str(folder)], home=home)] == [
        look(["python"], home=home)[0].line,
        "docs notes (2 documents)",
    ]
    assert look([str(folder / "a.md")], home=home)[0].line == "docs notes (1 document)"
    assert not (home / "index").exists()


@pytest.mark.parametrize("what", ["python", "docs://python", "docs://python/"])
def test_python_is_built_in(what: str, home: Path) -> None:
    assert names([what, "python"], home) == ["python"]


@pytest.mark.parametrize(
    ("what", "code", "told"),
    [
        ("/missing/folder", "docs_missing", "no such file or folder"),
        ("docs://nobody", "docs_missing", "no index has that name"),
        ("rag://dify/1/2", "setting_wrong", "cannot be given yet"),
        ("https://example.org/", "setting_wrong", "cannot be given yet"),
        ("", "setting_wrong", "give a file"),
        ("  ", "setting_wrong", "give a file"),
        ("a\0b", "docs_missing", "cannot be opened"),
        ("docs://../x", "setting_wrong", "--docs docs://../x: a name is letters"),
        ("~nobody_is_called_so/x", "docs_missing", "cannot be opened"),
    ],
)
def test_what_is_wrong_is_named_with_the_way_out(what: str, code: str, told: str, home: Path) -> None:
    with pytest.raises(SettingWrong, match=told) as caught:
        look([what], home=home)
    assert caught.value.code == code
    assert caught.value.chinese


def test_a_device_or_pipe_is_refused(tmp_path: Path, home: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for what in ("/dev/null", str(tmp_path / "pipe")):
        with pytest.raises(SettingWrong, match="neither a file nor a folder"):
            look([what], home=home)


def test_an_empty_folder_is_refused_with_what_was_left_out(folder: Path, home: Path) -> None:
    put(folder / ".hidden.md")
    with pytest.raises(SettingWrong, match=r"no document to read(?s:.*).hidden.md: hidden") as caught:
        look([str(folder)], home=home)
    assert caught.value.code == "docs_missing"


def test_two_folders_of_one_name_are_two_collections_whatever_their_order(tmp_path: Path, home: Path) -> None:
    put(tmp_path / "a" / "notes" / "x.md")
    put(tmp_path / "b" / "notes" / "x.md")
    one, two = tmp_path / "a" / "notes", tmp_path / "b" / "notes"
    given = names([one, two], home)
    assert len(set(given)) == 2
    assert all(name.startswith("notes-") for name in given)
    assert names([two, one], home) == given[::-1]


def test_a_folder_given_twice_is_one_collection_and_its_files_are_in_it(folder: Path, home: Path) -> None:
    put(folder / "sub" / "a.md")
    assert names([folder, f"{folder}/", folder / "sub" / "a.md", folder / ".." / "notes"], home) == ["notes"]


def test_a_folder_called_python_is_not_taken_for_pythons_topics(tmp_path: Path, home: Path) -> None:
    put(tmp_path / "python" / "a.md")
    assert [name.split("-")[0] for name in names(["python", tmp_path / "python"], home)] == ["python", "python"]
    assert len(set(names(["python", tmp_path / "python"], home))) == 2


async def test_a_named_index_is_given_by_its_name(folder: Path, home: Path) -> None:
    put(folder / "a.md", "Words.")
    await index_folder(str(folder), home=home, name="my-notes")
    (chosen,) = choose(["docs://my-notes"], home=home)
    assert (chosen.shelf.name, chosen.shelf.place) == ("my-notes", str(folder.resolve()))
    assert chosen.kept_at.exists()


async def test_a_named_index_whose_folder_is_gone_says_so(folder: Path, home: Path) -> None:
    put(folder / "a.md", "Words.")
    await index_folder(str(folder), home=home, name="mine")
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(SettingWrong, match="is not there any more"):
        choose(["docs://mine"], home=home)
