"""The tool `edit_file`: changes a file of the workspace in one place, and takes it back. The edits are text/'s."""

import asyncio
import base64
import hashlib
import os
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, JsonValue, ValidationError

from moot.text.editing import Edit, insertion, line_count, numbered, replacement, shown_around
from moot.toolkit.result import ToolResult
from moot.toolkit.tool import tool
from moot.toolkit.workbench import Workbench
from moot.toolkit.workspace import Place, place_of, shown_name
from moot.values.errors import ToolFailed
from moot.values.value import Value

Command = Literal["view", "create", "str_replace", "insert", "undo_edit"]
LARGEST = 64 << 20
_MOST_KEPT, _MOST_KEPT_BYTES = 50, 1 << 20
"""Edits that can be taken back: how many, and how many bytes of what they took out."""
_ENTRIES = 1_000


class Done(Value):
    """An edit as it is kept to be taken back, in bytes."""

    path: str
    made: bool = False
    """True for a file that the edit made."""
    start: int = 0
    out: str = ""
    """In base64: what was taken out."""
    put: int = 0
    """How long what came in is."""
    sha256: str
    """Of the whole file after the edit."""


class Kept(Value):
    """What the next call must know."""

    done: tuple[Done, ...] = ()


@dataclass(frozen=True, slots=True)
class _Call:
    """What a call asks for."""

    command: Command
    file_text: str | None
    old_str: str | None
    new_str: str | None
    insert_line: int | None
    view_range: list[int] | None


@tool(effect="write")
async def edit_file(
    bench: Workbench,
    command: Annotated[Command, Field(description="What to do.")],
    path: Annotated[str, Field(min_length=1, description="A file, such as /workspace/app/main.py.")],
    *,
    file_text: Annotated[str | None, Field(description='Of create: the whole text; "" makes an empty file.')] = None,
    old_str: Annotated[str | None, Field(description="Of str_replace: the words as they stand, once only.")] = None,
    new_str: Annotated[
        str | None, Field(description="Of str_replace: what stands there then. Of insert: the lines.")
    ] = None,
    insert_line: Annotated[int | None, Field(description="Of insert: after which line; 0 is the beginning.")] = None,
    view_range: Annotated[
        list[int] | None, Field(min_length=2, max_length=2, description="Of view: first and last line; -1 is the end.")
    ] = None,
) -> ToolResult:
    """Views a file with line numbers, makes a new one, or changes one in place; every other byte stays as it was.

    view shows a file or a folder, two levels deep. create makes a file that is not there yet. str_replace replaces the
    one place where old_str stands: give it with its blanks and enough lines around to be unique. insert puts whole
    lines behind line insert_line. undo_edit takes back the newest edit of the file that was made here. View a file
    before you change it.
    """
    call = _Call(command, file_text, old_str, new_str, insert_line, view_range)
    return await asyncio.to_thread(_do, bench, call, path)


edit_file = edit_file.reading(lambda arguments: getattr(arguments, "command", "") == "view")


def _do(bench: Workbench, call: _Call, path: str) -> ToolResult:
    place, kept = place_of(bench, path), _before(bench.before)
    match call.command:
        case "view":
            text = _folder(place) if place.kind() == "folder" else _viewed(place, call.view_range)
            return ToolResult(text=text, after=kept.model_dump(mode="json"))
        case "create":
            return _created(place, call.file_text, kept)
        case "undo_edit":
            return _undone(place, kept)
        case "str_replace":
            return _edited(place, _replacement(place, call), kept)
        case "insert":
            return _edited(place, _insertion(place, call), kept)


def _replacement(place: Place, call: _Call) -> Edit:
    if call.old_str is None:
        raise ToolFailed("str_replace needs old_str, the words as they stand, and new_str.")
    try:
        return replacement(_text(place), call.old_str, call.new_str or "")
    except ValueError as why:
        told = str(why)
        missing = f"not found in {place.asked}. {told}".rstrip()
        raise ToolFailed(missing if told.startswith("It differs") or not told else told) from why


def _insertion(place: Place, call: _Call) -> Edit:
    if call.insert_line is None or call.new_str is None:
        raise ToolFailed("insert needs insert_line, the line to insert after, and new_str, the lines.")
    try:
        return insertion(_text(place), call.insert_line, call.new_str)
    except ValueError as why:
        raise ToolFailed(str(why)) from why


