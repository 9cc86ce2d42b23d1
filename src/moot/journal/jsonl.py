"""A run's journal as lines of JSON, a cassette: written from a run, read into a journal in memory to be replayed.

Line 1 tells what was started and how it ended; then one line an entry, sorted by key, bodies inline. Times, tries and
epochs are left out: they decide nothing in a replay, and one run's cassette is the same bytes at every export.
"""

import asyncio
import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Literal, TypeVar

from pydantic import JsonValue, ValidationError

from moot.journal.clock import Clock, new_holder
from moot.journal.port import Journal
from moot.journal.records import Entry, Failure, Kind, NewRun, RunRecord, State
from moot.journal.sqlite import SqliteJournal
from moot.values.errors import RunRefused, SettingWrong
from moot.values.events import Ended
from moot.values.runs import OVER, Ending, Status
from moot.values.usage import Limits, Usage
from moot.values.value import Key, RunId, Value

V = TypeVar("V", bound=Value)


class Head(Value):
    """Line 1."""

    format: Literal[1] = 1
    team: str
    question: str
    settings: dict[str, JsonValue]
    limits: Limits
    seed: str
    run: RunId
    code: str = ""
    created_at: datetime
    status: Status
    reason: str
    ending: Ending | None = None
    report: str = ""
    """SHA-256 of the report that a replay must come to."""


class Line(Value):
    """An entry. A body stands in the field that gives its very bytes back: as JSON, as text, or as base64."""

    key: Key
    seq: int
    kind: Kind
    effect: Literal["read", "write"] = "read"
    digest: str
    state: State
    request: JsonValue = None
    request_text: str | None = None
    request_base64: str | None = None
    reply: JsonValue = None
    reply_text: str | None = None
    reply_base64: str | None = None
    failure: Failure | None = None
    usage: Usage | None = None
    carried: bool = False


async def write_cassette(journal: Journal, run: RunId, secrets: Mapping[str, str] | None = None) -> Iterator[str]:
    """The lines of a run's cassette, each ending in a newline. `secrets`: configured values by their settings' names.

    Raises RunRefused(not_accepted) when one of them occurs anywhere, naming where.
    """
    record = await journal.run(run)
    if record.forgotten:
        raise RunRefused(f"run_forgotten: {run} was forgotten.", code="run_forgotten")
    ended = sorted((entry for entry in await journal.entries(run) if entry.state != "begun"), key=lambda one: one.key)
    lines = {"its first line": _as_line(_head(record))} | {entry.key: _as_line(_line(entry)) for entry in ended}
    bodies = {str(entry.key): entry.request + (entry.reply or b"") for entry in ended}
    for name, secret in (secrets or {}).items():
        where = _where(secret, lines, bodies) if secret else None
        if where:
            said = f"not_accepted: the value of {name} occurs in {run} at {where}; nothing was written."
            raise RunRefused(said, code="not_accepted")
    return iter(lines.values())


async def read_cassette(lines: Iterable[str], *, clock: Clock | None = None) -> SqliteJournal:
    """A journal in memory with the run of a cassette. Raises SettingWrong, naming the line that cannot be read."""
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise SettingWrong("setting_wrong: the cassette is empty.")
    head = _read(Head, *numbered[0])
    entries = [_entry(head.run, number, _read(Line, number, line)) for number, line in numbered[1:]]
    journal = await SqliteJournal.open(":memory:", clock=clock)
    new = NewRun(
        id=head.run, team=head.team, question=head.question, settings=head.settings, limits=head.limits, seed=head.seed,
        code=head.code, created_at=head.created_at,
    )  # fmt: skip
    await journal.start(new)
    claim = await journal.claim(head.run, new_holder())
    await asyncio.gather(*(journal.keep(claim, entry) for entry in entries))
    status: Status = head.status if head.status in OVER else "queued"
    await journal.end(
        claim, Ended(status=status, reason=head.reason, ending=head.ending), report=head.report, held=status == "queued"
    )
    return journal


def _where(secret: str, lines: Mapping[str, str], bodies: Mapping[str, bytes]) -> str | None:
    """Where a secret stands: in a line, or in a body that its line holds in base64."""
    forms, plain = _forms(secret), secret.encode("utf-8")
    for where, line in lines.items():
        if any(form in line for form in forms) or plain in bodies.get(where, b""):
            return where
    return None


def _head(record: RunRecord) -> Head:
    same = record.model_dump(include=set(Head.model_fields) - {"format", "run"})
    return Head(run=record.id, **same)


def _line(entry: Entry) -> Line:
    same = entry.model_dump(include={"key", "seq", "kind", "effect", "digest", "state", "failure", "usage", "carried"})
    return Line(**same, **_inline("request", entry.request), **_inline("reply", entry.reply))


def _entry(run: RunId, number: int, line: Line) -> Entry:
    request = _body(line.request, line.request_text, line.request_base64)
    if request is None:
        raise SettingWrong(f"setting_wrong: line {number} of the cassette has no request.")
    same = line.model_dump(include={"key", "seq", "kind", "effect", "digest", "state", "failure", "usage", "carried"})
    reply = _body(line.reply, line.reply_text, line.reply_base64)
    return Entry(run=run, epoch=1, begun_at=0.0, request=request, reply=reply, **same)


def _inline(name: str, body: bytes | None) -> dict[str, JsonValue]:
    """A body under the field that gives its bytes back."""
    if body is None:
        return {}
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return {f"{name}_base64": base64.b64encode(body).decode("ascii")}
    try:
        value: JsonValue = json.loads(text)
        same = value is not None and _compact(value) == body
    except ValueError:  # no JSON, or a number that JSON has no word for
        same = False
    return {name: value} if same else {f"{name}_text": text}


def _body(value: JsonValue, text: str | None, coded: str | None) -> bytes | None:
    if text is not None:
        return text.encode("utf-8")
    if coded is not None:
        return base64.b64decode(coded)
    return _compact(value) if value is not None else None


def _compact(value: JsonValue) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")


def _as_line(value: Value) -> str:
    """A line without the fields that are not there; what is None inside a body stays."""
    written = {name: field for name, field in value.model_dump(mode="json").items() if field is not None}
    return json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n"


def _read(kind: type[V], number: int, line: str) -> V:
    try:
        return kind.model_validate(json.loads(line))
    except ValidationError as error:
        first = error.errors()[0]
        why = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    except ValueError as error:
        why = f"no JSON: {error}"
    raise SettingWrong(f"setting_wrong: line {number} of the cassette cannot be read: {why}.")


def _forms(secret: str) -> frozenset[str]:
    """A secret as it may stand in a line: plainly, or escaped as JSON within JSON within JSON escapes it."""
    forms = {secret}
    for _ in range(3):
        forms |= {json.dumps(form, ensure_ascii=escaped)[1:-1] for form in forms for escaped in (True, False)}
    return frozenset(forms)
