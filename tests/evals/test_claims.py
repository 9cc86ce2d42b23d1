"""The claims check on labelled examples: how often it is right, and that changed figures never pass."""

from pathlib import Path

import pytest

from moot.evals.claims import CHANGED_BOUND, Example, Tried, mutated, passed, read_examples, tried, withstood
from moot.values.errors import SettingWrong

HERE = Path(__file__).parent.parent / "evidence"


def examples(name: str) -> list[Example]:
    return read_examples((HERE / name).read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    "name, least, of",
    [("claims_labelled.jsonl", 148, 152), ("claims_more.jsonl", 58, 60), ("claims_third.jsonl", 156, 160)],
)
async def test_labelled_claims_come_out_as_they_are_labelled_and_none_is_falsely_verified(
    name: str, least: int, of: int
) -> None:
    found = [await tried(example) for example in examples(name)]
    assert len(found) == of
    assert [(one.example.id, one.example.claim) for one in found if one.is_falsely_verified] == []
    wrong = [(one.example.id, one.example.status, one.status, one.reason) for one in found if not one.is_right]
    assert len(found) - len(wrong) >= least, wrong
    assert passed(found)


async def test_no_changed_figure_stays_verified_but_a_bound_that_is_still_true() -> None:
    found = [await tried(example) for example in mutated(examples("claims_labelled.jsonl"))]
    assert len(found) > 120
    assert withstood(found)
    stayed = [one.example.claim for one in found if one.status == "verified"]
    assert [claim.split(" [")[0].split("[")[0] for claim in stayed] == ["Fewer than 50 copies survive", "存世不足50册"]


async def test_a_passage_that_an_example_cites_is_taken_as_cited_and_not_sought() -> None:
    example = Example(
        id="1", lang="en", kind="cited", claim="The Lanxi reservoir held 86 million cubic metres in 2020 [S6f6f.7].",
        passages={"S6f6f.7": "2020年，兰溪水库蓄水量为8600万立方米。"}, status="weak",
    )  # fmt: skip
    assert (await tried(example)).status == "weak"


def test_what_is_falsely_verified_fails_however_many_are_right() -> None:
    example = examples("claims_labelled.jsonl")[4]
    assert example.status == "unsupported"
    right = Tried(example=example, status="unsupported", ms=1)
    wrong = Tried(example=example, status="verified", ms=1)
    weak = Tried(example=example, status="weak", ms=1)
    assert passed([right] * 151 + [weak])
    assert not passed([right] * 151 + [wrong])
    assert not passed([right] * 147 + [weak] * 5)
    assert not withstood([wrong])
    bound = example.model_copy(update={"kind": CHANGED_BOUND})
    assert withstood([Tried(example=bound, status="verified", ms=1)])


def test_a_line_that_is_no_example_is_named() -> None:
    with pytest.raises(SettingWrong, match=r"line 2 .*claim"):
        read_examples(['{"id":"1","lang":"en","kind":"k","claim":"c","passages":{},"status":"exempt"}', '{"id":"2"}'])
