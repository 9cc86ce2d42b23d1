"""The tools on files: what they show of texts, binaries, hidden and hostile files, and what they write."""

import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from moot.toolkit.tool import Tool
from moot.toolkit.workbench import Workbench
from moot.toolkit.workspace import place_of
from moot.tools.files import find_in_files, list_files, read_file, write_file
from moot.values.errors import ToolFailed


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


async def use(root: Path, tool: Tool, **arguments: object) -> str:
    bench = Workbench(workspace=root, own=root.parent / "own")
    return (await tool.run(bench, tool.arguments.model_validate(arguments))).text


async def fault(root: Path, tool: Tool, **arguments: object) -> str:
    with pytest.raises(ToolFailed) as raised:
        await use(root, tool, **arguments)
    return raised.value.message


async def test_files_are_listed_with_their_sizes_and_hidden_ones_left_out(root: Path) -> None:
    for name in ("b.py", "src/a.py", "src/data.csv", ".env", ".git/config", ".moot/out/x.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("12345")
    assert await use(root, list_files) == "b.py  5\nsrc/a.py  5\nsrc/data.csv  5"
    assert await use(root, list_files, pattern="*.py") == "b.py  5\nsrc/a.py  5"
    assert await use(root, list_files, path="src", pattern="src/*.csv") == "src/data.csv  5"
    assert await use(root, list_files, pattern=".env") == ".env  5"
    assert ".git/config" in (seen := await use(root, list_files, hidden=True))
    assert ".moot" not in seen
    assert await use(root, list_files, pattern="*.rs") == "No files like *.rs in .."


async def test_what_is_no_plain_file_is_named_so(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "out").symlink_to("/etc/passwd")
    assert await use(root, list_files) == "out  link\npipe  no plain file"
    assert await fault(root, read_file, path="pipe") == "pipe is no plain file."
    assert await fault(root, read_file, path="out") == "out is outside the workspace."


async def test_names_of_any_bytes_stay_in_one_line(root: Path) -> None:
    (root / "two\nlines").touch()
    (Path(os.fsdecode(os.fsencode(root) + b"/\xff\xfe.txt"))).touch()
    assert await use(root, list_files) == "two\\nlines  0\n��.txt  0"


async def test_ten_thousand_files_are_listed_in_part(root: Path) -> None:
    for n in range(10_000):
        (root / f"f{n:05d}").touch()
    shown = (await use(root, list_files)).splitlines()
    assert len(shown) == 1_001
    assert shown[-1] == "[… 9,000 more; narrow it with path or pattern]"


async def test_lines_are_numbered_and_come_in_parts(root: Path) -> None:
    (root / "f").write_text("".join(f"l{n}\n" for n in range(1, 11)))
    assert await use(root, read_file, path="/workspace/f", from_line=9) == "     9\tl9\n    10\tl10"
    part = await use(root, read_file, path="f", lines=2)
    assert part == "     1\tl1\n     2\tl2\n[… more lines follow; read_file(path='f', from_line=3)]"
    assert await fault(root, read_file, path="f", from_line=11) == "f has 10 lines; there is no line 11."
    (root / "empty").touch()
    assert await use(root, read_file, path="empty") == "empty is empty."


async def test_bad_bytes_are_shown_as_such_and_binaries_named(root: Path) -> None:
    (root / "bad").write_bytes(b"caf\xe9 \xff\n")
    assert await use(root, read_file, path="bad") == "     1\tcaf� �"
    (root / "pic").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 100)
    assert await use(root, read_file, path="pic") == "pic is no text: image, 108 bytes."
    with (root / "sparse").open("wb") as file:
        file.truncate(1 << 30)
    assert await use(root, read_file, path="sparse") == "sparse is no text: binary, 1,073,741,824 bytes."


async def test_a_line_without_end_is_shown_in_part(root: Path) -> None:
    (root / "long").write_text("x" * 5_000)
    assert (await use(root, read_file, path="long")).endswith("x[… 3,000 characters more]")


