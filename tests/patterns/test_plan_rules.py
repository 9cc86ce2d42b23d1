"""Plan rules 2 to 11, each with the spec's cases."""

import pytest

from moot.patterns.plan_rules import Ruled, Situation, obey
from moot.patterns.plan_shapes import plan_in
from moot.values.plans import Plan, Step, StepResult, StepStatus

NOW = Situation(locale="en-US", topic="T", documents=True)


def ruled(*steps: Step, now: Situation = NOW, enough: bool = False, title: str = "") -> Ruled:
    return obey(Plan(title=title, has_enough_context=enough, steps=steps), now)


def research(title: str, *, needs: tuple[int, ...] | None = None) -> Step:
    return Step(title=title, description=title, need_search=True, step_type="research", needs=needs)


def processing(title: str, *, needs: tuple[int, ...] | None = None) -> Step:
    return Step(title=title, description=title, need_search=False, step_type="processing", needs=needs)


def titles(of: Ruled) -> list[str]:
    return [step.title for step in of.plan.steps]


def test_a_bare_list_gets_the_topic_as_title_and_one_research_step() -> None:
    plan = plan_in([{"title": "a", "description": "b"}])
    assert plan is not None
    got = obey(plan, NOW).plan
    assert (got.title, got.has_enough_context) == ("T", False)
    assert [(step.id, step.title, step.step_type, step.need_search) for step in got.steps] == [
        ("1.1", "a", "research", True)
    ]


@pytest.mark.parametrize(
    ("word", "need_search", "kind"),
    [
        ("Search", None, "research"),
        ("WEB", None, "research"),
        ("Analysis", None, "processing"),
        ("coding", True, "processing"),
        ("code", None, "processing"),
        ("compute", None, "processing"),
        (None, None, "research"),
        ("juggling", None, "research"),
        ("juggling", False, "processing"),
        (None, False, "processing"),
    ],
)
def test_step_types_are_read_in_any_case(word: str | None, need_search: bool | None, kind: str) -> None:
    plan = plan_in({"steps": [{"title": "a", "step_type": word, "need_search": need_search}, {"title": "r"}]})
    assert plan is not None
    step = obey(plan, NOW).plan.steps[0]
    assert (step.step_type, step.need_search) == (kind, kind == "research")


def test_research_without_search_keeps_to_given_documents_or_searches_when_none_are_given() -> None:
    step = Step(title="a", step_type="research", need_search=False)
    assert ruled(step).plan.steps[0].need_search is False
    without = ruled(step, now=Situation(locale="en-US", topic="T"))
    assert without.plan.steps[0].need_search is True
    assert any("searches" in note for note in without.repairs)


def test_a_step_with_nothing_in_it_goes_and_a_missing_title_is_the_description() -> None:
    got = ruled(Step(), Step(description="x" * 70))
    assert titles(got) == ["x" * 60]
    assert "1 empty step dropped" in got.repairs


def test_nothing_left_and_not_enough_asks_for_a_repair() -> None:
    assert ruled(Step()).is_unfinished
    assert ruled(Step(), enough=True).is_unfinished
    assert not ruled(research("a")).is_unfinished


def test_equal_titles_of_one_type_stay_once() -> None:
    got = ruled(research("The price!"), research("the  price"), processing("The price"))
    assert [(step.title, step.step_type) for step in got.plan.steps] == [
        ("The price!", "research"),
        ("The price", "processing"),
    ]


@pytest.mark.parametrize("status", ["failed", "empty"])
def test_a_title_tried_in_vain_goes_unless_a_person_wrote_it(status: StepStatus) -> None:
    failed = StepResult(id="1.1", title="Find A", step_type="research", status=status)
    now = Situation(locale="en-US", topic="T", round=2, earlier=(failed,))
    assert ruled(research("find a."), now=now).plan.steps == ()
    person = Situation(locale="en-US", topic="T", round=2, earlier=(failed,), by_person=True)
    assert titles(ruled(research("find a."), now=person)) == ["find a."]


