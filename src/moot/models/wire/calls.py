"""Puts native tool calls together from their pieces, whatever quirks these have. The rest of a reply: assemble.py."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from moot.models.wire.textcalls import Written
from moot.values.messages import Call

_LONGEST_NAME = 1_000
_PREFIXES = ("functions.", "function.", "tools.", "default_api.")


@dataclass(slots=True)
class _Growing:
    """A call as its pieces come."""

    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


@dataclass(slots=True)
class Calls:
    """The calls of one reply as they grow. Its owner is the assembly."""

    mended: bool = False
    """True once a name was read as another that is offered."""
    _calls: list[_Growing] = field(default_factory=list)
    _by_index: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self._calls)

    def write(self, written: Sequence[Written]) -> None:
        """Takes calls that stood in the text."""
        self._calls += [_Growing("", call.name, [call.arguments]) for call in written]

    def add(self, said: Mapping[str, JsonValue]) -> int:
        """Takes what a message or a piece of one holds of calls; gives how many characters of them are new."""
        listed = said.get("tool_calls")
        old = said.get("function_call")
        pieces = listed if isinstance(listed, list) else [{"function": old}] if isinstance(old, dict) else []
        added = 0
        for place, piece in enumerate(pieces):
            if isinstance(piece, dict):
                added += self._add_call(piece, place, alone=len(pieces) == 1)
        return added

    def _add_call(self, piece: Mapping[str, JsonValue], place: int, *, alone: bool) -> int:
        function = piece.get("function")
        held = function if isinstance(function, dict) else piece
        given, name, index = piece.get("id"), held.get("name"), piece.get("index")
        id_, named = given if isinstance(given, str) else "", name if isinstance(name, str) else ""
        before = len(self._calls)
        call = self._growing(id_, named, index if isinstance(index, int) else None if alone else place)
        call.id = call.id or id_
        call.name += named[:_LONGEST_NAME]
        arguments = arguments_text(held.get("arguments"), before=bool(call.pieces))
        if arguments:
            call.pieces.append(arguments)
        # A name or id that comes with every piece is one of the wire's quirks, and none of the reply's length.
        return len(arguments) + (len(id_) + len(named) + 1 if len(self._calls) > before else bool(named))

    def _growing(self, id_: str, name: str, index: int | None) -> _Growing:
        """The call that a piece belongs to: by index; a new id, or a name after whole arguments, begins another."""
        slot = self._by_index.get(index if index is not None else 0)
        call = self._calls[slot] if slot is not None else None
        if call is None or (id_ and call.id and id_ != call.id) or (not id_ and name and _is_whole(call.pieces)):
            call = _Growing()
            self._calls.append(call)
            self._by_index[index if index is not None else 0] = len(self._calls) - 1
        return call

    def read(self, offered: Collection[str], *, turn: int) -> tuple[Call, ...]:
        """The calls, each with an id of its own and a name as it was offered where that can be told."""
        seen: set[str] = set()
        calls: list[Call] = []
        for place, call in enumerate(self._real(), 1):
            name = offered_name(call.name, offered)
            if name != call.name:
                self.mended = True
            ours = not call.id or call.id in seen
            seen.add(call.id)
            calls.append(Call(id=f"c{turn}_{place}" if ours else call.id, name=name, arguments=call.arguments))
        return tuple(calls)

    def _real(self) -> list[_Growing]:
        """The calls without what was only a name said again after its call was whole."""
        kept: list[_Growing] = []
        for call in self._calls:
            again = kept and not call.id and not call.pieces and call.name == kept[-1].name
            if not again and (call.name or call.pieces):
                kept.append(call)
        return kept


def offered_name(name: str, offered: Collection[str]) -> str:
    """The offered name that a called one means: said k times over, prefixed, in other letters; else the name itself."""
    if name in offered or not name:
        return name
    for times in range(1, len(name) + 1):
        once = name[: len(name) // times]
        if len(once) * times != len(name) or once * times != name:
            continue
        if once in offered:
            return once
        alike = [known for known in offered if known.lower() == _plain(once)]
        if len(alike) == 1:
            return alike[0]
    return name


def _plain(name: str) -> str:
    plain = name.strip().lower()
    for prefix in _PREFIXES:
        plain = plain.removeprefix(prefix)
    return plain.replace("-", "_").replace(" ", "_")


def arguments_text(arguments: JsonValue, *, before: bool) -> str:
    """Arguments as text: an object is written out, null is nothing."""
    if isinstance(arguments, str):
        return arguments
    if arguments is None or before:
        return ""
    return json.dumps(arguments, ensure_ascii=False)


def _is_whole(pieces: Sequence[str]) -> bool:
    last = next((piece for piece in reversed(pieces) if piece.strip()), "")
    if not last.rstrip().endswith("}"):
        return False
    try:
        json.loads("".join(pieces))
    except (ValueError, RecursionError):
        return False
    return True
