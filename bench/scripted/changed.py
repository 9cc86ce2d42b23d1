"""How a written reply is changed by a quirk: functions over the chunks of a stream, or over the one whole body."""

import json
from collections.abc import Callable, Iterator

from pydantic import JsonValue

from bench.scripted.said import Json

Bodies = list[Json]
Change = Callable[[Bodies], None]
LONG_BLOCK = (
    "The tower was built for the fair. It is made of wrought iron, and it was painted many times since. " * 5 + "\n\n"
)


def choices_of(body: Json) -> list[Json]:
    """The choices of a chunk or body."""
    choices = body.get("choices")
    return [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []


def messages(bodies: Bodies) -> Iterator[Json]:
    """Each message or delta, to be changed."""
    for body in bodies:
        for choice in choices_of(body):
            said = choice.get("message", choice.get("delta"))
            if isinstance(said, dict):
                yield said


def parts(bodies: Bodies) -> Iterator[tuple[int, Json]]:
    """Each part of a call with the call's place, to be changed."""
    for said in messages(bodies):
        listed = said.get("tool_calls")
        for place, part in enumerate(listed if isinstance(listed, list) else []):
            if isinstance(part, dict):
                index = part.get("index", place)
                yield (index if isinstance(index, int) else place), part


def function(part: Json) -> Json:
    """The function of a part of a call, to be changed."""
    held = part["function"]
    assert isinstance(held, dict)
    return held


def is_streamed(bodies: Bodies) -> bool:
    """True for chunks."""
    return any("delta" in choice for body in bodies for choice in choices_of(body))


# calls


def name_repeated(bodies: Bodies) -> None:
    """Each part of a call names it again; in one body, the name is said twice."""
    known: dict[int, str] = {}
    streamed = is_streamed(bodies)
    for place, part in parts(bodies):
        held = function(part)
        name = known.setdefault(place, str(held.get("name", "")))
        held["name"] = name if streamed else name * 2


def names(new: Callable[[str], str]) -> Change:
    """Calls by other names."""

    def change(bodies: Bodies) -> None:
        for _, part in parts(bodies):
            held = function(part)
            if "name" in held:
                held["name"] = new(str(held["name"]))

    return change


def ids(new: Callable[[int], str | None]) -> Change:
    """Calls with other ids; None: none at all."""

    def change(bodies: Bodies) -> None:
        for place, part in parts(bodies):
            if "id" not in part:
                continue
            made = new(place)
            if made is None:
                del part["id"]
            else:
                part["id"] = made

    return change


def index_missing(bodies: Bodies) -> None:
    """No part says to which call it belongs."""
    for _, part in parts(bodies):
        part.pop("index", None)


def index_zero(bodies: Bodies) -> None:
    """All parts say that they belong to the first call."""
    for _, part in list(parts(bodies)):
        if "index" in part:
            part["index"] = 0


def arguments(new: Callable[[str], JsonValue]) -> Change:
    """Arguments written in another way, and sent at once."""

    def change(bodies: Bodies) -> None:
        written: dict[int, str] = {}
        for place, part in parts(bodies):
            written[place] = written.get(place, "") + str(function(part).get("arguments", ""))
        for place, part in parts(bodies):
            held = function(part)
            held["arguments"] = new(written.pop(place)) if place in written else ""
        drop_idle_parts(bodies)

    return change


def drop_idle_parts(bodies: Bodies) -> None:
    """Leaves the chunks out that add nothing to any call."""
    idle = [body for body in bodies if any(_adds_nothing(part) for _, part in parts([body]))]
    bodies[:] = [body for body in bodies if body not in idle]


def _adds_nothing(part: Json) -> bool:
    return "name" not in function(part) and function(part).get("arguments") == ""


def as_object(written: str) -> JsonValue:
    """Arguments as the object they are."""
    value: JsonValue = json.loads(written)
    return value


def in_string(written: str) -> str:
    """Arguments as a string in a string."""
    return json.dumps(written, ensure_ascii=False)


# words


def content(new: Callable[[str], JsonValue]) -> Change:
    """The text in another form."""

    def change(bodies: Bodies) -> None:
        for said in messages(bodies):
            if "content" in said:
                text = said["content"]
                said["content"] = new(text if isinstance(text, str) else "")

    return change


def content_absent(bodies: Bodies) -> None:
    """No content at all, as beside calls."""
    for said in messages(bodies):
        said.pop("content", None)


def thoughts(new: Callable[[str], Json]) -> Change:
    """What was thought, in other fields."""

    def change(bodies: Bodies) -> None:
        for said in messages(bodies):
            words = said.pop("reasoning_content", None)
            if isinstance(words, str):
                said |= new(words)

    return change


def thinking_blocks(bodies: Bodies) -> None:
    """What was thought, as blocks of the content."""
    for said in messages(bodies):
        words, text = said.pop("reasoning_content", None), said.get("content")
        blocks: list[JsonValue] = [{"type": "thinking", "thinking": words}] if isinstance(words, str) else []
        if isinstance(text, str) and text:
            blocks.append({"type": "text", "text": text})
        said["content"] = blocks


def refusal(bodies: Bodies) -> None:
    """The text as a refusal."""
    for said in messages(bodies):
        if said.get("content"):
            said["refusal"], said["content"] = said["content"], None


# around it


def choices(new: Callable[[], JsonValue]) -> Change:
    """No choices: an empty list, or none."""

    def change(bodies: Bodies) -> None:
        for body in bodies:
            made = new()
            if made is None:
                del body["choices"]
            else:
                body["choices"] = made

    return change


def usage_null(bodies: Bodies) -> None:
    """The count is there and empty."""
    for body in bodies:
        body["usage"] = None


def usage_every_chunk(bodies: Bodies) -> None:
    """Each chunk has the count, growing; the last one is right."""
    counted = [body["usage"] for body in bodies if isinstance(body.get("usage"), dict)]
    for body in bodies:
        for usage in counted:
            body.setdefault("usage", {**usage, "completion_tokens": 1} if isinstance(usage, dict) else None)


def usage_in_choice(bodies: Bodies) -> None:
    """The count stands in the last choice."""
    counted = [body.pop("usage") for body in bodies if "usage" in body]
    bodies[:] = [body for body in bodies if choices_of(body)]
    for choice in choices_of(bodies[-1]):
        choice["usage"] = counted[0] if counted else None
