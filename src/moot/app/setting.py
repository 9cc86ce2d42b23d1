"""How a setting is declared: a field whose flag, variable, line of settings.toml, help and range stand with it."""

from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo

MOST = 1_000_000_000_000
"""Of tokens, dollars, seconds and calls: beyond it a number is a slip of the finger."""


def setting(
    default: Any,  # whatever the field holds, as in pydantic's own Field
    flag: str,
    english: str,
    *,
    zh: str,
    file: str = "",
    least: float | None = None,
) -> Any:
    """A field of `Settings`. `flag` `` when the command line has none; `file` is its place in settings.toml when it is
    not named as the flag; `least` bounds a number, which is then none beyond what anybody means, nan and inf."""
    made: FieldInfo = Field(
        default,
        ge=least,
        le=MOST if least is not None else None,
        allow_inf_nan=False if least is not None else None,
        json_schema_extra={"flag": flag, "file": file, "help": {"en": english, "zh": zh}},
    )
    return made
