"""JSON as models write it: a table of cases, and never a crash."""

import json
import random
import time
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from pydantic import Field, JsonValue

from moot.text.json import read_arguments, read_json
from moot.text.json_regions import regions, whole_items
from moot.values.value import Output


class Number(Output):
    a: int


class Words(Output):
    a: str


class Titled(Output):
    title: str


class ShortPlan(Output):
    steps: tuple[Titled, ...]


class Listed(Output):
    items: tuple[str, ...]


class Optional(Output):
    thought: str = ""
    steps: tuple[Titled, ...] = ()


class Shares(Output):
    percent: float | None = Field(None, ge=0, le=100)
    share: float | None = Field(None, ge=0, le=1)
    yes: bool | None = None
    kind: Literal["very_good", "bad"] | None = Field(None, json_schema_extra={"aliases": {"great": "very_good"}})
    tags: tuple[str, ...] = ()


TYPES: dict[str, type[Output]] = {
    "number": Number, "words": Words, "plan": ShortPlan, "list": Listed, "optional": Optional, "shares": Shares,
}  # fmt: skip
CASES = [json.loads(line) for line in (Path(__file__).parent / "json_cases.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_answer_is_read_as_the_table_says(case: dict[str, JsonValue]) -> None:
    read = read_json(str(case["text"]), TYPES[str(case["type"])])
    assert (None if read.value is None else read.value.model_dump(mode="json")) == case["value"], read
    assert bool(read.faults) == (case["value"] is None)


def test_five_thousand_open_brackets_are_no_json_and_take_no_time() -> None:
    begun = time.perf_counter()
    assert read_json("[" * 5_000, Listed).value is None
    assert read_json('{"a":' * 5_000, Number).value is None
    assert time.perf_counter() - begun < 0.1


def test_a_cut_off_plan_is_taken_only_in_its_whole_steps_and_only_when_asked() -> None:
    text = '{"steps": [{"title": "x"}, {"title": "y'
    assert read_json(text, ShortPlan, cut=True).value is None
    kept = read_json(text, ShortPlan, cut=True, partial=True)
    assert kept.value == ShortPlan(steps=(Titled(title="x"),))
    assert kept.notes == ("partial",)


def test_an_unclosed_plan_of_a_reply_that_was_not_cut_is_taken_and_noted() -> None:
    read = read_json('{"steps": [{"title": "x"}', ShortPlan)
    assert read.value == ShortPlan(steps=(Titled(title="x"),))
    assert "truncated" in read.notes


def test_an_unclosed_fence_of_a_reply_that_was_cut_is_not_taken() -> None:
    assert read_json('```json\n{"steps": [{"title": "x"}', ShortPlan, cut=True).value is None


def test_whole_items_keep_a_list_that_is_closed_already() -> None:
    assert whole_items('{"steps": [1, 2], "title": "cut') == '{"steps": [1, 2]}'
    assert whole_items('{"steps": ["a", "b') == '{"steps": ["a"]}'
    assert whole_items('{"title": "cut') is None


class Fault(NamedTuple):
    text: str
    says: str


@pytest.mark.parametrize(
    "fault",
    [
        Fault('{"steps": [{"title": "x"}, {"name": "y"}]}', "steps[1].title: missing"),
        Fault('{"steps": 3}', "steps[0]: got 3; should be an object"),
        Fault('{"kind": "so-so"}', 'kind: got "so-so"; one of very_good, bad'),
        Fault('{"share": 7}', "share: got 7; should be less than or equal to 1"),
    ],
)
def test_faults_name_the_path_and_what_is_wrong(fault: Fault) -> None:
    output = ShortPlan if "steps" in fault.text else Shares
    assert fault.says in "\n".join(read_json(fault.text, output).faults).replace("a valid ", "an ")


def test_all_faults_of_an_answer_are_told_at_once() -> None:
    assert len(read_json('{"kind": "x", "share": "y", "yes": 3}', Shares).faults) == 3


def test_a_shape_brings_another_form_into_the_type_and_refuses_what_is_none() -> None:
    def shape(raw: JsonValue) -> JsonValue:
        if isinstance(raw, dict) and "error" in raw:
            raise ValueError("an error is no plan")
        return {"steps": [{"title": raw["only"]}]} if isinstance(raw, dict) and "only" in raw else raw

    assert read_json('{"only": "x"}', ShortPlan, shape=shape).value == ShortPlan(steps=(Titled(title="x"),))
    assert read_json('{"error": "x"}', ShortPlan, shape=shape).faults == ("an error is no plan",)


def test_regions_inside_an_unclosed_region_are_no_candidates() -> None:
    assert [region.text for region in regions('so {"a": {"b": 1}, "c')] == ['{"a": {"b": 1}, "c']


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("null", {}),
        ("{}", {}),
        ('{"a": 1}', {"a": 1}),
        ('"{\\"command\\": \\"ls\\"}"', {"command": "ls"}),
        ('"\\"{}\\""', {}),
        ("{'a': True, 'b': None}", {"a": True, "b": None}),
        ('{"a": "x\ny",}', {"a": "x\ny"}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ("hello", None),
        ("[1, 2]", None),
        ("12", None),
    ],
)
def test_arguments_are_read_as_they_were_meant(text: str, value: JsonValue) -> None:
    assert read_arguments(text).value == value


@pytest.mark.parametrize("text", ['{"code": "print(\\"hi', '{"a": [1, 2', '{"a": 1', '"{\\"a\\": \\"x'])
def test_arguments_that_end_inside_something_are_cut(text: str) -> None:
    loaded = read_arguments(text)
    assert loaded.value is None
    assert loaded.cut


@pytest.mark.slow
def test_no_truncation_or_mutation_of_fifty_plans_makes_the_reader_crash() -> None:
    chance = random.Random(7)
    plans = [
        json.dumps(
            {
                "thought": "für “alle”\n" * (n % 5),
                "steps": [{"title": f"步骤 {i}", "$x": "\\frac"} for i in range(n % 4)],
            },
            ensure_ascii=bool(n % 2),
            indent=n % 3 or None,
        )
        for n in range(50)
    ]
    for trial in range(10_000):
        text = plans[trial % 50]
        if trial % 2:
            text = text[: chance.randrange(len(text))]
        for _ in range(chance.randrange(4)):
            place = chance.randrange(len(text) + 1)
            text = (
                text[:place] + chance.choice('{}[]",:\\“”，｛\n\x00\ud800<think>') + text[place + chance.randrange(3) :]
            )
        read = read_json(text, Optional)
        assert read.value is None or isinstance(read.value, Optional)
