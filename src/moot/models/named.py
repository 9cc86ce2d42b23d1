"""How a person names a model: `provider:model`, or at length. Opening what was named is models/chosen.py's business."""

import json

from pydantic import Field, JsonValue, model_serializer, model_validator
from pydantic_core import PydanticCustomError

from moot.models.rate import Rate
from moot.models.wire.endpoint import Timeouts
from moot.values.value import Value


class Named(Value):
    """A model as the settings name it; the text `provider:model` alone is one too. It holds no key."""

    model: str = ""
    """`provider:model`; `` names none."""
    base_url: str = ""
    """Where it is reached, when that is not its provider's own address."""
    api_key_env: str = ""
    """The variable that holds its key, when that is not its provider's own."""
    temperature: float | None = Field(None, ge=0, le=2, allow_inf_nan=False)
    max_output_tokens: int | None = Field(None, ge=1)
    """Tokens of one reply at most."""
    timeout_s: float | None = Field(None, gt=0, allow_inf_nan=False)
    """Seconds that a whole call may take."""
    connect_s: float | None = Field(None, gt=0, allow_inf_nan=False)
    """Seconds until its server is connected."""
    first_s: float | None = Field(None, gt=0, allow_inf_nan=False)
    """Seconds until the first piece of a reply."""
    idle_s: float | None = Field(None, gt=0, allow_inf_nan=False)
    """Seconds between two pieces."""
    extra: dict[str, JsonValue] = {}
    """Goes into every request as it is: `{enable_thinking = false}`."""
    rate: Rate | None = None
    """What its provider allows."""
    fallback: tuple["Named", ...] = ()
    """Who answers when this one cannot, in that order."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, given: object) -> object:
        """A text is a name; one that begins with `{` is the long form, as a variable holds it."""
        if not isinstance(given, str):
            return given
        if not given.lstrip().startswith("{"):
            return {"model": given.strip()}
        try:
            return json.loads(given)
        except ValueError as wrong:
            raise PydanticCustomError(
                "no_object", "is no JSON object: {why}", {"why": str(wrong), "zh": f"不是 JSON 对象：{wrong}"}
            ) from wrong

    @model_serializer(mode="plain")
    def _as_text(self) -> str | dict[str, JsonValue]:
        """The name alone where nothing more was said."""
        said: dict[str, JsonValue] = {}
        for name, field in type(self).model_fields.items():
            value: JsonValue | Rate | tuple[Named, ...] = getattr(self, name)
            if name == "model" or value != field.default:
                said[name] = _plain(value)
        return self.model if said.keys() <= {"model"} else said


def timeouts_of(named: Named) -> Timeouts:
    """How long its server may take: as was said, else as usual."""
    said = {
        "whole_s": named.timeout_s, "connect_s": named.connect_s, "first_s": named.first_s,
        "first_reasoning_s": named.first_s, "idle_s": named.idle_s,
    }  # fmt: skip
    return Timeouts(**{name: seconds for name, seconds in said.items() if seconds is not None})


def _plain(value: JsonValue | Rate | tuple[Named, ...]) -> JsonValue:
    if isinstance(value, Rate):
        return value.model_dump(mode="json", exclude_defaults=True)
    return [one._as_text() for one in value] if isinstance(value, tuple) else value
