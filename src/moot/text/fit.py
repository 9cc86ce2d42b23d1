"""Fits JSON as models write it to the type that was asked for: coerced by the type's schema, then checked strictly.

Finding JSON in a text is text/json.py's business. A required field is never invented, and a bool is no number.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from moot.text.clean import clean_json
from moot.text.faults import faults_of, short

M = TypeVar("M", bound=BaseModel)
Schema = Mapping[str, JsonValue]

_NOTHING = frozenset({"", "n/a", "na", "none", "null", "无", "没有"})
_TRUE = frozenset({"true", "yes", "是", "对"})
_FALSE = frozenset({"false", "no", "否", "不"})
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_LEVELS = 2
"""How often a string that holds JSON is opened."""


class Fitted(NamedTuple, Generic[M]):
    """A value, or the faults that kept the JSON from being one: a line each, path first."""

    value: M | None
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    """Keys that the type does not know."""


@dataclass(frozen=True, slots=True)
class _At:
    """A place in what is being fitted, and the notes of the whole fitting."""

    defs: Schema
    path: str = ""
    notes: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    def inner(self, step: str) -> "_At":
        """The place of a field or, with brackets, of an item."""
        dot = "." if self.path and not step.startswith("[") else ""
        return replace(self, path=f"{self.path}{dot}{step}")

    def note(self, what: str) -> None:
        """Notes a change that was made here."""
        self.notes.append(f"{self.path}: {what}")


def fit(raw: JsonValue, output: type[M], *, whole: bool = True) -> Fitted[M]:
    """`raw` as a value of this type. `whole=False`: an object that shares no key with the type is no answer."""
    schema = _schema(output)
    defs = schema.get("$defs")
    at = _At(defs if isinstance(defs, dict) else {})
    shaped = _as_object(raw, schema, at)
    fields = schema.get("properties")
    known = set(fields) if isinstance(fields, dict) else set[str]()
    if not isinstance(shaped, dict):
        return Fitted(None, faults=(f"got {short(shaped)}; an object is wanted",))
    if not whole and known and not known & shaped.keys():
        return Fitted(None, faults=(f"none of {', '.join(sorted(known))} is there",))
    ready = _coerced(shaped, schema, at)
    try:
        value = output.model_validate_json(clean_json(json.dumps(ready)), strict=True)
    except ValidationError as error:
        return Fitted(None, tuple(at.notes), faults_of(error, ready), tuple(at.dropped))
    return Fitted(value, tuple(at.notes), (), tuple(at.dropped))


def opened(text: str) -> JsonValue:
    """The JSON that a string holds; None when it holds none."""
    if text.strip()[:1] not in ("{", "[", '"'):
        return None
    try:
        inner: JsonValue = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return inner


def _as_object(raw: JsonValue, schema: Schema, at: _At) -> JsonValue:
    """The object in what was written: opened strings, a list of one, the one list field's items, a lone wrapper."""
    for _ in range(_LEVELS):
        inner = opened(raw) if isinstance(raw, str) else None
        if inner is None:
            break
        raw = inner
        at.notes.append("opened")
    fields = schema.get("properties")
    known: Schema = fields if isinstance(fields, dict) else {}
    if isinstance(raw, list):
        lists = [name for name, field in known.items() if "array" in _kinds(field, at)]
        if len(raw) == 1 and isinstance(raw[0], dict) and (known.keys() & raw[0].keys() or len(lists) != 1):
            return raw[0]
        if len(lists) == 1 and all(isinstance(item, dict) for item in raw):
            return {lists[0]: raw}
    if isinstance(raw, dict) and len(raw) == 1:
        (name, inside), *_ = raw.items()
        if name not in known and isinstance(inside, dict) and known.keys() & inside.keys():
            return inside
    return raw


def _coerced(raw: JsonValue, schema: object, at: _At) -> JsonValue:
    resolved = _resolved(schema, at)
    for key in ("anyOf", "oneOf"):
        ways = resolved.get(key)
        if isinstance(ways, list):
            told = {"aliases": resolved["aliases"]} if "aliases" in resolved else {}
            return _one_of(raw, [{**_resolved(way, at), **told} for way in ways], at)
    if "enum" in resolved or "const" in resolved:
        return _as_word(raw, resolved, at)
    kinds = {
        "object": _as_fields, "array": _as_items, "string": _as_text,
        "integer": _as_number, "number": _as_number, "boolean": _as_bool,
    }  # fmt: skip
    made = kinds.get(str(resolved.get("type")))
    return made(raw, resolved, at) if made else raw


def _one_of(raw: JsonValue, ways: list[Schema], at: _At) -> JsonValue:
    nullable = any(way.get("type") == "null" for way in ways)
    if nullable and (raw is None or (isinstance(raw, str) and raw.strip().casefold() in _NOTHING)):
        if raw is not None:
            at.note("nothing")
        return None
    rest = [way for way in ways if way.get("type") != "null"]
    if isinstance(raw, dict):
        return _coerced(raw, max(rest, key=lambda way: _likeness(raw, way, at)), at) if rest else raw
    direct = next((way for way in rest if _is_of(raw, way)), None)
    if direct is not None:
        return _coerced(raw, direct, at)
    for way in rest:
        tried = replace(at, notes=[], dropped=[])
        made = _coerced(raw, way, tried)
        if _is_of(made, way):
            at.notes.extend(tried.notes)
            at.dropped.extend(tried.dropped)
            return made
    return raw


