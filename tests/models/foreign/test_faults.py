"""What packages raise, read into our codes: by status, by LangChain's classes, by those named in providers.toml."""

import pytest

from moot.models.foreign.faults import fault_from
from moot.models.profile import providers


class ClientError(Exception):
    """As botocore raises it."""

    def __init__(self, code: str, status: int, words: str) -> None:
        super().__init__(f"An error occurred ({code}): {words}")
        self.response = {
            "Error": {"Code": code, "Message": words},
            "ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": {"retry-after": "5"}},
        }


class ModelRateLimitError(Exception):
    """As LangChain names one of whatever provider."""


class APIConnectionError(Exception):
    """As the openai package raises it."""


APIConnectionError.__module__ = "openai"


@pytest.mark.parametrize(
    ("failed", "code", "again"),
    [
        (ClientError("ThrottlingException", 429, "Too many requests"), "rate_limited", "wait"),
        (ClientError("AccessDeniedException", 403, "no access to the model"), "auth", "no"),
        (ClientError("ValidationException", 400, "Input is too long for requested model."), "too_long", "no"),
        (ModelRateLimitError("slowly"), "rate_limited", "wait"),
        (APIConnectionError("Connection error."), "unavailable", "wait"),
        (KeyError("candidates"), "malformed", "once"),
        (ConnectionRefusedError(), "unavailable", "wait"),
    ],
)
def test_an_exception_is_read_by_what_it_says_of_itself(failed: Exception, code: str, again: str) -> None:
    fault = fault_from(failed, providers()["azure_openai"].errors, sent=())
    assert (fault.code, fault.again) == (code, again)


def test_a_refused_parameter_is_lowered_as_on_our_own_wire() -> None:
    failed = ClientError("ValidationException", 400, "This model doesn't support tool use in streaming mode.")
    fault = fault_from(failed, {}, sent={"tools", "temperature"})
    assert (fault.again, fault.parameter) == ("lowered", "tools")


def test_what_a_package_wrapped_is_found() -> None:
    try:
        try:
            raise ClientError("ServiceUnavailable", 503, "busy")
        except ClientError as busy:
            raise RuntimeError("it went wrong") from busy
    except RuntimeError as failed:
        fault = fault_from(failed, {}, sent=())
    assert (fault.code, fault.status, fault.wait_s) == ("unavailable", 503, 5.0)
