"""Takes in what a server says of its tools. All of it is a stranger's text, and it stands where a model reads orders:
it is cut to size, and what could end a fence or speak as a chat template is broken.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pydantic import JsonValue

from moot.text.clean import clean
from moot.text.fence import broke
from moot.values.outside import Offered
from moot.web.mcp.server import Server

MOST_TOOLS = 64
LONGEST_DESCRIPTION = 2_000
LONGEST_TEXT = 500
"""Of one text in a schema."""
LONGEST_SCHEMA = 20_000
DEEPEST = 12
MOST_PARTS = 4_000
_ARGUMENT = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""What every provider takes as an argument's name."""
_KEPT = frozenset(
    "type description enum const default anyOf oneOf allOf items prefixItems properties required additionalProperties "
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems "
    "pattern format".split()
)
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
"""Control signs and letters that no reader sees: a place for orders to hide."""


class Described(NamedTuple):
    """A tool as a server describes it."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]
    reads_only: bool


def offers(server: str, of: Server, described: Iterable[Described]) -> tuple[tuple[Offered, ...], tuple[str, ...]]:
    """The tools that may be offered, by name, and those left out, each with the reason."""
    offered: dict[str, Offered] = {}
    left_out: list[str] = []
    for tool in sorted(described, key=lambda one: one.name):
        if not of.offers(tool.name):
            continue
        name = harmless(tool.name, most=100)
        why = "there are more than 64" if len(offered) >= MOST_TOOLS else ""
        try:
            made = _offered(server, of, tool)
        except ValueError as wrong:
            why = str(wrong)
        if why:
            left_out.append(f"{name}: {why}")
        else:
            offered[tool.name] = made
    return tuple(offered.values()), tuple(left_out)


def harmless(text: str, *, most: int) -> str:
    """A stranger's text where a model reads: seen by every reader, cut, and no token of a chat template."""
    plain = broke(_UNSEEN.sub("", clean(text)))[0].strip()
    return plain if len(plain) <= most else f"{plain[:most]} …"


def _offered(server: str, of: Server, tool: Described) -> Offered:
    if not tool.name or len(tool.name) > 200 or _UNSEEN.search(tool.name):
        raise ValueError("its name cannot be written")
    schema = plain_schema(tool.parameters)
    words = harmless(tool.description, most=LONGEST_DESCRIPTION)
    said = f"A tool of the outside server {server}, which says of it: {words}" if words else ""
    effect: Literal["read", "write"] = "read" if tool.reads_only and not of.writes(tool.name) else "write"
    return Offered(
        tool=tool.name, description=said or f"A tool of the outside server {server}.", parameters=schema, effect=effect
    )  # fmt: skip


def plain_schema(written: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The schema of an object with its references put in place, and nothing in it but what models are told.

    Raises ValueError when it is too large, too deep or unusable.
    """
    defs = {f"#/{name}/{key}": value for name in ("$defs", "definitions") for key, value in _object(written, name)}
    plain = _Plain(defs).of(dict(written), depth=0)
    assert isinstance(plain, dict)
    fields = plain.setdefault("properties", {})
    if plain.get("type", "object") != "object" or not isinstance(fields, dict):
        raise ValueError("its arguments are no object")
    odd = next((name for name in fields if not _ARGUMENT.fullmatch(name)), None)
    if odd is not None:
        raise ValueError(f"no provider takes an argument called {harmless(odd, most=60)!r}")
    if len(json.dumps(plain)) > LONGEST_SCHEMA:
        raise ValueError(f"its schema is longer than {LONGEST_SCHEMA:,} characters")
    return {**plain, "type": "object"}


@dataclass(slots=True)
class _Plain:
    """One schema on its way in."""

    defs: Mapping[str, JsonValue]
    left: int = MOST_PARTS

    def of(self, schema: JsonValue, *, depth: int) -> JsonValue:
        self.left -= 1
        if depth > DEEPEST or self.left < 0:
            raise ValueError("its schema is too large, or holds itself")
        if isinstance(schema, list):
            return [self.of(one, depth=depth + 1) for one in schema]
        if isinstance(schema, str):
            return harmless(schema, most=LONGEST_TEXT)
        if not isinstance(schema, dict):
            return schema
        made: dict[str, JsonValue] = {}
        for key, value in self._opened(schema).items():
            if key == "properties" and isinstance(value, dict):
                made[key] = {name: self.of(field, depth=depth + 1) for name, field in value.items()}
            elif key in _KEPT:
                made[key] = self.of(value, depth=depth + 1)
        return _one_kind_each(made)

    def _opened(self, schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The schema with what its reference names, also over several steps."""
        for _ in range(DEEPEST):
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            target = self.defs.get(reference)
            if not isinstance(target, dict):
                raise ValueError("its schema names a part that it does not hold")
            schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
        raise ValueError("its schema is too large, or holds itself")


def _one_kind_each(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A schema of several kinds at once as so many ways; not every provider takes a list of kinds."""
    kinds = schema.get("type")
    if not isinstance(kinds, list):
        return schema
    beside: dict[str, JsonValue] = {key: value for key, value in schema.items() if key in ("description", "default")}
    each = {key: value for key, value in schema.items() if key not in beside}
    return {"anyOf": [{**each, "type": kind} for kind in kinds], **beside}


def _object(schema: Mapping[str, JsonValue], key: str) -> Iterable[tuple[str, JsonValue]]:
    found = schema.get(key)
    return found.items() if isinstance(found, dict) else ()
