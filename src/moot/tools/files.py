"""The tools on files of the workspace: list, find, read, write. Which file a path means is toolkit/workspace.py's."""

import asyncio
import fnmatch
import os
import time
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, BinaryIO

import regex
from pydantic import Field

from moot.text.editing import line_count
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.toolkit.workspace import OWN, Place, place_of, shown_name
from moot.values.errors import ToolFailed
from moot.web.sniff import sniff

_MOST_SEEN, _MOST_LISTED, _MOST_FOUND = 50_000, 1_000, 200
_LARGEST_LINE = 2_000
"""Characters of one line that are shown."""
_LARGEST_READ = 64 << 20
_SEARCH_S = 20.0
_HEAD = 8_192


@tool()
async def list_files(
    bench: Workbench,
    path: Annotated[str, Field(description="The folder to begin with.")] = ".",
    *,
    pattern: Annotated[str, Field(description="Only names or paths like this: *.py, tests/*.csv.")] = "*",
    hidden: Annotated[bool, Field(description="True to see also what begins with a dot.")] = False,
) -> ToolResult:
    """Lists the files below a folder of the workspace, each with its size in bytes. Hidden ones are left out."""
    return await asyncio.to_thread(_list_files, place_of(bench, path), pattern, hidden or pattern.startswith("."))


def _list_files(place: Place, pattern: str, hidden: bool) -> ToolResult:
    shown: list[str] = []
    count = seen = 0
    for path, status in _walk(place, hidden=hidden):
        seen += 1
        if seen > _MOST_SEEN:
            break
        if fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path.rpartition("/")[2], pattern):
            count += 1
            if count <= _MOST_LISTED:
                shown.append(f"{shown_name(path)}  {status}")
    if seen > _MOST_SEEN:
        shown.append(f"[only the first {_MOST_SEEN:,} files were looked at; name a folder further down]")
    elif count > _MOST_LISTED:
        shown.append(f"[… {count - _MOST_LISTED:,} more; narrow it with path or pattern]")
    return ToolResult(text="\n".join(shown) or f"No files like {pattern} in {place.asked}.")


@tool()
async def find_in_files(
    bench: Workbench,
    pattern: Annotated[str, Field(min_length=1, max_length=1_000, description="A regular expression, for one line.")],
    path: Annotated[str, Field(description="A file, or the folder to search below.")] = ".",
) -> ToolResult:
    """Finds lines of text files that a regular expression matches: `path:line: the line`. Hidden files are left out."""
    return await asyncio.to_thread(_find_in_files, place_of(bench, path), pattern)


def _find_in_files(place: Place, pattern: str) -> ToolResult:
    try:
        wanted = regex.compile(pattern)
    except regex.error as wrong:
        raise ToolFailed(f"the regular expression cannot be read: {wrong}.") from wrong
    found: list[str] = []
    try:
        for line in _matching(place, wanted, until=time.monotonic() + _SEARCH_S):
            found.append(line)
            if len(found) > _MOST_FOUND:
                found[_MOST_FOUND:] = [f"[more than {_MOST_FOUND} lines match; these are the first]"]
                break
    except TimeoutError:
        found.append(f"[stopped after {_SEARCH_S:g} s; a simpler expression, or one folder, is quicker]")
    return ToolResult(text="\n".join(found) or f"Nothing matches {pattern} in {place.asked}.")


def _matching(place: Place, wanted: "regex.Pattern[str]", *, until: float) -> Iterator[str]:
    """Lines that match, as they are shown. Raises TimeoutError."""
    for name, number, line in _text_lines(place):
        left_s = until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        if wanted.search(line, timeout=left_s):
            yield f"{shown_name(name)}:{number}: {_cut(line)}"


@tool()
async def read_file(
    bench: Workbench,
    path: Annotated[str, Field(min_length=1, description="A file, such as /workspace/data.csv.")],
    *,
    from_line: Annotated[int, Field(ge=1, description="The first line to show.")] = 1,
    lines: Annotated[int, Field(ge=1, le=5_000, description="How many lines.")] = 400,
) -> ToolResult:
    """Shows lines of a text file with their numbers. What is no text is named with its size and kind, not shown."""
    return await asyncio.to_thread(_read_file, place_of(bench, path), from_line, lines)


