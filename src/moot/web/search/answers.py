"""Reads what an engine answered: JSON with the shape its documents give, or `malformed`. Engines are engines/."""

from collections.abc import Iterator, Mapping, Sequence

import orjson
from pydantic import JsonValue

from moot.web.search.engine import EngineFailed, Hit


def json_of(body: bytes) -> JsonValue:
    """The JSON of an answer. Raises EngineFailed("malformed")."""
    try:
        found: JsonValue = orjson.loads(body)
    except orjson.JSONDecodeError as wrong:
        begun = body[:60].decode("utf-8", "replace")
        raise EngineFailed("malformed", f"its answer is no JSON but {begun!r}") from wrong
    return found


def rows(answer: JsonValue, *path: str) -> Iterator[Mapping[str, JsonValue]]:
    """The objects of the list at a path; none where the path ends early. Raises EngineFailed for another shape."""
    here = answer
    for name in path:
        if not isinstance(here, dict):
            raise EngineFailed("malformed", f"its answer holds no {'.'.join(path)}")
        here = here.get(name)
        if here is None:
            return
    if not isinstance(here, list):
        raise EngineFailed("malformed", f"its answer's {'.'.join(path)} is no list")
    yield from (row for row in here if isinstance(row, dict))


def text(row: Mapping[str, JsonValue], *names: str) -> str:
    """The first of these fields that holds words."""
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def hits(found: Iterator[Mapping[str, JsonValue]], names: Sequence[Sequence[str]]) -> list[Hit]:
    """The results of rows with url, title, snippet and date under these names; a row without an address falls out."""
    url, title, snippet, published = names
    read = [Hit(text(row, *url), text(row, *title), text(row, *snippet), text(row, *published)[:10]) for row in found]
    return [hit for hit in read if hit.url]
