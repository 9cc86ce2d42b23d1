"""Makes messages lawful: what every strict server takes, whatever the history holds. The rest of a request: body.py."""

import json
import re
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from moot.models.port import Profile
from moot.values.messages import Call, Message, ToolSpec

NO_OUTPUT = "(no output)"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LEFT_OUT = "[image left out]"
Sent = dict[str, JsonValue]


def lawful(messages: Sequence[Message], profile: Profile, tools: Sequence[ToolSpec] = ()) -> list[Sent]:
    """The messages as a strict server takes them.

    One system message, first; no null content; every call answered once, in order, right behind it; names as providers
    take them; pictures and thoughts only for a model that wants them.
    """
    system = [message.text for message in _leading(messages)]
    if tools and profile.tools == "text":
        system.append(manual(tools))
    rest = [_as_user(message) for message in messages[len(_leading(messages)) :]]
    written = profile.tools != "native"
    sent = [one for group in _groups(rest) for one in (_told(group) if written else _called(group, profile))]
    plain = [_plain(one, profile) if isinstance(one, Message) else one for one in sent]
    if not system:
        return plain if profile.system == "role" else _merged(plain)
    words = "\n\n".join(text for text in system if text)
    if profile.system == "role":
        return [{"role": "system", "content": words}, *plain]
    return _merged([{"role": "user", "content": words}, *plain])


def manual(tools: Sequence[ToolSpec]) -> str:
    """What a model is told that writes its calls: its tools, how a call looks, one example."""
    listed = "\n".join(
        json.dumps(
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}, ensure_ascii=False
        )
        for tool in tools
    )
    return (
        f"# Tools\nYou may call these tools, one in a turn:\n{listed}\n\n"
        "To call one, end your turn with its call as one JSON object between these tags, and nothing after it:\n"
        '<tool_call>{"name": "NAME", "arguments": {"PARAMETER": "VALUE"}}</tool_call>\n'
        "The result comes back in the next message."
    )


def sent_name(name: str) -> str:
    """A name as providers take it."""
    if _NAME.fullmatch(name):
        return name
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name)[:64].strip("_") or "unnamed"


def _leading(messages: Sequence[Message]) -> list[Message]:
    leading: list[Message] = []
    for message in messages:
        if message.role != "system":
            break
        leading.append(message)
    return leading


def _as_user(message: Message) -> Message:
    return message.model_copy(update={"role": "user"}) if message.role == "system" else message


class _Group(tuple[Message, tuple[tuple[Call, str], ...]]):
    """A message, and its calls with what came of them."""


def _groups(messages: Sequence[Message]) -> Iterator[_Group]:
    """Each message with the results of its calls; results without a call are dropped."""
    place = 0
    while place < len(messages):
        message, results = messages[place], list[Message]()
        place += 1
        if message.role == "tool":
            continue
        while message.calls and place < len(messages) and messages[place].role == "tool":
            results.append(messages[place])
            place += 1
        yield _Group((message, tuple(_paired(message.calls, results))))


def _paired(calls: Sequence[Call], results: Sequence[Message]) -> Iterator[tuple[Call, str]]:
    """Each call with its result: by id where ids can be told apart, else by place."""
    ids = [call.id for call in calls]
    by_id = len(set(ids)) == len(ids) and all(ids) and all(result.call_id in ids for result in results)
    found = {result.call_id: result.text for result in reversed(results)}
    for place, call in enumerate(calls):
        own_id = call.id if len(set(ids)) == len(ids) and call.id else f"{call.id or 'c'}_{place + 1}"
        text = found.get(call.id) if by_id else results[place].text if place < len(results) else None
        yield call.model_copy(update={"id": own_id}), text or NO_OUTPUT


def _called(group: _Group, profile: Profile) -> Iterator[Message | Sent]:
    """A group as it is sent to a model that calls tools."""
    message, answered = group
    if not answered:
        yield message
        return
    if len(answered) > 1 and not profile.parallel_tools:
        for place, one in enumerate(answered):
            words = message if place == 0 else message.model_copy(update={"text": "", "reasoning": ""})
            yield from _called(_Group((words, (one,))), profile)
        return
    calls: list[JsonValue] = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": sent_name(call.name), "arguments": _object(call.arguments)},
        }
        for call, _ in answered
    ]
    said: Sent = {"role": "assistant", "content": message.text, "tool_calls": calls}
    if profile.resend_reasoning and message.reasoning:
        said["reasoning_content"] = message.reasoning
    yield said
    for call, result in answered:
        yield {"role": "tool", "tool_call_id": call.id, "content": result}


def _told(group: _Group) -> Iterator[Message]:
    """A group as it is sent to a model that writes its calls: they, and what came of them, are words."""
    message, answered = group
    written = "".join(
        f'\n<tool_call>{{"name": {json.dumps(call.name)}, "arguments": {_object(call.arguments)}}}</tool_call>'
        for call, _ in answered
    )
    yield message.model_copy(update={"text": f"{message.text}{written}".lstrip("\n"), "calls": ()})
    if answered:
        yield Message(role="user", text="\n".join(_fenced(call.name, result) for call, result in answered))


def _fenced(name: str, result: str) -> str:
    """A result between backticks, of which it has fewer in a row itself."""
    longest = max(map(len, re.findall("`+", result)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"Result of {name}:\n{fence}\n{result}\n{fence}"


def _plain(message: Message, profile: Profile) -> Sent:
    """A message without calls, as it is sent."""
    if not message.images:
        return {"role": message.role, "content": message.text or ("(nothing)" if message.role == "assistant" else "")}
    if not profile.vision:
        text = "\n".join(part for part in (message.text, *(_LEFT_OUT for _ in message.images)) if part)
        return {"role": message.role, "content": text}
    parts: list[JsonValue] = [{"type": "text", "text": message.text}] if message.text else []
    for image in message.images:
        url = f"data:{image.media_type};base64,{image.base64}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return {"role": message.role, "content": parts}


def _merged(messages: Sequence[Sent]) -> list[Sent]:
    """Neighbours of one role as one message, where both are words."""
    merged: list[Sent] = []
    for message in messages:
        before = merged[-1] if merged else {}
        one, two = before.get("content"), message.get("content")
        alike = before.get("role") == message["role"] and message["role"] in ("user", "assistant")
        if alike and isinstance(one, str) and isinstance(two, str) and "tool_calls" not in {**before, **message}:
            merged[-1] = {**before, "content": f"{one}\n\n{two}"}
        else:
            merged.append(message)
    return merged


def _object(arguments: str) -> str:
    """The arguments when they are a JSON object; else an empty one: servers read them, and answer others with a 500."""
    try:
        value: JsonValue = json.loads(arguments)
    except (ValueError, RecursionError):
        return "{}"
    return arguments if isinstance(value, dict) else "{}"
