"""The eight lenses: triggers in both languages, and what a quoted sentence must hold."""

import pytest

from moot.patterns.lenses import BY_NAME, LENSES, LensName, for_question, lens_of, note_of, years
from moot.values.plans import Step


@pytest.mark.parametrize(
    ("question", "lens"),
    [
        ("the evolution of gulls", "history"),
        ("鸟类的起源", "history"),
        ("the latest data", "current"),
        ("目前情况", "current"),
        ("an outlook", "future"),
        ("发展前景", "future"),
        ("the impact on fishermen", "stakeholders"),
        ("对企业", "stakeholders"),
        ("how many gulls", "quantitative"),
        ("价格", "quantitative"),
        ("why gulls cry", "qualitative"),
        ("案例", "qualitative"),
        ("gulls versus terns", "comparative"),
        ("区别", "comparative"),
        ("dangers of gulls", "risk"),
        ("局限", "risk"),
    ],
)
def test_a_trigger_puts_its_lens_first(question: str, lens: LensName) -> None:
    assert for_question(question)[0] is BY_NAME[lens]


def test_without_a_trigger_the_order_is_fixed_and_all_eight_come() -> None:
    names = [lens.name for lens in for_question("gulls")]
    assert names[:3] == ["current", "quantitative", "comparative"]
    assert len(set(names)) == len(LENSES) == 8


@pytest.mark.parametrize(
    ("lens", "sentence", "holds"),
    [
        ("history", "Built in 1850.", True),
        ("history", "Built of stone.", False),
        ("current", "Counted in 2024.", True),
        ("current", "Counted in 1999.", False),
        ("quantitative", "There are 7.", True),
        ("quantitative", "There are many.", False),
        ("comparative", "Larger than terns.", True),
        ("comparative", "Large.", False),
        ("comparative", "与燕鸥不同", True),
        ("risk", "The danger is real.", True),
        ("future", "It will grow.", True),
        ("qualitative", "For example, gulls.", True),
    ],
)
def test_a_quoted_sentence_must_hold_what_the_lens_asks_for(lens: LensName, sentence: str, holds: bool) -> None:
    assert BY_NAME[lens].holds(sentence, newest_year=2024) is holds


def test_years_are_told_from_other_numbers() -> None:
    assert years("In 1850 and 2024年, 12,345 of 18500 at 3.1415") == [1850, 2024]


def test_a_step_tells_its_lens_by_its_note() -> None:
    assert lens_of(Step(title="x", note=note_of(BY_NAME["risk"]))) is BY_NAME["risk"]
    assert lens_of(Step(title="x", note="hurry")) is None
    assert BY_NAME["risk"].titled("zh-CN", "海鸥") == "风险与局限：海鸥"
