"""Keys and digests: durability.md's tables, to the figure."""

import json

import pytest
from pydantic import JsonValue

from moot.run.keys import (
    canonical,
    computed_chance,
    computed_id,
    digest_of,
    first_difference,
    idempotency_key,
    question_id,
    request_of,
)
from moot.values.value import Key, RunId

SEED = "0" * 32


@pytest.mark.parametrize(
    "kind, request_, sha256",
    [
        (
            "tool",
            {"name": "read_page", "args": {"url": "https://example.org/a"}},
            "dea931c48a1bfce40f95246bcb9d3ff25683605ce178833650f465131cbc7631",
        ),
        (
            "model",
            {"tier": "fast", "messages": [{"role": "user", "content": "你好"}]},
            "4fe494050e86f68e05580b0b35da6b38ad02d6cd7575c851c9d6150ffe6403ee",
        ),
    ],
)
def test_a_request_has_the_digest_it_has_everywhere(kind: str, request_: dict[str, JsonValue], sha256: str) -> None:
    assert digest_of(request_of(kind, request_)) == sha256


def test_json_is_written_without_blanks_sorted_and_unescaped() -> None:
    assert canonical({"b": "é", "a": [1, None]}) == '{"a":[1,null],"b":"é"}'.encode()


def test_not_a_number_is_no_json() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"a": float("nan")})


def test_an_id_follows_from_seed_and_key() -> None:
    assert computed_id("f", SEED, "review#1/id#1") == "f_ofc5ggr7dt3o4x24"


def test_chance_follows_from_seed_and_key() -> None:
    assert computed_chance(SEED, "look#1/chance#1").random() == 0.2774965833171731


def test_a_question_of_a_fork_is_its_own() -> None:
    key = Key("review#1/ask#1")
    assert question_id(RunId("one"), key) != question_id(RunId("two"), key)
    assert question_id(RunId("one"), key).startswith("q_")
    assert len(question_id(RunId("one"), key)) == 18


def test_a_call_tried_again_has_the_same_idempotency_key_and_one_set_aside_another() -> None:
    run, key = RunId("one"), Key("plan#1/model#1")
    assert idempotency_key(run, key, 0) == idempotency_key(run, key, 0)
    assert idempotency_key(run, key, 0) != idempotency_key(run, key, 1)
    assert len(idempotency_key(run, key, 0)) == 32


@pytest.mark.parametrize(
    "kept, asked, where",
    [
        ({"to": [{"content": "a" * 81 + "b"}]}, {"to": [{"content": "a" * 81 + "c"}]}, "to[0].content, character 81"),
        ({"messages": ["one"]}, {"messages": ["one", "two"]}, "messages, 1 kept, 2 now"),
        ({"a": "one"}, {"a": "one more"}, "a, character 3"),
        ({"a": 1}, {}, "a, missing now"),
        ({}, {"a": 1}, "a, new"),
        ({"a": 1}, {"a": True}, "a"),
        ({"a": {"b": None}}, {"a": {"b": 0}}, "a.b"),
    ],
)  # fmt: skip
def test_the_first_difference_of_two_requests_is_named(
    kept: dict[str, JsonValue], asked: dict[str, JsonValue], where: str
) -> None:
    assert first_difference(request_of("model", kept), request_of("model", asked)) == where


def test_requests_of_two_kinds_differ_in_their_kind() -> None:
    assert first_difference(request_of("model", {}), request_of("tool", {})) == "kind"
    assert json.loads(request_of("tool", {})) == {"kind": "tool", "request": {}}
