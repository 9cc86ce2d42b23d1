"""Opens LangChain's client for a provider and asks it. Each package's own ways stand here, and nowhere else."""

import importlib
import warnings
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from pydantic import JsonValue, ValidationError

from moot.models.foreign.asked import Foreign
from moot.models.profile import Provider
from moot.models.wire.endpoint import Endpoint
from moot.models.wire.wording import without_key
from moot.values.errors import ModelCode, SettingWrong

_OUTPUT_NAMES = ("max_tokens", "max_output_tokens", "num_predict")
_HERE = ("localhost", "127.", "::1")
Closing = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Client:
    """A provider's client. Its owner is the house, which closes it."""

    chat: BaseChatModel
    errors: Mapping[str, ModelCode]
    close: Closing

    async def said(self, asked: Foreign) -> AsyncGenerator[AIMessage, None]:
        """The pieces of a reply, or the whole of it as one. Raises whatever the package does."""
        chat = self.chat.model_copy(update=self._limits(asked))
        given = _bound(chat, asked) | asked.beside
        if not asked.streamed:
            yield await chat.ainvoke(asked.messages, **given)
            return
        async with aclosing(_stream(chat, asked, given)) as pieces:
            async for piece in pieces:
                yield piece

    def _limits(self, asked: Foreign) -> dict[str, int | float | None]:
        """The fields of the client that hold what this call may use."""
        fields = type(self.chat).model_fields
        output = next((name for name in _OUTPUT_NAMES if name in fields), "max_tokens")
        return {output: asked.max_output_tokens, "temperature": asked.temperature}


def open_client(endpoint: Endpoint, provider: Provider, *, window: int) -> Client:
    """The client of a model at a provider. Raises SettingWrong for what its package does not take."""
    given: dict[str, Any] = {**provider.given, **endpoint.body}
    if endpoint.key is not None:
        given["api_key"] = endpoint.key.get_secret_value()
    if endpoint.base_url:
        given[provider.base_url_as] = endpoint.base_url
    if shape := _SHAPES.get(provider.name):
        given = shape(given, endpoint, window)
    init_chat_model = importlib.import_module("langchain.chat_models").init_chat_model
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parameters that are passed on as they are
            chat = init_chat_model(endpoint.model, model_provider=provider.name, **given)
    except (ValueError, TypeError, ImportError) as wrong:
        said = without_key(_said(wrong), endpoint)
        raise SettingWrong(
            f"setting_wrong: {provider.name}:{endpoint.model} can't be opened: {said}",
            chinese=f"setting_wrong：无法打开 {provider.name}:{endpoint.model}：{said}",
        ) from None
    closing = _CLOSINGS.get(provider.name, _closing_of_openai)(chat, endpoint)
    return Client(chat, provider.errors, closing)


def known_of(client: Client) -> dict[str, JsonValue]:
    """What LangChain knows that a model can do, in the words of our profile."""
    held: Mapping[str, Any] = getattr(client.chat, "profile", None) or {}
    names = {
        "max_input_tokens": "window", "max_output_tokens": "max_output", "image_inputs": "vision",
        "structured_output": "json_schema", "temperature": "temperature",
    }  # fmt: skip
    known: dict[str, JsonValue] = {ours: held[theirs] for theirs, ours in names.items() if held.get(theirs) is not None}
    if held.get("tool_calling") is False:
        known["tools"] = "text"
    if held.get("reasoning_output"):
        known["reasoning"] = "field"
    return known


def _bound(chat: BaseChatModel, asked: Foreign) -> dict[str, Any]:
    """The tools as the package sends them."""
    if not asked.tools:
        return {}
    binding: Any = (
        chat.bind_tools(asked.tools, tool_choice=asked.choice) if asked.choice else chat.bind_tools(asked.tools)
    )
    bound: dict[str, Any] = binding.kwargs
    return bound


async def _stream(chat: BaseChatModel, asked: Foreign, given: Mapping[str, Any]) -> AsyncGenerator[AIMessage, None]:
    async for piece in chat.astream(asked.messages, **given):
        yield piece


def _said(wrong: Exception) -> str:
    """What is wrong, without the values: a key may be among them."""
    if not isinstance(wrong, ValidationError):
        return str(wrong)
    return "; ".join(f"{'.'.join(map(str, fault['loc']))} {fault['msg']}".strip() for fault in wrong.errors())


def _is_here(endpoint: Endpoint) -> bool:
    """True for a server on this machine, which no proxy stands before."""
    return (urlsplit(endpoint.base_url).hostname or "").startswith(_HERE)


def _http(endpoint: Endpoint) -> dict[str, bool]:
    """How a package's HTTP client is made: it follows no redirect, or a key in a header of its provider's own would go
    to whatever server is named there."""
    return {"trust_env": not _is_here(endpoint), "follow_redirects": False}


def _ollama(given: dict[str, Any], endpoint: Endpoint, window: int) -> dict[str, Any]:
    """Without `num_ctx` Ollama cuts prompts silently at its server's default; a key is for what stands before it."""
    key = given.pop("api_key", None)
    headers = {"headers": {"authorization": f"Bearer {key}"}} if key else {}
    return {"num_ctx": window, "client_kwargs": {**_http(endpoint), **headers}, **given}


def _google(given: dict[str, Any], endpoint: Endpoint, window: int) -> dict[str, Any]:
    return {"client_args": _http(endpoint), **given}


def _azure(given: dict[str, Any], endpoint: Endpoint, window: int) -> dict[str, Any]:
    return {"azure_deployment": endpoint.model, **given}


def _closing_of_anthropic(chat: Any, endpoint: Endpoint) -> Closing:
    """Its client is shared by all of a process and closed by nobody, so that it is given one of ours."""
    package = importlib.import_module("anthropic")
    timeout = httpx2.Timeout(None, connect=endpoint.timeouts.connect_s)
    http = package.DefaultAsyncHttpxClient(timeout=timeout, **_http(endpoint))
    params = {**chat._client_params, "http_client": http, "timeout": timeout}
    vars(chat)["_async_client"] = package.AsyncAnthropic(**params)
    closing: Closing = http.aclose
    return closing


def _closing_of_google(chat: Any, endpoint: Endpoint) -> Closing:
    async def close() -> None:
        await chat.client.aio.aclose()
        chat.client.close()

    return close


def _closing_of_ollama(chat: Any, endpoint: Endpoint) -> Closing:
    async def close() -> None:
        await chat._async_client.close()
        chat._client.close()

    return close


def _closing_of_openai(chat: Any, endpoint: Endpoint) -> Closing:
    """Of Azure's client, and of any other that is built like it; one that is not closes by itself."""
    opened = getattr(chat, "root_async_client", None)
    if opened is not None:
        opened._client.follow_redirects = False

    async def close() -> None:
        if opened is not None:
            await opened.close()

    return close


_SHAPES: Mapping[str, Callable[[dict[str, Any], Endpoint, int], dict[str, Any]]] = {
    "ollama": _ollama, "google_genai": _google, "azure_openai": _azure,
}  # fmt: skip
_CLOSINGS: Mapping[str, Callable[[Any, Endpoint], Closing]] = {
    "anthropic": _closing_of_anthropic, "google_genai": _closing_of_google, "ollama": _closing_of_ollama,
}  # fmt: skip
