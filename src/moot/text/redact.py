"""Covers secrets in what leaves: in errors, events, entries, reports and files. Which secrets there are is app/'s.

A configured secret is covered wherever it stands. What only looks like one (a header's value, `key=` in an address) is
covered in error texts alone: in a document about such headers it is a quotation, and stays.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from pydantic import JsonValue

COVER = "•••"
SHORTEST = 8
"""Characters; a shorter value is part of too many words to be covered."""
_NESTED = 3
"""How deep JSON stands within JSON: a call's arguments, in a reply, in a line of a cassette."""
_HEADER = re.compile(
    r"(?<![a-z])((?:authorization|(?:x-)?(?:goog-)?api[-_]key)[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?+)"
    r"[^\s\"',;}\])•]+",
    re.IGNORECASE,
)
_IN_ADDRESS = re.compile(r"([?&;](?:api[-_]?)?key=)[^&#\s\"'<>)•]+", re.IGNORECASE)
_PASSWORD = re.compile(r"(://[^\s/:@\"']*:)[^\s/@\"']+(?=@)")


@dataclass(frozen=True, slots=True)
class Secrets:
    """Values that must not be seen, ready to be looked for. Made by `secrets_of`."""

    forms: tuple[str, ...] = ()
    """As they may stand in a text: plainly, escaped as in JSON or in an address; the longest first."""
    in_bytes: tuple[bytes, ...] = ()

    def covered(self, text: str) -> str:
        """The text with every secret in it covered."""
        for form in self.forms:
            if form in text:
                text = text.replace(form, COVER)
        return text

    def covered_error(self, text: str) -> str:
        """An error's text with every secret in it covered, and with what looks like one."""
        return without_headers(self.covered(text))

    def covered_bytes(self, body: bytes) -> bytes:
        """UTF-8 with every secret in it covered; JSON stays JSON, as run/keys.py writes it. Where there is no secret it
        costs a look."""
        if not any(form in body for form in self.in_bytes):
            return body
        try:
            value: JsonValue = json.loads(body)
        except ValueError:
            for form in self.in_bytes:
                body = body.replace(form, COVER.encode())
            return body
        covered = self.covered_json(value)
        return json.dumps(covered, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()

    def covered_json(self, value: JsonValue) -> JsonValue:
        """The value with every secret in its texts covered."""
        if isinstance(value, str):
            return self.covered(value)
        if isinstance(value, list):
            return [self.covered_json(inner) for inner in value]
        if isinstance(value, dict):
            return {self.covered(name): self.covered_json(inner) for name, inner in value.items()}
        return value


def secrets_of(values: Iterable[str]) -> Secrets:
    """Secrets of these values; those under 8 characters are left out."""
    forms = {form for value in values if len(value) >= SHORTEST for form in _forms(value)}
    ordered = tuple(sorted(forms, key=lambda form: (-len(form), form)))
    return Secrets(ordered, tuple(form.encode("utf-8", "replace") for form in ordered))


def without_headers(text: str) -> str:
    """The text without the values of headers that hold keys, of `key=` in addresses, and of passwords in them."""
    for looks in (_HEADER, _IN_ADDRESS, _PASSWORD):
        text = looks.sub(rf"\1{COVER}", text)
    return text


def _forms(value: str) -> set[str]:
    forms = {value, quote(value, safe="")}
    for _ in range(_NESTED):
        forms |= {json.dumps(form, ensure_ascii=escaped)[1:-1] for form in forms for escaped in (True, False)}
    return forms
