"""Reads what a server says in place of a reply: what it means, and what is done about it. Doing it is model.py's."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import orjson
from pydantic import JsonValue

from moot.models.retry import asked_wait
from moot.values.errors import ModelCode

Again = Literal["wait", "once", "lowered", "no"]
MOST_WORDS = 300
_HOST = re.compile(r"(?:https?:)?//(?:[^/?#@]*@)?([^/?#@]+)", re.IGNORECASE)
_STATUS = re.compile(r"[1-9]\d\d", re.ASCII)
_WAITED_FOR = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|credits?|funds)|balance (?:is )?insufficient|overdue"
    r"|billing|exceeded your current quota|payment required"
    r"|arrearage|余额不足|欠费|额度不足|out of credits",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[_ ]?filter|content management policy|content[_ ]policy|data_?inspection|inappropriate content|high risk"
    r"|flagged|sensitive|safety (?:system|policy)|敏感|违规|不安全",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"(?:incorrect|invalid|wrong|expired) api[_ ]?key|api[_ ]?key (?:is )?(?:not valid|invalid)", re.IGNORECASE
)
_NO_MODEL = re.compile(
    r"model[_ ]not[_ ]found|model (?:'[^']*' |`[^`]*` |\"[^\"]*\" |\S+ )?(?:does not|doesn't) exist"
    r"|no such model|unknown model"
    r"|model not found|not a valid model|invalid model|model (?:is )?not (?:available|supported)"
    r"|模型不存在|model .{0,80}not found",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"request too large for|token limit|range of input length|context[_ ]length"
    r"|context[_ ]window|maximum context|too many tokens|prompt is too long|input is too long"
    r"|exceeds? the (?:maximum|available) context|超出最大长度|超过最大长度|上下文长度|输入过长|长度限制",
    re.IGNORECASE,
)
_WINDOW = re.compile(
    r"(?:context (?:length|window|size) (?:is|of|\()\s*|cannot exceed |at most "
    r"|token limit: |length should be \[\d+, |limit(?: is| of)? |maximum (?:of )?)"
    r"(\d[\d,]{2,14})",
    re.IGNORECASE,
)
_UNSUPPORTED = re.compile(
    r"unsupported|not support|found that support|n't support|response_format\S* must be"
    r"|unknown|unrecognized|unexpected|extra (?:inputs|fields)|not permitted"
    r"|not allowed|only supported by|must alternate|not available|does not accept|not enabled|requires?\b"
    r"|不支持|无效的参数|too large",
    re.IGNORECASE,
)
PARAMETERS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(words, re.IGNORECASE))
    for name, words in (
        ("response_format", r"response_?format|json_schema|json_object|json mode|structured output"),
        ("tool_choice", r"tool[_ ]choice"),
        ("parallel_tool_calls", r"parallel[_ ]tool[_ ]calls"),
        ("stream_options", r"stream_options|include_usage"),
        ("max_completion_tokens", r"'?max_completion_tokens'? is not|parameter: '?max_completion_tokens"),
        ("max_tokens", r"\bmax_tokens"),
        ("image_url", r"image_url|image input|images? (?:is|are) not|vision|图片"),
        ("system", r"system (?:role|message|prompt)|'system'|must alternate|messages\[0\]\.role|developer instruction"),
        ("tools", r"\btools?\b|tool use|function call|functions"),
        ("temperature", r"temperature"),
        ("stream", r"'?\bstream(?:ing)?\b'?"),
    )
)
"""What may be refused, and the words it goes by; the narrower ones first. Any other one goes by its own name."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no reply, and what may be done."""

    code: ModelCode
    words: str = ""
    """What the provider said, on one line."""
    status: int = 0
    again: Again = "no"
    """`wait`: after a while, a few times; `once`: one more time; `lowered`: without `parameter`."""
    wait_s: float | None = None
    """What the provider asks for."""
    parameter: str = ""
    window: int | None = None
    """What the provider says that it can hold, in tokens."""


