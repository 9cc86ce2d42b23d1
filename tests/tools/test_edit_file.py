"""The tool `edit_file`: views, edits that leave other bytes alone, and taking them back, also after a pause."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue, ValidationError

from moot.agents.reading import read_call
from moot.toolkit.workbench import Workbench
from moot.tools.edit_file import edit_file
from moot.values.errors import ToolFailed
from moot.values.messages import Call


@dataclass
class Desk:
    """Calls the tool as the loop does: what it knew after a call is handed to the next, through JSON."""

    root: Path
    known: JsonValue = None

    async def __call__(self, command: str, path: str, **arguments: JsonValue) -> str:
        fitting = edit_file.arguments.model_validate({"command": command, "path": path, **arguments})
        result = await edit_file.run(Workbench(workspace=self.root, before=self.known), fitting)
        self.known = result.after
        return result.text

    async def fault(self, command: str, path: str, **arguments: JsonValue) -> str:
        """The fault of a call, which must leave all as it was."""
        before = self.snapshot()
        with pytest.raises(ToolFailed) as raised:
            await self(command, path, **arguments)
        assert self.snapshot() == before
        return raised.value.message

    def snapshot(self) -> dict[str, bytes]:
        return {str(one): one.read_bytes() for one in self.root.rglob("*") if one.is_file() and not one.is_symlink()}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / "ws").mkdir()
    return Desk(tmp_path / "ws")


async def test_a_tab_stays_a_tab(desk: Desk) -> None:
    (desk.root / "Makefile").write_bytes(b"all:\n\techo hi\n")
    shown = await desk("str_replace", "/workspace/Makefile", old_str="hi", new_str="ho")
    assert (desk.root / "Makefile").read_bytes() == b"all:\n\techo ho\n"
    assert shown == "/workspace/Makefile now reads there:\n     1\tall:\n     2\t\techo ho"


async def test_bytes_that_are_no_utf8_a_bom_and_windows_line_ends_stay(desk: Desk) -> None:
    (desk.root / "odd").write_bytes(b"\xef\xbb\xbfone\r\n\xff\xfe two\r\nthree")
    await desk("str_replace", "odd", old_str="one\n", new_str="1\n2\n")
    assert (desk.root / "odd").read_bytes() == b"\xef\xbb\xbf1\r\n2\r\n\xff\xfe two\r\nthree"
    await desk("insert", "odd", insert_line=4, new_str="four")
    assert (desk.root / "odd").read_bytes().endswith(b"three\r\nfour")
    await desk("undo_edit", "odd")
    await desk("undo_edit", "odd")
    assert (desk.root / "odd").read_bytes() == b"\xef\xbb\xbfone\r\n\xff\xfe two\r\nthree"


async def test_create_makes_a_file_and_refuses_one_that_is_there(desk: Desk) -> None:
    assert await desk("create", "src/a.py", file_text="x = 1\n") == "src/a.py was created, 1 line."
    assert (desk.root / "src/a.py").read_text() == "x = 1\n"
    assert "is there already" in await desk.fault("create", "src/a.py", file_text="y")
    assert await desk.fault("create", "b") == 'create needs file_text, the whole text; "" makes an empty file.'
    await desk("create", "empty", file_text="")
    assert (desk.root / "empty").read_bytes() == b""


async def test_undo_goes_back_one_edit_a_call_and_takes_back_a_create(desk: Desk) -> None:
    await desk("create", "a", file_text="1\n")
    await desk("str_replace", "a", old_str="1", new_str="2")
    await desk("insert", "a", insert_line=1, new_str="3")
    assert "reads there as before" in await desk("undo_edit", "a")
    assert (desk.root / "a").read_text() == "2\n"
    await desk("undo_edit", "/workspace/a")
    assert (desk.root / "a").read_text() == "1\n"
    assert "is deleted again" in await desk("undo_edit", "./a")
    assert not (desk.root / "a").exists()
    assert await desk.fault("undo_edit", "a") == "there is no edit of a to take back."


async def test_undo_refuses_when_something_else_changed_the_file(desk: Desk) -> None:
    await desk("create", "a", file_text="1\n")
    (desk.root / "a").write_text("by hand\n")
    assert "was changed since by something else; nothing undone" in await desk.fault("undo_edit", "a")
    (desk.root / "a").unlink()
    assert "changed since" in await desk.fault("undo_edit", "a")


async def test_undo_knows_its_edits_after_a_pause(desk: Desk) -> None:
    await desk("create", "a", file_text="one\n")
    await desk("str_replace", "a", old_str="one", new_str="two")
    later = Desk(desk.root, desk.known)  # another process: all it has is what the last reply kept
    await later("undo_edit", "a")
    assert (desk.root / "a").read_text() == "one\n"


async def test_views_are_numbered_and_show_a_range(desk: Desk) -> None:
    (desk.root / "f").write_text("".join(f"l{n}\n" for n in range(1, 6)))
    assert await desk("view", "f", view_range=[4, -1]) == "     4\tl4\n     5\tl5"
    assert (await desk("view", "f")).startswith("     1\tl1\n")
    assert "within the lines 1 to 5" in await desk.fault("view", "f", view_range=[9, 10])
    assert "within the lines 1 to 5" in await desk.fault("view", "f", view_range=[3, 2])


async def test_a_folder_is_shown_two_levels_deep_also_with_blanks_in_its_name(desk: Desk) -> None:
    (desk.root / "a b/in/deep").mkdir(parents=True)
    (desk.root / "a b/x.txt").touch()
    (desk.root / "a b/in/y.txt").touch()
    (desk.root / "a b/in/deep/z.txt").touch()
    (desk.root / "a b/.hidden").touch()
    shown = (await desk("view", "/workspace/a b")).splitlines()
    assert shown == ["/workspace/a b:", "in/", "in/deep/", "in/y.txt", "x.txt"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("nope", "x", "not found in f."),
        ("a  b", "x", "not found in f. It differs in blanks only at line 1."),
        ("c", "x", "found at lines [2, 3]; make it unique."),
        ("", "x", "old_str is empty; give the words that are to be replaced."),
        ("a b", "a b", "old_str and new_str are the same; nothing to do."),
    ],
)
async def test_what_cannot_be_replaced_is_told_exactly(desk: Desk, old: str, new: str, words: str) -> None:
    (desk.root / "f").write_text("a b\nc\nc\n")
    assert await desk.fault("str_replace", "f", old_str=old, new_str=new) == words


async def test_what_lies_outside_is_neither_read_nor_written(desk: Desk) -> None:
    secret = desk.root.parent / "secret"
    secret.write_text("s")
    (desk.root / "out").symlink_to(secret)
    (desk.root / "up").symlink_to("..")
    (desk.root / "etc").symlink_to("/etc")
    (desk.root / "round").symlink_to("round")
    for path in (
        "../secret",
        "/etc/passwd",
        "out",
        "up/secret",
        "etc/passwd",
        "/workspace/../secret",
        "a/../../secret",
    ):
        assert await desk.fault("view", path) == f"{path} is outside the workspace."
        assert "outside" in await desk.fault("create", path, file_text="x")
    assert "circle" in await desk.fault("view", "round")
    assert secret.read_text() == "s"


async def test_a_link_inside_is_followed_also_as_the_sandbox_writes_it(desk: Desk) -> None:
    (desk.root / "real.txt").write_text("one\n")
    (desk.root / "link").symlink_to("/workspace/real.txt")
    await desk("str_replace", "link", old_str="one", new_str="two")
    assert (desk.root / "real.txt").read_text() == "two\n"
    assert (desk.root / "link").is_symlink()


async def test_pipes_devices_and_binaries_are_no_texts(desk: Desk) -> None:
    os.mkfifo(desk.root / "pipe")
    (desk.root / "null").symlink_to("/dev/zero")
    (desk.root / "bin").write_bytes(b"\x7fELF\x00\x00")
    assert await desk.fault("view", "pipe") == "pipe is no plain file."
    assert "outside" in await desk.fault("view", "null")
    assert "is no text: 6 bytes" in await desk.fault("str_replace", "bin", old_str="E", new_str="x")


async def test_a_file_that_is_too_large_is_told(desk: Desk) -> None:
    with (desk.root / "big").open("wb") as file:
        file.truncate(1 << 30)
    assert await desk.fault("view", "big") == "big has more than 64 MiB."


def test_a_call_without_a_path_gets_the_sentence_of_every_tool() -> None:
    with pytest.raises(ValidationError):
        edit_file.arguments.model_validate({"command": "view"})
    for command in ("view", "create", "str_replace", "insert", "undo_edit"):
        want = read_call(
            Call(id="1", name="edit_file", arguments=f'{{"command": "{command}"}}'), {"edit_file": edit_file.arguments}
        )
        assert want.fault == "The arguments of edit_file don't fit: path: missing. Nothing was done."


def test_a_view_only_reads() -> None:
    view = edit_file.arguments.model_validate({"command": "view", "path": "a"})
    insert = edit_file.arguments.model_validate({"command": "insert", "path": "a"})
    assert (edit_file.effect_of(view), edit_file.effect_of(insert)) == ("read", "write")
