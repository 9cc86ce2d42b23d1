"""Keys, digests and what is computed from them: the same in a first walk, a second one, a replay and a fork.

    key     := node "#" visit [ "/" sibling ] { "/" part "#" n [ "/" sibling ] } "/" kind "#" n

Which scope is open, and its counters, are run/scope.py's business.
"""

import base64
import hashlib
import json
import random
import re
from collections.abc import Mapping

from pydantic import BaseModel, JsonValue

from moot.values.value import Key, QuestionId, RunId

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
MAX_KEY = 200


def canonical(value: JsonValue) -> bytes:
    """JSON as everything kept is written: sorted keys, no blanks, UTF-8, no NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def body_of(value: BaseModel) -> bytes:
    """A value as it is kept."""
    return canonical(value.model_dump(mode="json"))


def request_of(kind: str, request: Mapping[str, JsonValue]) -> bytes:
    """What is kept of a request, and what its digest is made of."""
    return canonical({"kind": kind, "request": dict(request)})


def digest_of(body: bytes) -> str:
    """SHA-256 of bytes, in hex."""
    return hashlib.sha256(body).hexdigest()


def idempotency_key(run: RunId, key: Key, rev: int) -> str:
    """The first 32 hex digits of sha256(run, key, rev): the same each time one call is tried, sent to providers."""
    return hashlib.sha256(f"{run}\n{key}\n{rev}".encode()).hexdigest()[:32]


def question_id(run: RunId, key: Key) -> QuestionId:
    """A question's id, made of the run's own id, so that a fork's questions are its own."""
    return QuestionId(f"q_{_base32(run, key)}")


def computed_id(prefix: str, seed: str, key: str) -> str:
    """`prefix_` and 16 characters that follow from seed and key."""
    return f"{prefix}_{_base32(seed, key)}"


def computed_chance(seed: str, key: str) -> random.Random:
    """A generator that follows from seed and key."""
    return random.Random(int(hashlib.sha256(f"{seed}\n{key}".encode()).hexdigest(), 16))


def _base32(seed: str, key: str) -> str:
    return base64.b32encode(hashlib.sha256(f"{seed}\n{key}".encode()).digest()).decode().lower()[:16]


def task_of(key: str) -> str:
    """The part of a key that names one visit of one node: `investigate#1` of `investigate#1/2/model#3`."""
    return key.split("/", 1)[0]


def is_under(key: str, path: str) -> bool:
    """True when the key lies in the scope, or in one beneath it."""
    return key.startswith(f"{path}/") if path else True


def first_difference(kept: bytes, asked: bytes) -> str:
    """Where two requests differ first: `messages[0].content, character 812`."""
    one, other = json.loads(kept), json.loads(asked)
    if isinstance(one, dict) and isinstance(other, dict) and one.get("kind") == other.get("kind"):
        return _difference(one.get("request"), other.get("request"), "") or "nothing"
    return "kind"


def _difference(one: JsonValue, other: JsonValue, path: str) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            inner = f"{path}.{name}" if path else name
            if (name in one) != (name in other):
                return f"{inner}, {'missing now' if name in one else 'new'}"
            if found := _difference(one[name], other[name], inner):
                return found
        return ""
    if isinstance(one, list) and isinstance(other, list):
        for place, (before, after) in enumerate(zip(one, other, strict=False)):
            if found := _difference(before, after, f"{path}[{place}]"):
                return found
        return "" if len(one) == len(other) else f"{path}, {len(one)} kept, {len(other)} now"
    if isinstance(one, str) and isinstance(other, str) and one != other:
        same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        return f"{path}, character {same}"
    return "" if one == other and type(one) is type(other) else path