def _edited(place: Place, edit: Edit, kept: Kept) -> ToolResult:
    before = _text(place)
    after = edit.apply(before)
    body = _bytes(after)
    place.write(body)
    done = Done(
        path=place.path, start=len(_bytes(before[: edit.start])), out=base64.b64encode(_bytes(edit.out)).decode(),
        put=len(_bytes(edit.put)), sha256=_sha256(body),
    )  # fmt: skip
    return _told(f"{place.asked} now reads there:\n{shown_around(after, edit)}", place, _with(kept, done))


def _created(place: Place, text: str | None, kept: Kept) -> ToolResult:
    if text is None:
        raise ToolFailed('create needs file_text, the whole text; "" makes an empty file.')
    if place.kind():
        raise ToolFailed(f"{place.asked} is there already. Change it with str_replace or insert.")
    body = _bytes(text)
    place.write(body)
    lines = line_count(text)
    done = Done(path=place.path, made=True, sha256=_sha256(body))
    return _told(f"{place.asked} was created, {lines} line{'' if lines == 1 else 's'}.", place, _with(kept, done))


def _undone(place: Place, kept: Kept) -> ToolResult:
    newest = next((done for done in reversed(kept.done) if done.path == place.path), None)
    if newest is None:
        raise ToolFailed(f"there is no edit of {place.asked} to take back.")
    body = place.read(LARGEST) if place.kind() == "file" else b""
    if place.kind() != "file" or _sha256(body) != newest.sha256:
        raise ToolFailed(f"{place.asked} was changed since by something else; nothing undone.")
    left = Kept(done=tuple(done for done in kept.done if done is not newest))
    if newest.made:
        place.remove()
        return _told(f"{place.asked} was created by that edit and is deleted again.", place, left)
    out = base64.b64decode(newest.out)
    place.write(body[: newest.start] + out + body[newest.start + newest.put :])
    text = _text(place)
    edit = Edit(len(_decoded(body[: newest.start])), "", _decoded(out))
    return _told(f"{place.asked} reads there as before:\n{shown_around(text, edit)}", place, left)


def _told(text: str, place: Place, kept: Kept) -> ToolResult:
    return ToolResult(text=text, files=(place.path,), after=kept.model_dump(mode="json"))


def _with(kept: Kept, done: Done) -> Kept:
    """With one more edit; the oldest are forgotten when they are too many or hold too much."""
    all_done = (*kept.done, done)[-_MOST_KEPT:]
    while len(all_done) > 1 and sum(len(one.out) for one in all_done) > _MOST_KEPT_BYTES:
        all_done = all_done[1:]
    return Kept(done=all_done)


def _before(kept: JsonValue) -> Kept:
    try:
        return Kept() if kept is None else Kept.model_validate(kept)
    except ValidationError:
        return Kept()


def _viewed(place: Place, span: list[int] | None) -> str:
    text = _text(place)
    count = line_count(text)
    if span is None:
        return numbered(text) or f"{place.asked} is empty."
    first, last = span[0], count if span[1] == -1 else span[1]
    if not 1 <= first <= max(count, 1) or last < first:
        raise ToolFailed(f"view_range {span}: must be [first, last] within the lines 1 to {count}; last may be -1.")
    return numbered(text, first, last) or f"{place.asked} is empty."


def _folder(place: Place) -> str:
    """Two levels of a folder, hidden ones left out."""
    found: list[str] = []
    with place.folder() as opened:
        for root, folders, files, _ in os.fwalk(".", dir_fd=opened):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            below = "" if root == "." else f"{root.removeprefix('./')}/"
            found += [f"{below}{name}/" for name in folders]
            found += [f"{below}{name}" for name in files if not name.startswith(".")]
            if root != ".":
                folders.clear()
            if len(found) > _ENTRIES:
                break
    shown = [shown_name(name) for name in sorted(found)[:_ENTRIES]]
    more = "… and more; list_files narrows it down." if len(found) > _ENTRIES else ""
    return "\n".join(filter(None, [f"{place.asked}:", *shown, more])) if found else f"{place.asked} is empty."


def _text(place: Place) -> str:
    body = place.read(LARGEST)
    if b"\0" in body[:8_192]:
        raise ToolFailed(f"{place.asked} is no text: {len(body):,} bytes. Use code for it.")
    return _decoded(body)


def _decoded(body: bytes) -> str:
    """The bytes as text; those that are no UTF-8 stand for themselves and go back as they were."""
    return body.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a character, out of a model's JSON
        return text.encode("utf-8", "replace")


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
