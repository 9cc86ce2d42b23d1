"""Says what is wrong with a value, a line a fault, path first: `steps[2].step_type: got "search"; one of research`."""

import json

from pydantic import JsonValue, ValidationError
from pydantic_core import ErrorDetails


def faults_of(error: ValidationError, raw: JsonValue) -> tuple[str, ...]:
    """Every fault of `raw`, each once, in the order of its fields."""
    details = error.errors(include_url=False)
    return tuple(dict.fromkeys(_fault(detail, raw) for detail in details))


def _fault(detail: ErrorDetails, raw: JsonValue) -> str:
    path, here, kind, loc = "", raw, detail["type"], detail["loc"]
    for token in loc:
        if isinstance(token, int):
            path += f"[{token}]"
            here = here[token] if isinstance(here, list) and token < len(here) else None
        elif (isinstance(here, dict) and token in here) or (kind == "missing" and token == loc[-1]):
            path += f".{token}" if path else token
            here = here[token] if isinstance(here, dict) and token in here else None
        # anything else is pydantic's name for a member of a union, which the model never wrote
    what = "missing" if kind == "missing" else _wrong(kind, detail["msg"], detail["input"])
    return f"{path}: {what}" if path else what


def _wrong(kind: str, message: str, got: object) -> str:
    if kind in ("literal_error", "enum"):
        words = message.removeprefix("Input should be ").replace("'", "").replace(" or ", ", ")
        return f"got {short(got)}; one of {words}"
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    return f"got {short(got)}; {message[:1].lower()}{message[1:].replace('Input ', '')}".replace(
        "input should", "should"
    )


def short(value: object) -> str:
    """A value as JSON, cut to 80 characters."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    return written if len(written) <= 80 else f"{written[:77]}…"
