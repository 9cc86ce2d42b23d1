"""Reads what a package's client raises: what it means, and what is done about it. Its own classes: providers.toml."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import orjson
from pydantic import JsonValue, TypeAdapter, ValidationError

from moot.models.wire.faults import Fault, fault_by, fault_in, one_line, sent_on, words_of
from moot.values.errors import ModelCode

_ANY: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)
_AGAIN: frozenset[ModelCode] = frozenset({"unavailable", "timeout", "rate_limited"})
_KINDS: Mapping[str, ModelCode] = {
    "ContextOverflowError": "too_long", "ModelAuthenticationError": "auth", "ModelPermissionDeniedError": "auth",
    "ModelNotFoundError": "not_found", "ModelRateLimitError": "rate_limited", "ModelRefusalError": "refused",
    "ModelTimeoutError": "timeout", "ModelConnectionError": "unavailable", "ModelAPIError": "unavailable",
    "TimeoutException": "timeout", "TimeoutError": "timeout", "ReadTimeoutError": "timeout",
    "TransportError": "unavailable", "ConnectionError": "unavailable", "HTTPClientError": "unavailable",
}  # fmt: skip
"""What LangChain names errors of whatever provider, and what transports do, by the name of a class."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What an exception says of a server's answer."""

    status: int
    headers: Mapping[str, str]
    body: JsonValue


def fault_from(failed: BaseException, errors: Mapping[str, ModelCode], *, sent: Collection[str]) -> Fault:
    """What an exception means. `errors`: our codes by the full names of the package's classes; `sent`: parameters."""
    codes: Iterator[ModelCode | None] = (_code(one, errors) for one in _chain(failed))
    code = next((one for one in codes if one is not None), None)
    told = next(filter(None, map(_told, _chain(failed))), None)
    if told is not None and (fault := sent_on(told.status, told.headers)):
        return fault
    if told is not None and code == "too_long":
        words = one_line(" ".join(words_of(told.body)))
        return Fault(code, words.rstrip("."), told.status, window=_window(words))
    if told is not None:
        fault = fault_in(told.body)
        if told.status >= 400:
            fault = fault_by(told.status, told.headers, told.body, sent=sent)
        return replace(fault, wait_s=_retry_delay(told.body)) if fault.wait_s is None else fault
    words = one_line(f"{type(failed).__name__}: {failed}")
    if code is None:
        return Fault("malformed", words, again="once")
    return Fault(code, words, again="wait" if code in _AGAIN else "no")


def _chain(failed: BaseException) -> Iterator[BaseException]:
    """An exception and those that it was raised from: packages wrap their own."""
    seen: list[BaseException] = []
    one: BaseException | None = failed
    while one is not None and one not in seen and len(seen) < 5:
        seen.append(one)
        yield one
        one = one.__cause__ or one.__context__


def _told(failed: Any) -> _Told | None:
    """The status, headers and body that an exception carries; None when it carries no status."""
    held = getattr(failed, "response", None)
    if isinstance(held, dict):  # botocore
        beside = held.get("ResponseMetadata", {})
        return _Told(
            int(beside.get("HTTPStatusCode") or 400),
            beside.get("HTTPHeaders", {}),
            {"error": _plain(held.get("Error"))},
        )
    status = next((code for name in ("status_code", "code") if isinstance(code := getattr(failed, name, None), int)), 0)
    if not status or status < 100:
        return None
    headers = {str(name).lower(): str(value) for name, value in dict(getattr(held, "headers", None) or {}).items()}
    body = next((body for name in ("body", "details", "error") if (body := getattr(failed, name, None))), str(failed))
    return _Told(status, headers, _plain(body))


def _plain(body: object) -> JsonValue:
    """A body as plain values; one that is text is read where it is JSON."""
    if isinstance(body, str):
        try:
            value: JsonValue = orjson.loads(body)
        except orjson.JSONDecodeError:
            return {"error": {"message": body}}
        return value
    try:
        return _ANY.validate_python(body)
    except ValidationError:
        return {"error": {"message": str(body)}}


def _code(failed: BaseException, errors: Mapping[str, ModelCode]) -> ModelCode | None:
    """Our code for an exception, by its classes, nearest first."""
    for kind in type(failed).__mro__:
        code = errors.get(f"{kind.__module__}.{kind.__qualname__}") or _KINDS.get(kind.__name__)
        if code is not None:
            return code
    return None


def _window(words: str) -> int | None:
    """What Anthropic and Google say that a model holds."""
    found = re.search(r"> (\d{1,12}) maximum|tokens allowed \((\d{1,12})\)", words)
    return int(found[1] or found[2]) if found else None


def _retry_delay(body: JsonValue) -> float | None:
    """Google's word on when to come again: `"retryDelay": "34s"` among an error's details."""
    try:
        written = orjson.dumps(body)
    except orjson.JSONEncodeError:  # too deep, or with a lone surrogate
        return None
    found = re.search(rb'"retryDelay":"(\d{1,9}(?:\.\d{1,9})?)s"', written)
    return float(found[1]) if found else None