@pytest.mark.parametrize(
    "title",
    [
        "Summarise the findings",
        "Write the final report",
        "Synthesize all information",
        "总结研究结果",
        "撰写报告",
        "汇总信息",
    ],
)
def test_steps_that_only_sum_up_go(title: str) -> None:
    assert titles(ruled(research("a"), processing(title))) == ["a"]


@pytest.mark.parametrize(
    "title", ["Summarise how dicts work", "Write code for the ratio", "总结词的用法", "Report figures of 2024"]
)
def test_other_steps_that_begin_alike_stay(title: str) -> None:
    assert titles(ruled(research("a"), research(title))) == ["a", title]


def test_processing_alone_gets_a_research_step_first_and_the_last_is_cut() -> None:
    got = ruled(processing("p1"), processing("p2"), processing("p3"))
    assert titles(got) == ["Collect what the question needs: T", "p1", "p2"]
    assert "1 step cut" in got.repairs


def test_no_research_step_is_put_before_arithmetic_or_when_something_was_read() -> None:
    for now in (
        Situation(locale="en-US", topic="T", arithmetic=True),
        Situation(locale="en-US", topic="T", anything_read=True),
    ):
        assert titles(ruled(processing("p"), now=now)) == ["p"]


def test_the_research_step_put_first_speaks_the_locale() -> None:
    now = Situation(locale="zh-CN", topic="什么是GIL？")
    assert titles(ruled(processing("算"), now=now))[0] == "收集问题所需的信息：什么是GIL？"


def test_seven_steps_are_cut_to_three_but_a_persons_seven_run_whole() -> None:
    seven = [research(f"s{n}") for n in range(7)]
    got = ruled(*seven)
    assert titles(got) == ["s0", "s1", "s2"]
    assert "4 steps cut" in got.repairs
    person = Situation(locale="en-US", topic="T", by_person=True)
    assert len(ruled(*seven, now=person).plan.steps) == 7


@pytest.mark.parametrize(
    ("steps", "place", "needs"),
    [
        ((research("1"), processing("2", needs=(3, 2))), 1, None),
        ((research("1"), research("2"), processing("3", needs=(1, 1, 9))), 2, (1,)),
        ((research("1"), processing("2", needs=())), 1, ()),
        ((research("1"), Step(), processing("3", needs=(1, 2))), 1, (1,)),
        ((research("1"), Step(), research("3"), processing("4", needs=(3,))), 2, (2,)),
        ((processing("1"), processing("2", needs=(1,))), 2, (2,)),
    ],
)
def test_needs_follow_their_steps_and_lose_what_is_wrong(
    steps: tuple[Step, ...], place: int, needs: tuple[int, ...] | None
) -> None:
    assert ruled(*steps).plan.steps[place].needs == needs


def test_the_locale_is_the_states_but_a_person_may_change_it() -> None:
    plan = Plan(locale="fr-FR", steps=(research("a"),))
    assert obey(plan, NOW).plan.locale == "en-US"
    assert obey(plan, Situation(locale="en-US", topic="T", by_person=True)).plan.locale == "fr-FR"


def test_enough_counts_only_with_no_steps_and_something_read() -> None:
    read = Situation(locale="en-US", topic="T", anything_read=True)
    assert ruled(enough=True, now=read).plan.has_enough_context
    assert not ruled(enough=True).plan.has_enough_context
    with_steps = ruled(research("a"), research("b"), enough=True, now=read).plan
    assert (with_steps.has_enough_context, len(with_steps.steps)) == (False, 2)


def test_ids_are_of_the_round_and_a_retry_of_nothing_is_none() -> None:
    empty = StepResult(id="1.1", title="x", step_type="research", status="empty")
    now = Situation(locale="en-US", topic="T", round=2, earlier=(empty,))
    steps = (research("a").model_copy(update={"retry_of": "1.1"}), research("b").model_copy(update={"retry_of": "1.9"}))
    assert [(step.id, step.retry_of) for step in ruled(*steps, now=now).plan.steps] == [("2.1", "1.1"), ("2.2", None)]
