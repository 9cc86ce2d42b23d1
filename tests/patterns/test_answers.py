"""A person's words, read whole: the spec's table of answers and what lies near it."""

import json

import pytest

from moot.patterns.answers import PlanFile, Unclear, read_answer
from moot.values.plans import Plan
from moot.values.questions import Accept, Answer, Approval, Clarification, Edit, PlanReview, Refuse, Replace, Words

REVIEW = PlanReview(round=1, rounds=2, plan=Plan(title="T"))


def said(text: str, *, at_terminal: bool = False) -> Answer | Unclear | PlanFile:
    return read_answer(REVIEW, text, at_terminal=at_terminal)


@pytest.mark.parametrize(
    "text",
    [
        "yes please",
        "ok!",
        "sounds good",
        "OK, thanks",
        "The plan looks good",
        "go ahead",
        "do it",
        "Y",
        "好的，开始吧",
        "可以",
        "没问题，谢谢",
        "同意这个计划",
        "[accepted] go",
        "[ACCEPTED]",
        "ＯＫ",
    ],
)
def test_words_of_accepting_and_fillers_alone_accept(text: str) -> None:
    assert said(text) == Accept()


@pytest.mark.parametrize(
    "text", ["no thanks", "don't", "don’t", "no", "N!", "cancel please", "stop", "不要", "取消吧", "拒绝"]
)
def test_words_of_refusing_and_fillers_alone_refuse(text: str) -> None:
    assert said(text) == Refuse()


@pytest.mark.parametrize(
    "text",
    [
        "not ok",
        "no good",
        "yes and no",
        "thanks",
        "don't stop",
        "do not start",
        "不好",
        "不可以",
        "谢谢",
        "?!",
        "the plan",
    ],
)
def test_both_kinds_or_neither_are_asked_again(text: str) -> None:
    assert isinstance(said(text), Unclear)


@pytest.mark.parametrize(
    "text",
    [
        "no, add a step on cost",
        "note the price",
        "ok but add cost",
        "drop step 2",
        "yesterday's figures please",
        "加一个关于成本的步骤",
        "好的，但是加上价格",
        "noodles",
    ],
)
def test_anything_else_is_a_change_with_the_whole_text(text: str) -> None:
    assert said(text) == Edit(text=text)


def test_enter_accepts_only_at_a_terminal() -> None:
    assert said("", at_terminal=True) == Accept()
    assert said("  ", at_terminal=True) == Accept()
    assert isinstance(said(""), Unclear)


def test_all_accepts_later_plans_too() -> None:
    assert said("all") == Accept(later=True)
    assert said("yes to all") == Accept(later=True)
    assert said("all good") == Accept()


def test_edit_plan_takes_what_follows_and_nothing_is_asked_again() -> None:
    assert said("[Edit_Plan] add X") == Edit(text="add X")
    assert isinstance(said("[EDIT_PLAN]"), Unclear)
    assert isinstance(said("[EDIT_PLAN]   "), Unclear)


def test_json_replaces_the_plan() -> None:
    answer = said(json.dumps({"title": "Mine", "steps": [{"title": "a", "step_type": "Analysis"}, "look at b"]}))
    assert isinstance(answer, Replace)
    assert [(step.title, step.description, step.step_type) for step in answer.plan.steps] == [
        ("a", "", "processing"),
        ("", "look at b", None),
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"steps": [{"title": "a", "needs": ["x"]}]}', "steps.0.needs.0"),
        ('{"steps": [{"title": 7}]}', "steps.0.title"),
        ('{"steps": 5}', "steps.0"),
        ('{"steps": [', "not a plan"),
        ('{"research_topic": "x", "locale": "en-US"}', "not a plan"),
        ("[1, 2]", "not a plan"),
        ('{"steps": []}', "needs steps"),
        ('{"steps": [{"title": ""}]}', "needs steps"),
    ],
)
def test_a_bad_replacement_is_asked_again_naming_the_field(text: str, named: str) -> None:
    answer = said(text)
    assert isinstance(answer, Unclear)
    assert named in answer.why


def test_a_persons_plan_may_have_ten_steps_and_eleven_are_asked_again() -> None:
    def plan(count: int) -> str:
        return json.dumps({"steps": [{"title": f"step {n}"} for n in range(count)]})

    ten, eleven = said(plan(10)), said(plan(11))
    assert isinstance(ten, Replace)
    assert isinstance(eleven, Unclear)
    assert "11" in eleven.why


def test_a_file_is_named_only_at_a_terminal() -> None:
    assert said("@plan.json", at_terminal=True) == PlanFile("plan.json")
    assert said("@plan.json") == Edit(text="@plan.json")


def test_a_clarifying_answer_is_text_a_choice_or_empty() -> None:
    asked = Clarification(question="Which aspect?", choices=("history", "risk"))
    assert read_answer(asked, "2") == Words(text="risk")
    assert read_answer(asked, "3") == Words(text="3")
    assert read_answer(asked, " costs ") == Words(text="costs")
    assert read_answer(asked, "") == Words()


def test_an_approval_is_given_refused_with_its_words_or_asked_again() -> None:
    asked = Approval(tool="python")
    assert read_answer(asked, "yes") == Accept()
    assert read_answer(asked, "no") == Refuse()
    assert read_answer(asked, "no, it costs too much") == Refuse(reason="no, it costs too much")
    assert isinstance(read_answer(asked, "perhaps"), Unclear)
    assert isinstance(read_answer(asked, ""), Unclear)
