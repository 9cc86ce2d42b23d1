"""Every way in which a server says no, or says nothing that can be read, by name: status, headers, body."""

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Literal, NamedTuple

import orjson
from pydantic import JsonValue

Silence = Literal["reset", "hang_up", "silent"]
GARBAGE = 10_000_000


class Fault(NamedTuple):
    """A response that is no reply."""

    status: int
    body: JsonValue | bytes | Callable[[], bytes] = None
    """None: what OpenAI says with this status."""
    headers: Mapping[str, str] = {}
    silence: Silence | None = None
    """`reset`: the connection is reset; `hang_up`: it is closed; `silent`: nothing is ever said."""

    @property
    def raw(self) -> bytes:
        """The body as it is sent."""
        if callable(self.body):
            return self.body()
        if isinstance(self.body, bytes):
            return self.body
        return orjson.dumps(usual(self.status) if self.body is None else self.body)


def usual(status: int) -> JsonValue:
    """What OpenAI's endpoint says with a status."""
    words, kind = _USUAL.get(
        status, (f"The server answered {status}.", "server_error" if status > 499 else "invalid_request_error")
    )
    return error(words, kind)


def error(
    words: str, kind: str = "invalid_request_error", *, code: str | None = None, param: str | None = None
) -> JsonValue:
    """An error as OpenAI writes it."""
    return {"error": {"message": words, "type": kind, "param": param, "code": code}}


_USUAL: Mapping[int, tuple[str, str]] = {
    400: ("Invalid request.", "invalid_request_error"),
    401: (
        "Incorrect API key provided: scripted-k***. You can find yours on the account page.",
        "invalid_request_error",
    ),
    402: ("Insufficient Balance", "unknown_error"),
    403: ("You are not allowed to do that.", "permission_error"),
    404: ("The model `scripted` does not exist or you do not have access to it.", "invalid_request_error"),
    408: ("Request timed out.", "timeout"),
    409: ("The request conflicts with another one.", "conflict"),
    413: ("Request too large.", "invalid_request_error"),
    425: ("Too early.", "invalid_request_error"),
    429: ("Rate limit reached for requests.", "requests"),
    500: ("The server had an error while processing your request. Sorry about that!", "server_error"),
    502: ("Bad gateway.", "server_error"),
    503: ("The engine is currently overloaded, please try again later.", "overloaded"),
    504: ("Gateway timeout.", "server_error"),
    529: ("Overloaded", "overloaded_error"),
}
_HTML = (
    b"<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n"
    b"<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>\n"
)
_AS_HTML = {"content-type": "text/html; charset=utf-8"}


@cache
def garbage() -> bytes:
    """Ten megabytes of nothing that can be read; the same each time."""
    return random.Random(7).randbytes(GARBAGE)


def _limit(words: str, kind: str) -> JsonValue:
    return error(words, kind, code=kind)


FAULTS: Mapping[str, Fault] = {
    "bad_key": Fault(401),
    "forbidden": Fault(403),
    "payment": Fault(402),
    "insufficient_quota": Fault(
        429, _limit("You exceeded your current quota, please check your plan and billing.", "insufficient_quota")
    ),
    "billing": Fault(
        403, _limit("Your account is not active, please check your billing details.", "billing_not_active")
    ),
    "no_balance": Fault(429, {"error": {"code": "1113", "message": "您的账户余额不足，请充值后重试。"}}),
    "arrears": Fault(403, {"code": "Arrearage", "message": "Access denied. 账户已欠费。", "request_id": "7"}),
    "model_not_found": Fault(404, error("The model `scripted` does not exist.", code="model_not_found")),
    "model_unknown": Fault(400, {"object": "error", "message": "Model not found: scripted", "code": 400}),
    "no_such_path": Fault(404, {"detail": "Not Found"}),
    "context_length": Fault(
        400,
        error(
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens. "
            "Please reduce the length of the messages.",
            code="context_length_exceeded",
            param="messages",
        ),
    ),
    "too_many_tokens": Fault(413, {"message": "too many tokens: the prompt cannot exceed 8192 - received 9120."}),
    "too_long_chinese": Fault(400, {"error": {"code": "1261", "message": "Prompt 超出最大长度限制。"}}),
    "bad_request": Fault(400, error("Something about this request is wrong.")),
    "unprocessable": Fault(422, {"detail": [{"loc": ["body", "messages"], "msg": "Input should be valid"}]}),
    "error_in_200": Fault(200, {"error": {"message": "Provider returned error", "code": 502}}),
    "error_as_text": Fault(500, {"error": "llama runner process has terminated"}),
    "html": Fault(502, _HTML, _AS_HTML),
    "html_in_200": Fault(200, _HTML.replace(b"502 Bad Gateway", b"Sign in to the network"), _AS_HTML),
    "empty_body": Fault(200, b""),
    "empty_stream": Fault(200, b"", {"content-type": "text/event-stream"}),
    "empty_error": Fault(503, b""),
    "no_json": Fault(200, b'{"id": "chatcmpl-1", "choices": [{"mess'),
    "a_list": Fault(200, ["no", "object"]),
    "garbage": Fault(200, garbage),
    "garbage_in_500": Fault(500, garbage),
    "reset": Fault(0, silence="reset"),
    "hang_up": Fault(0, silence="hang_up"),
    "silent": Fault(0, silence="silent"),
}
"""By the name that a script's line gives it as its quirk."""
