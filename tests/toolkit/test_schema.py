import pytest
from pydantic import JsonValue

from moot.agents.reading import canonical, read_call
from moot.toolkit.schema import FromSchema, arguments_from
from moot.values.messages import Call

SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "n": {"type": "integer", "default": 5},
        "order": {"enum": ["new", "old"]},
        "schema": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "within": {"type": "array", "items": {"type": "string"}},
        "x.y-z": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
    },
    "required": ["query", "order"],
}
ARGUMENTS = arguments_from("find", SCHEMA)


def read(arguments: str) -> tuple[str, str, object]:
    wanted = read_call(Call(id="1", name="find", arguments=arguments), {"find": ARGUMENTS})
    given = wanted.arguments.given if isinstance(wanted.arguments, FromSchema) else None
    return wanted.fault, wanted.remark, given


def test_a_model_is_told_the_schema_as_it_was_written() -> None:
    assert ARGUMENTS.model_json_schema() == SCHEMA


@pytest.mark.parametrize(
    ("written", "given"),
    [
        ('{"query": "dam", "order": "new"}', {"query": "dam", "order": "new"}),
        ('{"query": "dam", "order": "new", "n": "3"}', {"query": "dam", "order": "new", "n": 3}),
        ('{"query": "d", "order": "old", "schema": null, "within": ["a"], "x.y-z": true}',
         {"query": "d", "order": "old", "schema": None, "within": ["a"], "x.y-z": True}),
        ('{"query": 5, "order": "NEW"}', {"query": "5", "order": "new"}),
    ],
)  # fmt: skip
def test_what_was_given_comes_out_by_the_names_of_the_schema_and_nothing_else(written: str, given: object) -> None:
    assert read(written) == ("", "", given)


def test_every_fault_is_told_at_once_by_the_schema_s_names() -> None:
    fault, _, _ = read('{"n": true, "order": "sideways", "x.y-z": [1]}')
    for name in ("query:", "n:", "order:", "x.y-z"):
        assert name in fault


def test_names_that_the_schema_does_not_know_are_left_out() -> None:
    fault, remark, given = read('{"query": "dam", "order": "new", "colour": "red"}')
    assert (fault, given) == ("", {"query": "dam", "order": "new"})
    assert "colour" in remark


def test_a_schema_without_fields_takes_an_empty_call() -> None:
    empty = arguments_from("ping", {"type": "object", "properties": {}})
    assert canonical(empty()) == "{}"
    assert empty().given == {}
