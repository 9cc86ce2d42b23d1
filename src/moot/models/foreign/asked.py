"""Words a question as LangChain takes it. How a model is reached is client.py's business, what it said heard.py's."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import ToolCall, tool_call
from pydantic import JsonValue

from moot.models.foreign.opaque import Opaque
from moot.models.port import Profile
from moot.models.wire.body import Question
from moot.models.wire.lawful import Sent, lawful, sent_name
from moot.models.wire.learned import Learned
from moot.models.wire.rungs import Rung, asked_for
from moot.values.messages import Message, ToolSpec


@dataclass(frozen=True, slots=True)
class Foreign:
    """A request as it is handed to LangChain."""

    messages: list[BaseMessage]
    tools: list[dict[str, JsonValue]]
    choice: str | None
    """The tool that must be called."""
    beside: dict[str, JsonValue]
    """What else goes with the call."""
    max_output_tokens: int
    temperature: float | None
    streamed: bool
    rung: Rung | None
    names: Mapping[str, str]
    """The tools offered: our names by those on the wire."""
    sent: frozenset[str]
    """What of it may be refused, by the names that OpenAI's wire has for it."""


def foreign(question: Question, profile: Profile, *, provider: str, learned: Learned) -> Foreign:
    """The request for a model of this provider that can do this."""
    asked = asked_for(question.messages, question.output, profile, tools=bool(question.tools))
    offered = (*question.tools, *asked.tools)
    native = profile.tools == "native"
    tools = [_spec(tool) for tool in sorted(offered, key=lambda tool: tool.name)] if native else []
    beside = {name: value for name, value in asked.beside.items() if name not in learned.left_out}
    choice = beside.pop("tool_choice", None)
    if question.tools and profile.tools == "text":
        beside["stop"] = ["</tool_call>"]
    if provider == "ollama" and profile.reasoning == "field":
        beside["reasoning"] = True  # its thoughts are dropped by LangChain else
    wanted_back = {
        call.id: Opaque.read(message.opaque, provider)
        for message in question.messages
        for call in message.calls[:1]
        if message.opaque
    }
    with_images = profile.vision and any(message.images for message in question.messages)
    temperature = question.limits.temperature if profile.temperature else None
    sent = {
        *beside, "max_tokens", "system",
        *(["tools"] if tools else []),
        *(["tool_choice"] if choice else []),
        *(["image_url"] if with_images else []),
        *(["temperature"] if temperature is not None else []),
    }  # fmt: skip
    return Foreign(
        messages=[_message(one, wanted_back) for one in lawful(_named(asked.messages), profile, offered)],
        tools=tools,
        choice=asked.tools[0].name if choice else None,
        beside=beside,
        max_output_tokens=min(question.limits.max_output_tokens, profile.max_output),
        temperature=temperature,
        streamed=profile.streaming,
        rung=asked.rung,
        names={sent_name(tool.name): tool.name for tool in offered},
        sent=frozenset(sent),
    )


def _named(messages: Sequence[Message]) -> Sequence[Message]:
    """The messages with a user's: some providers take none without."""
    if all(message.role == "system" for message in messages):
        return (*messages, Message(role="user", text="Begin."))
    return messages


def _spec(tool: ToolSpec) -> dict[str, JsonValue]:
    function: JsonValue = {"name": sent_name(tool.name), "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _message(sent: Sent, wanted_back: Mapping[str, Opaque]) -> BaseMessage:
    """A lawful message in LangChain's words."""
    content = sent.get("content")
    words = content if isinstance(content, str) else ""
    match sent["role"]:
        case "system":
            return SystemMessage(words)
        case "tool":
            return ToolMessage(words, tool_call_id=str(sent["tool_call_id"]))
        case "assistant":
            return _said(words, sent, wanted_back)
        case _:
            parts = content if isinstance(content, list) else []
            return HumanMessage([part for part in parts if isinstance(part, dict)] if parts else words or " ")


def _said(words: str, sent: Sent, wanted_back: Mapping[str, Opaque]) -> AIMessage:
    """What the model said, its calls with what its provider wants back of them."""
    listed = sent.get("tool_calls")
    calls = [_call(call) for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
    back = wanted_back.get(str(calls[0]["id"]), Opaque()) if calls else Opaque()
    beside: dict[str, JsonValue] = dict(back.beside)
    thought = sent.get("reasoning_content")
    if isinstance(thought, str):
        beside["reasoning_content"] = thought
    if not back.blocks:
        return AIMessage(words, tool_calls=calls, additional_kwargs=beside)
    text: list[str | dict[str, JsonValue]] = [{"type": "text", "text": words}] if words else []
    return AIMessage([*back.blocks, *text], tool_calls=calls, additional_kwargs=beside)


def _call(call: Mapping[str, JsonValue]) -> ToolCall:
    function = call["function"]
    assert isinstance(function, dict), "lawful.py wrote it"
    arguments = json.loads(str(function["arguments"]))
    return tool_call(name=str(function["name"]), args=arguments, id=str(call["id"]))