class Failed(Exception):
    """An attempt failed. It never leaves this folder."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


def fault_of(status: int, headers: Mapping[str, str], body: bytes, *, sent: Collection[str] = ()) -> Fault:
    """What a status and a body mean. `sent`: the parameters of the request."""
    error = _loaded(body)
    told = one_line(" ".join(words_of(error)) or _title(body)).rstrip(".。")
    return _judged(status, headers, error, told=told, sent=sent)


def fault_by(status: int, headers: Mapping[str, str], error: JsonValue, *, sent: Collection[str] = ()) -> Fault:
    """The same of an error that is read already."""
    try:
        body = orjson.dumps(error)
    except orjson.JSONEncodeError:  # too deep, or with a lone surrogate
        body = b""
    told = one_line(" ".join(words_of(error)) or _title(body)).rstrip(".。")
    return _judged(status, headers, error, told=told, sent=sent)


def _judged(
    status: int, headers: Mapping[str, str], error: JsonValue, *, told: str, sent: Collection[str] = ()
) -> Fault:
    said = f"{told} {' '.join(codes_of(error))}"
    if status == 402 or (status in (400, 403, 429) and _QUOTA.search(said)):
        return Fault("quota", told, status)
    if status in (400, 403, 422) and _FILTERED.search(said):
        return Fault("refused", told, status)
    if status in (401, 403) or (status == 400 and _NO_KEY.search(said)):
        return Fault("auth", told, status)
    if status in (400, 413, 422) and _TOO_LONG.search(said):
        return Fault("too_long", told, status, window=_window(said))
    if status in (400, 404, 422) and (parameter := refused_parameter(error, said, sent)):
        return Fault("malformed", told, status, again="lowered", parameter=parameter)
    if status == 404 or (status in (400, 422) and _NO_MODEL.search(said)):
        return Fault("not_found", told, status)
    if status in _WAITED_FOR:
        code: ModelCode = "rate_limited" if status == 429 else "timeout" if status == 408 else "unavailable"
        return Fault(code, told, status, again="wait", wait_s=asked_wait(headers))
    return Fault("unavailable" if status >= 500 else "malformed", told, status)


def fault_in(error: JsonValue) -> Fault:
    """What an error object means that came with status 200."""
    told = one_line(" ".join(words_of(error))).rstrip(".。")
    said = f"{told} {' '.join(codes_of(error))}"
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) else int(code) if isinstance(code, str) and _STATUS.fullmatch(code) else 0
    if _QUOTA.search(said):
        return Fault("quota", told, status)
    if _TOO_LONG.search(said):
        return Fault("too_long", told, status, window=_window(said))
    if 400 <= status < 600:
        return _judged(status, {}, error, told=told)
    limited = re.search(r"rate.?limit", said, re.IGNORECASE)
    return Fault("rate_limited" if limited else "unavailable", told, status, again="wait")


def sent_on(status: int, headers: Mapping[str, str]) -> Fault | None:
    """A server that sends a request on to another, which is not asked: the key would go with it; None: it does not."""
    if not 300 <= status < 400:
        return None
    host = _HOST.match(headers.get("location", ""))
    return Fault("malformed", f"it sends requests {f'on to {one_line(host[1])}' if host else 'elsewhere'} ({status})")


def refused_parameter(error: JsonValue, said: str, sent: Collection[str]) -> str:
    """The parameter of the request that a server does not take, by the error's field or by its words; `` for none."""
    named = next((name for name in _named(error) if name), "")
    if not _UNSUPPORTED.search(said) and not named:
        return ""
    for where in (named, said) if named else (said,):
        for name, words in PARAMETERS:
            if name in sent and words.search(where):
                return name
        known = {name for name, _ in PARAMETERS}
        for name in sent:
            if name not in known and name not in ("model", "messages") and re.search(rf"\b{re.escape(name)}\b", where):
                return name
    return ""


def words_of(error: JsonValue) -> Iterator[str]:
    """What an error says, however it is built: `error.message`, `message`, `detail`, a list of those."""
    if isinstance(error, str):
        yield error
    elif isinstance(error, list):
        for item in error[:3]:
            yield from words_of(item)
    elif isinstance(error, dict):
        for key in ("error", "message", "detail", "msg", "metadata", "raw"):
            yield from words_of(error.get(key))


def codes_of(error: JsonValue) -> Iterator[str]:
    """The codes and types by which an error names itself."""
    if isinstance(error, dict):
        for key in ("code", "type"):
            value = error.get(key)
            if isinstance(value, str):
                yield value
        yield from codes_of(error.get("error"))


def one_line(words: str) -> str:
    """The words on one line, at most 300 characters of them."""
    line = " ".join(words.split())
    return line if len(line) <= MOST_WORDS else line[:MOST_WORDS] + "…"


def _named(error: JsonValue) -> Iterator[str]:
    """The parameters that an error names in a field of its own: `param`, or FastAPI's `loc`."""
    if isinstance(error, list):
        for item in error[:3]:
            yield from _named(item)
    elif isinstance(error, dict):
        param, loc = error.get("param"), error.get("loc")
        if isinstance(param, str) and param not in ("messages", "model"):
            yield param
        if isinstance(loc, list):
            yield ".".join(str(part) for part in loc if part not in ("body", "messages"))
        yield from _named(error.get("error"))
        yield from _named(error.get("detail"))


def _window(said: str) -> int | None:
    found = _WINDOW.search(said)
    return int(found[1].replace(",", "")) if found else None


def _loaded(body: bytes) -> JsonValue:
    try:
        value: JsonValue = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return value


def _title(body: bytes) -> str:
    """What a page says it is; else the beginning of a text that can be read."""
    text = body[:2_000].decode("utf-8", "replace")
    if found := re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL):
        return found[1]
    return "" if "\ufffd" in text or "<" in text[:50] or "\x00" in text else text[:MOST_WORDS]
