"""The planner without a model: parts, comparisons, direct questions, lenses, computing; later rounds; remarks."""

import pytest

from moot.patterns.lenses import lens_of
from moot.patterns.understudies.parts import compared, is_direct, parts, wants_computing
from moot.patterns.understudies.planner import first_plan, later_plan
from moot.patterns.understudies.remarks import changed
from moot.values.plans import Step, StepResult, StepStatus


def titles(question: str, *, most: int = 3, locale: str = "en-US") -> list[str]:
    plan = first_plan(question, topic=question, locale=locale, most=most)
    return [f"{(step.step_type or '?')[0]} {step.title}" for step in plan.steps]


def test_pure_arithmetic_is_one_processing_step() -> None:
    assert titles("What is 17 * 23?") == ["p What is 17 * 23?"]


def test_a_direct_question_is_one_research_step_with_that_title() -> None:
    assert titles("What does the with statement do?") == ["r What does the with statement do?"]
    assert titles("In which order are elements evaluated?") == ["r In which order are elements evaluated?"]
    assert titles("作为40岁的男人，如何减肥？", locale="zh-CN") == ["r 作为40岁的男人，如何减肥？"]


def test_a_word_of_computing_keeps_the_last_place_for_a_processing_step() -> None:
    question = "How many times taller is the Burj Khalifa than the Eiffel Tower?"
    assert titles(question) == [f"r {question}", "p Compute what the question asks for"]
    assert titles("a ratio of this? and b? and c? and d?", most=3)[-1].startswith("p ")
    assert titles("A塔是B塔的多少倍高？", locale="zh-CN")[-1] == "p 计算问题所求"


def test_several_parts_are_a_step_each() -> None:
    assert titles("What is a dict? What is a list?") == ["r What is a dict?", "r What is a list?"]
    assert parts("a; b\nc？d") == ["a", "b", "c？", "d"]
    assert parts("数据库多久备份一次？请用英文回答") == ["数据库多久备份一次？"]


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("Compare A and B", ("A", "B")),
        ("Python vs Rust", ("Python", "Rust")),
        ("Compare the GDP of Japan and Germany", ("the GDP of Japan", "the GDP of Germany")),
        (
            "Compare cats, dogs and birds in terms of cost",
            ("cats in terms of cost", "dogs in terms of cost", "birds in terms of cost"),
        ),
        ("Compare a, b, c, d and e", ("a", "b", "c", "d")),
        ("比较日本和德国的GDP", ("日本的GDP", "德国的GDP")),
        ("日本与德国的对比", ("日本", "德国")),
        ("What is the difference between A and B?", ()),
    ],
)
def test_what_is_compared_is_a_step_a_side(question: str, sides: tuple[str, ...]) -> None:
    assert compared(question) == sides


def test_a_comparison_ends_with_the_comparative_lens() -> None:
    plan = first_plan("Python vs Rust", topic="Python vs Rust", locale="en-US", most=3)
    assert [lens.name if (lens := lens_of(step)) else None for step in plan.steps] == [None, None, "comparative"]


def test_a_wide_question_is_a_step_a_lens_triggered_ones_first() -> None:
    plan = first_plan("The impact of AI on workers", topic="The impact of AI on workers", locale="en-US", most=4)
    names = [lens.name for step in plan.steps if (lens := lens_of(step))]
    assert names == ["stakeholders", "current", "quantitative", "comparative"]
    assert titles("电动汽车的风险与历史", most=2, locale="zh-CN") == [
        "r 历史：电动汽车的风险与历史",
        "r 风险与局限：电动汽车的风险与历史",
    ]


@pytest.mark.parametrize(
    ("text", "direct"),
    [
        ("Is it true?", True),
        ("Calculate it", True),
        ("Which market strategy is best?", False),
        ("Electric cars", False),
        ("Why " + "very " * 30 + "long?", False),
        ("什么是GIL", True),
        ("分析什么是GIL", False),
        ("塔有多高？", True),
    ],
)
def test_direct_questions_are_told_from_wide_ones(text: str, direct: bool) -> None:
    assert is_direct(text) is direct


def test_words_of_computing() -> None:
    assert wants_computing("How much heavier is A than B?")
    assert wants_computing("Convert 5 miles to km")
    assert not wants_computing("How do I convert a list to a tuple?")
    assert not wants_computing("What is the difference between is and ==?")


# later rounds


def result(step_id: str, status: StepStatus, *, retry_of: str | None = None) -> StepResult:
    return StepResult(id=step_id, title=f"t{step_id}", step_type="research", status=status, retry_of=retry_of)


def test_it_is_enough_when_all_is_done_or_a_second_look_would_see_the_same() -> None:
    assert later_plan([result("1.1", "done")], locale="en-US", same_again=False).has_enough_context
    assert later_plan([result("1.1", "empty")], locale="en-US", same_again=True).has_enough_context


def test_each_gap_is_looked_for_once_more_and_never_a_third_time() -> None:
    once = later_plan([result("1.1", "empty"), result("1.2", "done")], locale="en-US", same_again=False)
    assert [(step.title, step.retry_of) for step in once.steps] == [("Again, more widely: t1.1", "1.1")]
    twice = [result("1.1", "empty"), result("2.1", "empty", retry_of="1.1")]
    assert later_plan(twice, locale="en-US", same_again=False).has_enough_context


# remarks


@pytest.mark.parametrize(
    ("remark", "left"),
    [
        ("add X", ["a", "b", "c", "X"]),
        ("no, add a step on cost", ["a", "b", "c", "cost"]),
        ("加一个关于成本的步骤", ["a", "b", "c", "成本"]),
        ("drop step 2", ["a", "c"]),
        ("remove steps 1 and 3", ["b"]),
        ("删除第2步", ["a", "c"]),
        ("only step 3", ["c"]),
        ("只保留第一步", ["a"]),
        ("note the price", ["a", "b", "c", "note the price"]),
        ("drop step 9", ["a", "b", "c"]),
        ("drop steps 1, 2 and 3", ["a", "b", "c"]),
    ],
)
def test_a_remark_changes_what_it_says_and_keeps_the_rest(remark: str, left: list[str]) -> None:
    steps = [Step(title=title) for title in "abc"]
    assert [step.title for step in changed(steps, remark)] == left


def test_needs_are_counted_anew_when_a_step_goes() -> None:
    steps = [Step(title="a"), Step(title="b"), Step(title="c", needs=(1, 2)), Step(title="d", needs=(1,))]
    assert [step.needs for step in changed(steps, "drop step 1")] == [None, (1,), None]
