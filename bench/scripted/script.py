"""The script of the server: the lines of a ScriptedModel, and what is odd about the wire they are said over.

A file that drives a ScriptedModel drives the server too, and so the other way as long as nothing of the wire is named.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from pydantic import Field, JsonValue, TypeAdapter, field_validator, model_validator

from bench.scripted.faults import FAULTS
from bench.scripted.quirks import QUIRKS
from bench.scripted.strict import PARAMETERS
from moot.models.port import Profile
from moot.models.scripted import Line
from moot.values.value import Value


class WireLine(Line):
    """One thing the model says, and how it comes over the wire."""

    quirk: str | tuple[str, ...] = ()
    """Names of quirks (quirks.py), in the order in which they are applied, or of one fault (faults.py)."""
    status: int = Field(200, ge=100, le=599)
    """Anything but 200: an error of this status, in OpenAI's words, unless `body` says others."""
    retry_after: float | str | None = None
    """The header of that name."""
    headers: dict[str, str] = {}
    body: JsonValue = None
    """What is sent in place of a reply: a text as it is, anything else as JSON."""
    token_delay_s: float | None = Field(None, ge=0)
    """Seconds between two chunks; none: the script's."""

    @property
    def quirks(self) -> tuple[str, ...]:
        return (self.quirk,) if isinstance(self.quirk, str) else self.quirk

    @field_validator("quirk")
    @classmethod
    def _known(cls, quirk: str | tuple[str, ...]) -> str | tuple[str, ...]:
        unknown = {quirk} if isinstance(quirk, str) else set(quirk)
        if unknown := unknown - QUIRKS.keys() - FAULTS.keys():
            raise ValueError(f"there is no quirk {', '.join(sorted(unknown))}")
        return quirk


class WireScript(Value):
    """A script: `{"lines": […], …}`, or the list of lines alone."""

    lines: tuple[WireLine, ...] = ()
    profile: Profile = Profile()
    """What the model can do: the server refuses what it cannot."""
    count_path: str = ""
    """A file that gets a line for each call."""
    bodies_path: str = ""
    """A file that gets the body of each request, one a line."""
    window: int = Field(0, ge=0)
    """Tokens of the longest prompt that is taken; 0: any."""
    window_told: bool = True
    """False: who is refused for it is not told how many tokens would be taken."""
    refuses: tuple[str, ...] = ()
    """Parameters that the server does not know, beside what the profile lacks (strict.py: PARAMETERS)."""
    quirk: str | tuple[str, ...] = ()
    """Of every reply that has none of its own."""
    lenient: bool = False
    """True: messages out of order are taken."""
    api_key: str = ""
    """Anything but ``: whoever has another one gets 401."""
    models: tuple[str, ...] = ("scripted",)
    latency_s: float = Field(0.0, ge=0)
    """Seconds before a reply begins, beside its line's `delay_s`."""
    token_delay_s: float = Field(0.0, ge=0)
    cuts: int | None = None
    """A seed: the bytes of a reply are sent in random pieces."""

    @model_validator(mode="after")
    def _known(self) -> Self:
        WireLine(quirk=self.quirk)
        if unknown := set(self.refuses) - PARAMETERS.keys():
            raise ValueError(f"no server refuses {', '.join(sorted(unknown))}")
        return self


_SCRIPT = TypeAdapter(WireScript)


def read_script(path: Path) -> WireScript:
    """The script in a file. Raises ValueError, which a pydantic error is too."""
    raw: JsonValue = json.loads(path.read_bytes())
    return _SCRIPT.validate_json(json.dumps({"lines": raw} if isinstance(raw, list) else raw))


def lines(*said: Mapping[str, JsonValue]) -> WireScript:
    """A script of these lines; in tests."""
    return WireScript(lines=tuple(WireLine.model_validate(line) for line in said))
