"""What a model call may use at most, asked for before it; and what it used, when its provider does not say."""

from collections.abc import Sequence

import orjson

from moot.text.tokens import estimate, picture_tokens
from moot.values.messages import Message, ToolSpec
from moot.values.usage import Reserve, Usage

_MESSAGE = 4
"""Tokens that a message costs beside its words."""


def estimate_message(message: Message) -> int:
    """About how many tokens a message costs."""
    calls = sum(estimate(call.name) + estimate(call.arguments) for call in message.calls)
    images = sum(picture_tokens(image.width, image.height) for image in message.images)
    return _MESSAGE + estimate(message.text) + estimate(message.reasoning) + calls + images


def estimate_tools(tools: Sequence[ToolSpec]) -> int:
    """About how many tokens the manuals and schemas of tools cost."""
    return sum(
        estimate(tool.name) + estimate(tool.description) + estimate(orjson.dumps(tool.parameters).decode())
        for tool in tools
    )


def reserve_for(messages: Sequence[Message], tools: Sequence[ToolSpec], *, max_output_tokens: int) -> Reserve:
    """1.25 times the estimated input and all of the output: estimates run up to a fifth too low."""
    estimated = sum(map(estimate_message, messages)) + estimate_tools(tools)
    return Reserve(tokens=-(-estimated * 5 // 4) + max_output_tokens, calls=1)


def estimated_usage(messages: Sequence[Message], tools: Sequence[ToolSpec], said: Message) -> Usage:
    """Usage, marked as estimated, of a reply that came without any."""
    asked = sum(map(estimate_message, messages)) + estimate_tools(tools)
    return Usage(
        input=asked,
        output=max(0, estimate_message(said) - _MESSAGE),
        reasoning=estimate(said.reasoning),
        usd_micro=None,
        estimated=True,
    )