def _read_file(place: Place, first: int, lines: int) -> ToolResult:
    if place.kind() == "folder":
        raise ToolFailed(f"{place.asked} is a folder; list_files shows what is in it.")
    shown: list[str] = []
    last = 0
    with place.opened() as file:
        size = os.fstat(file.fileno()).st_size
        kind = _binary(file.read(_HEAD), place.path)
        if kind:
            return ToolResult(text=f"{place.asked} is no text: {kind}, {size:,} bytes.")
        file.seek(0)
        read = 0
        for last, line in enumerate(_lines_of(file), 1):
            read += len(line)
            if first <= last < first + lines:
                shown.append(f"{last:6d}\t{_cut(line.decode('utf-8', 'replace').removeprefix(chr(0xFEFF)))}")
            if last >= first + lines or read > _LARGEST_READ:
                break
        more = file.read(1) != b"" or last >= first + lines
    if not last:
        return ToolResult(text=f"{place.asked} is empty.")
    if first > last and not more:
        raise ToolFailed(f"{place.asked} has {last:,} lines; there is no line {first:,}.")
    if more:
        shown.append(f"[… more lines follow; read_file(path={place.asked!r}, from_line={first + lines})]")
    return ToolResult(text="\n".join(shown))


@tool(effect="write")
async def write_file(
    bench: Workbench,
    path: Annotated[str, Field(min_length=1, description="A file, such as /workspace/notes.md.")],
    text: Annotated[str, Field(description="The whole text of the file.")],
) -> ToolResult:
    """Writes a whole file, replacing what was there; folders on the way are made. To change part of one: edit_file."""
    return await asyncio.to_thread(_write_file, place_of(bench, path), text)


def _write_file(place: Place, text: str) -> ToolResult:
    if not place.parts:
        raise ToolFailed(f"{place.asked} is a folder; name a file in it.")
    before = None
    if place.kind() == "file":
        with place.opened() as file:
            before = sum(1 for _ in _lines_of(file))
    place.write(text.encode("utf-8", "replace"))
    was = "created" if before is None else f"replaced ({before:,} lines before)"
    return ToolResult(text=f"{place.asked}: {was}, {line_count(text):,} lines now.", files=(place.path,))


def _walk(place: Place, *, hidden: bool) -> Iterator[tuple[str, str]]:
    """Every file below a folder, by its path in the workspace, sorted by folder; no link is followed."""
    before = "" if place.path == "." else f"{place.path}/"
    with place.folder() as opened:
        for root, folders, files, at in os.fwalk(".", dir_fd=opened):
            folders[:] = sorted(name for name in folders if _is_shown(name, hidden=hidden))
            below = before + ("" if root == "." else f"{root.removeprefix('./')}/")
            shown = sorted(name for name in files if _is_shown(name, hidden=hidden))
            yield from ((below + name, _status(name, at)) for name in shown)


def _is_shown(name: str, *, hidden: bool) -> bool:
    return name != OWN and (hidden or not name.startswith("."))


def _status(name: str, folder: int) -> str:
    """Its size; of what is no plain file, what it is."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError:
        return "gone"
    kind = status.st_mode & 0o170000
    return {0o120000: "link", 0o100000: f"{status.st_size:,}"}.get(kind, "no plain file")


def _text_lines(place: Place) -> Iterator[tuple[str, int, str]]:
    """The lines of every text file below a place: its path, the line's number, the line."""
    places = [place] if place.kind() != "folder" else _places_in(place)
    for one in places:
        if one.kind() != "file":
            continue
        with one.opened() as file:
            is_text = not _binary(file.read(_HEAD), one.path)
            file.seek(0)
            lines = enumerate(_lines_of(file), 1) if is_text else ()
            yield from ((one.path, number, line.decode("utf-8", "replace")) for number, line in lines)


def _places_in(folder: Place) -> list[Place]:
    names = [name for name, _ in islice(_walk(folder, hidden=False), _MOST_SEEN)]
    skip = len(OWN) + 1 if folder.own else 0
    return [Place(folder.root, tuple(name[skip:].split("/")), name, own=folder.own) for name in names]


def _lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines without their ends; a line over 1 MiB comes in pieces, so that none fills the memory."""
    while line := file.readline(1 << 20):
        yield line.rstrip(b"\n").removesuffix(b"\r")


def _binary(head: bytes, name: str) -> str:
    """What kind of file this is when it is no text; `` for text."""
    kind = sniff(head, name=name)
    textual = kind in ("html", "xml", "feed", "json", "csv", "markdown", "rst", "code", "text", "rtf")
    return "" if textual and b"\0" not in head else kind


def _cut(line: str) -> str:
    left = len(line) - _LARGEST_LINE
    return line if left <= 0 else f"{line[:_LARGEST_LINE]}[… {left:,} characters more]"
