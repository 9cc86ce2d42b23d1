"""Makes the arguments' type of a tool from a JSON schema that somebody else wrote.

Its top level is checked here, all faults at once; what lies deeper its owner checks.
"""

import copy
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

_KINDS: dict[object, Any] = {
    "string": str, "integer": int, "number": float, "boolean": bool, "null": None,
    "array": list[JsonValue], "object": dict[str, JsonValue],
}  # fmt: skip


class FromSchema(BaseModel):
    """Arguments whose schema is not ours. `given` holds what was given, by the names of the schema."""

    model_config = ConfigDict(extra="allow", serialize_by_alias=True, protected_namespaces=())
    told: ClassVar[dict[str, JsonValue]] = {}

    @classmethod
    def model_json_schema(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """The schema as it was written: what a model is told, and what its arguments are fitted to."""
        return copy.deepcopy(cls.told)

    @property
    def given(self) -> dict[str, JsonValue]:
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


def arguments_from(name: str, schema: dict[str, JsonValue]) -> type[FromSchema]:
    """The type of arguments that fit the schema."""
    fields, required = schema.get("properties"), schema.get("required")
    must = set(required) if isinstance(required, list) else set()
    made: dict[str, Any] = {}
    for place, (field, wanted) in enumerate((fields if isinstance(fields, dict) else {}).items()):
        kind, default = _kind(wanted), ... if field in must else None
        made[f"field_{place}"] = (kind if field in must else kind | None, Field(default, alias=field))
    base = type(f"{name}_schema", (FromSchema,), {"told": schema, "__module__": __name__})
    return cast("type[FromSchema]", create_model(f"{name}_arguments", __base__=base, **made))


def _kind(schema: JsonValue) -> Any:
    """The Python type of what a schema's field holds; anything where it says no more than we can check."""
    if not isinstance(schema, dict):
        return JsonValue
    words = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(words, list) and words:
        plain = all(isinstance(word, str | int | bool | None) for word in words)
        return Literal[tuple(words)] if plain else JsonValue
    ways = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(ways, list) and ways:
        return reduce(or_, map(_kind, ways))
    kinds = schema.get("type")
    known = [_KINDS[kind] for kind in (kinds if isinstance(kinds, list) else [kinds]) if kind in _KINDS]
    return reduce(or_, known) if known else JsonValue
