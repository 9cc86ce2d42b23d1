"""What a call reserves, and what it is said to have used."""

import pytest
from pydantic import ValidationError

from moot.models.reserve import estimate_message, estimate_tools, estimated_usage, reserve_for
from moot.values.messages import Call, Image, Message, ToolSpec
from moot.values.usage import Reserve

HELLO = Message(role="user", text="hello")
SEARCH = ToolSpec(name="search", description="Looks.", parameters={"type": "object"})


def test_a_reserve_is_a_quarter_more_than_the_estimate_and_all_of_the_output() -> None:
    estimated = estimate_message(HELLO) + estimate_tools([SEARCH])
    assert estimated == 6 + 10
    assert reserve_for([HELLO], [SEARCH], max_output_tokens=1_000) == Reserve(tokens=1_000 + 20, calls=1)


def test_calls_thoughts_and_pictures_of_a_message_cost_too() -> None:
    call = Call(id="c1", name="search", arguments='{"query": "x"}')
    picture = Image(media_type="image/png", base64="", width=1024, height=1024)
    message = Message(role="assistant", text="", calls=(call,), reasoning="hmmm", images=(picture,))
    assert estimate_message(message) == 4 + 2 + 5 + 1 + 765


def test_usage_of_a_reply_that_came_without_any_is_marked() -> None:
    usage = estimated_usage([HELLO], [], Message(role="assistant", text="hello hello", reasoning="hmmm"))
    assert (usage.input, usage.output, usage.reasoning, usage.estimated) == (6, 4, 1, True)


def test_a_picture_without_pixels_is_refused_and_one_of_unknown_size_is_counted_as_large() -> None:
    for sides in ({"width": 0}, {"height": 0}, {"width": 0, "height": 0}):
        with pytest.raises(ValidationError, match="greater than or equal to 1"):
            Image.model_validate({"media_type": "image/png", "base64": "", **sides})
    unknown = Message(role="user", images=(Image(media_type="image/png", base64=""),))
    assert estimate_message(unknown) == 4 + 765
