"""Typed answers: how they are asked for, and how the one retry is worded."""

from typing import Literal

from pydantic import Field

from moot.models.port import Profile
from moot.models.typed import asked, correction, example, plain_schema
from moot.values.messages import Message
from moot.values.value import Output


class Step(Output):
    title: str
    """What it finds out."""
    kind: Literal["research", "processing"] = "research"
    n: int = Field(3, ge=2)


class Plan(Output):
    steps: tuple[Step, ...]
    done: bool
    note: str | None = None


def test_a_schema_stands_alone_with_what_the_fields_mean() -> None:
    schema = plain_schema(Plan)
    assert "$defs" not in str(schema)
    assert "$ref" not in str(schema)
    assert "What it finds out." in str(schema)


def test_a_field_called_title_stays_in_the_schema() -> None:
    assert "'title': {'description': 'What it finds out.', 'type': 'string'}" in str(plain_schema(Step))


def test_an_example_fits_the_type_it_is_of() -> None:
    made = example(plain_schema(Plan))
    assert made == {"steps": [{"title": "…", "kind": "research", "n": 2}], "done": False, "note": "…"}
    assert Plan.model_validate_json(str(made).replace("'", '"').replace("False", "false"))


def test_the_schema_is_added_to_the_system_message_and_the_rest_stays() -> None:
    messages = [Message(role="system", text="You plan."), Message(role="user", text="Plan!")]
    sent = asked(messages, Plan, Profile(json_schema=False))
    assert sent[0].text.startswith("You plan.\n\nAnswer with one JSON object")
    assert sent[1:] == tuple(messages[1:])
    assert asked(messages, Plan, Profile(json_schema=True)) == tuple(messages)
    assert asked(messages, None, Profile()) == tuple(messages)


def test_a_correction_shows_the_reply_cut_and_every_fault_on_its_line() -> None:
    said, wanted = correction("x" * 5_000, ["steps[2].kind: got 1; one of a, b", "done: missing"])
    assert len(said.text) == 2_000
    assert "steps[2].kind: got 1; one of a, b\ndone: missing\n" in wanted.text