async def test_what_was_kept_whole_of_an_observation_can_be_read_and_not_written(root: Path) -> None:
    own = root.parent / "own"
    (own / "out").mkdir(parents=True)
    (own / "out/a.txt").write_text("whole\n")
    assert await use(root, read_file, path="/workspace/.moot/out/a.txt") == "     1\twhole"
    with pytest.raises(ToolFailed, match="moot's own"):
        await use(root, write_file, path=".moot/out/a.txt", text="x")


async def test_matching_lines_are_found_with_path_and_number(root: Path) -> None:
    (root / "src").mkdir()
    (root / "src/a.py").write_text("def one():\n    pass\ndef two():\n")
    (root / ".hidden.py").write_text("def three():\n")
    (root / "bin").write_bytes(b"def \0four")
    assert await use(root, find_in_files, pattern=r"^def \w+") == "src/a.py:1: def one():\nsrc/a.py:3: def two():"
    assert await use(root, find_in_files, pattern="pass", path="src/a.py") == "src/a.py:2:     pass"
    assert await use(root, find_in_files, pattern="nope") == "Nothing matches nope in .."
    assert "cannot be read" in await fault(root, find_in_files, pattern="(")


async def test_an_expression_that_would_never_end_is_stopped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moot.tools.files._SEARCH_S", 0.3)
    (root / "f").write_text("a" * 5_000 + "b\n")
    assert "[stopped after 0.3 s;" in await use(root, find_in_files, pattern=r"(a|aa)+$")


async def test_a_file_is_written_whole_and_the_reply_tells_which(root: Path) -> None:
    assert await use(root, write_file, path="new/n.md", text="a\nb\n") == "new/n.md: created, 2 lines now."
    (root / "new/n.md").chmod(0o755)
    assert await use(root, write_file, path="new/n.md", text="c") == "new/n.md: replaced (2 lines before), 1 lines now."
    assert (root / "new/n.md").read_text() == "c"
    assert stat.S_IMODE((root / "new/n.md").stat().st_mode) == 0o755
    assert [one.name for one in (root / "new").iterdir()] == ["n.md"]
    (root / "to").symlink_to("/etc")
    assert await fault(root, write_file, path="to/cron.d/x", text="") == "to/cron.d/x is outside the workspace."
    assert await fault(root, write_file, path="/workspace", text="") == "/workspace is a folder; name a file in it."
    assert await fault(root, write_file, path="new", text="x") == "new is no plain file."


def _swapping(root: Path, outside: Path, over: threading.Event) -> Callable[[], None]:
    """Makes a folder a link that leads out and a folder again, over and over, as hostile code would."""
    folder, aside, link = root / "dir", root / "aside", root / "link"

    def swap() -> None:
        while not over.is_set():
            with suppress(OSError):
                link.symlink_to(outside)
            with suppress(OSError):
                folder.rename(aside)
                link.rename(folder)
            over.wait(0.0002)
            with suppress(OSError):
                folder.unlink()
                aside.rename(folder)
            over.wait(0.0002)

    return swap


def test_a_folder_swapped_for_a_link_at_any_moment_never_leads_out(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_text("secret")
    (root / "dir").mkdir()
    (root / "dir/f").write_text("inside")
    bench, over = Workbench(workspace=root), threading.Event()
    swapper = threading.Thread(target=_swapping(root, outside, over))
    swapper.start()
    seen: set[bytes] = set()
    try:
        for _ in range(3_000):
            with suppress(ToolFailed):
                seen.add(place_of(bench, "dir/f").read(100))
            with suppress(ToolFailed):
                place_of(bench, "dir/f").write(b"inside")
    finally:
        over.set()
        swapper.join()
    assert seen == {b"inside"}
    assert (outside / "f").read_text() == "secret"
    assert [one.name for one in outside.iterdir()] == ["f"]
