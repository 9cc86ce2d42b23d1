"""What is told of a write's files: each once, a line each, and of very many how many more."""

from moot.agents.changes import changes_of
from moot.toolkit.manifest import Held, Manifest, written
from moot.toolkit.result import ToolResult
from moot.values.events import FileChanged, Warned

HELD = Held("0" * 64, 0o100644)


def test_a_file_that_a_tool_names_and_the_look_found_is_told_once() -> None:
    result = ToolResult(text="", files=("a", "b"), manifest=Manifest(number=1, changed={"a": HELD, "gone": None}))
    assert list(changes_of(result)) == [FileChanged(path="a"), FileChanged(path="b"), FileChanged(path="gone")]
    assert list(changes_of(None)) == []
    assert list(changes_of(ToolResult(text=""))) == []


def test_of_very_many_the_first_are_told_and_how_many_more_there_were() -> None:
    manifest = Manifest(number=1, changed={f"{n:04}": HELD for n in range(3_000)})
    told = list(changes_of(ToolResult(text="", manifest=manifest)))
    assert (len(told), told[-1]) == (50, FileChanged(path="0049", more=2_950))
    assert told[0] == FileChanged(path="0000")


def test_a_name_is_told_in_one_line_and_a_workspace_kept_in_part_is_said() -> None:
    changed = written({"a\nb": HELD, "\udcff": HELD})
    manifest = Manifest(number=1, changed=changed, left_out=1, why="It is kept in part.")
    assert list(changes_of(ToolResult(text="", manifest=manifest))) == [
        FileChanged(path="a\\nb"), FileChanged(path="�"), Warned(code="files_partial", message="It is kept in part."),
    ]  # fmt: skip
