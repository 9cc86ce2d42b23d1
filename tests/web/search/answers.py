"""What each engine's documents say it answers to a question with two results, and what comes of it: recorded/*.json."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue, TypeAdapter

_FOLDER = Path(__file__).parent / "recorded"


class Recorded(NamedTuple):
    """`asked`: what must be in the first request; `answers`: bodies in order; `found`: (url, title, date) of each."""

    asked: tuple[str, ...]
    answers: tuple[bytes, ...]
    found: tuple[tuple[str, str, str], ...]
    nothing: tuple[bytes, ...]
    """Bodies of an answer with no results."""


class _File(NamedTuple):
    asked: tuple[str, ...]
    answers: tuple[JsonValue, ...]
    found: tuple[tuple[str, str, str], ...]
    nothing: tuple[JsonValue, ...]


def _read(path: Path) -> Recorded:
    file = TypeAdapter(_File).validate_json(path.read_bytes())
    return Recorded(file.asked, tuple(map(_body, file.answers)), file.found, tuple(map(_body, file.nothing)))


def _body(answer: JsonValue) -> bytes:
    """A string is the body as it stands (HTML, XML); anything else its JSON."""
    return answer.encode() if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False).encode()


RECORDED: Mapping[str, Recorded] = {path.stem: _read(path) for path in sorted(_FOLDER.glob("*.json"))}