def _likeness(raw: Mapping[str, JsonValue], way: Schema, at: _At) -> float:
    """How much an object is of this kind: a word it must hold and holds counts most, then the keys they share."""
    fields = way.get("properties")
    if not isinstance(fields, dict):
        return -1.0
    told = 0
    for name, wanted in fields.items():
        const = _resolved(wanted, at).get("const")
        if const is not None and name in raw:
            told += 100 if raw[name] == const else -100
    return told + len(fields.keys() & raw.keys()) - 0.01 * len(fields)


def _as_fields(raw: JsonValue, schema: Schema, at: _At) -> JsonValue:
    for _ in range(_LEVELS):
        if isinstance(raw, str) and (inner := opened(raw)) is not None:
            raw = inner
    if isinstance(raw, list) and len(raw) == 1 and isinstance(raw[0], dict):
        raw = raw[0]
    if not isinstance(raw, dict):
        return raw
    fields, extra, required = schema.get("properties"), schema.get("additionalProperties"), schema.get("required")
    known: Schema = fields if isinstance(fields, dict) else {}
    must = set(required) if isinstance(required, list) else set()
    made: dict[str, JsonValue] = {}
    for name, value in raw.items():
        if name in known:
            if value is None and name not in must and not _kinds(known[name], at) & {"null", "any"}:
                at.inner(name).note("null left out")
                continue
            made[name] = _coerced(value, known[name], at.inner(name))
        elif isinstance(extra, dict) or extra is True or (extra is None and not known):
            made[name] = _coerced(value, extra, at.inner(name)) if isinstance(extra, dict) else value
        else:
            at.dropped.append(at.inner(name).path)
    return made


def _as_items(raw: JsonValue, schema: Schema, at: _At) -> JsonValue:
    if isinstance(raw, str) and isinstance(inner := opened(raw), list):
        raw = inner
    if raw is None:
        return raw
    if not isinstance(raw, list):
        at.note("one item")
        raw = [raw]
    places, each = schema.get("prefixItems"), schema.get("items")
    ways = places if isinstance(places, list) else [each] * len(raw)
    return [
        _coerced(item, ways[place] if place < len(ways) else None, at.inner(f"[{place}]"))
        for place, item in enumerate(raw)
    ]


def _as_text(raw: JsonValue, schema: Schema, at: _At) -> JsonValue:
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        at.note("number as text")
        return json.dumps(raw)
    return raw


def _as_number(raw: JsonValue, schema: Schema, at: _At) -> JsonValue:
    made = raw
    if isinstance(raw, str):
        digits = raw.strip().removesuffix("%").rstrip()
        if len(digits) > 400 or not _NUMBER.fullmatch(digits):
            return raw
        plain = digits.replace(",", "")
        made = int(plain) if plain.lstrip("+-").isdigit() else float(plain)
        if raw.rstrip().endswith("%") and _is_share(schema):
            made = float(f"{made / 100:.12g}")
        at.note("text as number")
    if schema.get("type") == "integer" and isinstance(made, float) and made.is_integer():
        return int(made)
    return made


def _is_share(schema: Schema) -> bool:
    most = schema.get("maximum", schema.get("exclusiveMaximum"))
    return isinstance(most, int | float) and most <= 1


def _as_bool(raw: JsonValue, schema: Schema, at: _At) -> JsonValue:
    word = raw.strip().casefold() if isinstance(raw, str) else None
    if word in _TRUE or word in _FALSE:
        at.note("text as truth")
        return word in _TRUE
    return raw


def _as_word(raw: JsonValue, schema: Schema, at: _At) -> JsonValue:
    listed = schema.get("enum")
    words = listed if isinstance(listed, list) else [schema.get("const")]
    if raw in words or not isinstance(raw, str | int | float) or isinstance(raw, bool):
        return raw
    plain = _plain(raw)
    aliases = schema.get("aliases")
    if isinstance(aliases, dict):
        plain = _plain(next((said for alias, said in aliases.items() if _plain(alias) == plain), raw))
    found = next((word for word in words if _plain(word) == plain), None)
    if found is None:
        return raw
    at.note(f"{found}")
    return found


def _plain(word: JsonValue) -> str:
    return re.sub(r"[\s_-]+", "", str(word)).casefold()


def _is_of(raw: JsonValue, schema: Schema) -> bool:
    """True when the value's kind is the schema's, as it stands."""
    listed = schema.get("enum")
    if isinstance(listed, list) or "const" in schema:
        return raw in (listed if isinstance(listed, list) else [schema["const"]])
    kind = schema.get("type")
    if isinstance(raw, bool):
        return kind == "boolean"
    of: dict[str, type | tuple[type, ...]] = {
        "string": str, "integer": int, "number": (int, float), "array": list, "object": dict,
    }  # fmt: skip
    return kind is None or (str(kind) in of and isinstance(raw, of[str(kind)]))


def _kinds(schema: object, at: _At) -> set[str]:
    """The kinds of value that a field may hold."""
    resolved = _resolved(schema, at)
    for key in ("anyOf", "oneOf"):
        ways = resolved.get(key)
        if isinstance(ways, list):
            return {kind for way in ways for kind in _kinds(way, at)}
    if "enum" in resolved or "const" in resolved:
        return {"word"}
    return {str(resolved.get("type", "any"))}


def _resolved(schema: object, at: _At) -> Schema:
    if not isinstance(schema, dict):
        return {}
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    target = at.defs.get(reference.removeprefix("#/$defs/"))
    return {**(target if isinstance(target, dict) else {}), **schema}


@lru_cache(maxsize=256)
def _schema(output: type[BaseModel]) -> Schema:
    return output.model_json_schema()


def _refuse(constant: str) -> JsonValue:
    raise ValueError(f"{constant} is no JSON")
