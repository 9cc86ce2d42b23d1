"""The plan rules of a supervised team, one by one, and the shapes in which a plan is taken."""

import pytest
from pydantic import JsonValue

from moot.patterns.members import DEFAULTS, Member, MemberSetting, everybody
from moot.patterns.plan_rules import Ruled
from moot.patterns.team_plan import shape
from moot.patterns.team_rules import TeamSituation, obey_team, working
from moot.values.plans import Plan, Step

WHOLE = {"r": "researcher", "c": "coder", "b": "browser", "R": "reporter"}


def plan(letters: str) -> Plan:
    """A plan whose steps are named by their members' letters, and told apart by their place."""
    steps = [
        Step(title=f"T{n}", description=f"D{n}", member=WHOLE[letter]) for n, letter in enumerate(letters.split(), 1)
    ]
    return Plan(title="A plan", steps=tuple(steps))


def now(locale: str = "en-US", *, without: str = "", read: bool = False, most: int = 6) -> TeamSituation:
    members: list[Member] = [member for member in DEFAULTS if member.name != without]
    return TeamSituation(locale, "the topic", members, most, anything_read=read)


def ruled(letters: str, situation: TeamSituation | None = None) -> Ruled:
    return obey_team(plan(letters), situation or now())


def letters_of(plan: Plan) -> str:
    short = {name: letter for letter, name in WHOLE.items()}
    return " ".join(short[step.member] for step in plan.steps)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("r r c r R", "r c r R"),
        ("R r c", "r c R"),
        ("r R c R", "r c R"),
        ("r c", "r c R"),
        ("R", "r R"),
        ("r c b R", "r c b R"),
    ],
)
def test_the_reporter_stands_last_and_neighbours_of_one_member_are_one(given: str, kept: str) -> None:
    assert letters_of(ruled(given).plan) == kept


def test_texts_of_merged_steps_are_joined() -> None:
    first = ruled("r r c R").plan.steps[0]
    assert (first.title, first.description) == ("T1 · T2", "D1\n\nD2")


def test_neighbours_whose_texts_one_step_cannot_hold_stay_two() -> None:
    steps = tuple(Step(title=f"T{n}", description="d" * 1_500, member="researcher") for n in (1, 2))
    kept = obey_team(Plan(steps=steps), now()).plan
    assert [len(step.description) for step in working(kept)] == [1_500, 1_500]


def test_the_last_reporter_steps_text_is_the_one_that_is_kept() -> None:
    last = ruled("r R c R").plan.steps[-1]
    assert (last.member, last.title, last.description) == ("reporter", "T4", "D4")


def test_the_reporter_alone_stays_alone_when_something_was_read() -> None:
    assert letters_of(ruled("R", now(read=True)).plan) == "R"


def test_eight_steps_that_do_not_merge_are_cut_to_six_and_the_cut_is_told() -> None:
    kept = ruled("r c r c r c r c R")
    assert letters_of(kept.plan) == "r c r c r c R"
    assert kept.repairs == ("2 steps cut",)


@pytest.mark.parametrize(
    ("member", "text", "without", "done_by"),
    [
        ("Data-Analyst", "compute the mean", "", "coder"),
        ("browser", "read the page", "browser", "researcher"),
        ("statistician", "计算平均值", "", "coder"),
        ("statistician", "compute the mean", "coder", "researcher"),
        ("", "look at it", "", "researcher"),
    ],
)
def test_a_step_of_somebody_who_is_not_there_goes_to_coder_or_researcher(
    member: str, text: str, without: str, done_by: str
) -> None:
    kept = obey_team(Plan(steps=(Step(title=text, member=member),)), now(without=without))
    assert kept.plan.steps[0].member == done_by
    assert any(f"no {member}" in note or f"没有 {member}" in note for note in kept.repairs) == bool(member)


@pytest.mark.parametrize(("word", "meant"), [("研究员", "researcher"), ("程序员", "coder"), ("CODER", "coder")])
def test_a_member_is_read_as_meant(word: str, meant: str) -> None:
    kept = obey_team(Plan(steps=(Step(title="x", member=word),)), now())
    assert kept.plan.steps[0].member == meant
    assert not [note for note in kept.repairs if word in note]


def test_steps_without_words_go_and_are_counted() -> None:
    kept = obey_team(Plan(steps=(Step(member="coder"), Step(description="look", member="researcher"))), now())
    assert [step.title for step in working(kept.plan)] == ["look"]
    assert "1 empty step dropped" in kept.repairs


def test_a_person_s_plan_is_only_put_in_order() -> None:
    mine = TeamSituation("en-US", "t", DEFAULTS, 1, by_person=True)
    kept = obey_team(plan("r r R c"), mine)
    assert letters_of(kept.plan) == "r r c R"
    assert all(step.by_person for step in kept.plan.steps)


def test_notes_are_in_the_language_of_the_run() -> None:
    assert ruled("r c r c r c r c R", now("zh-CN")).repairs == ("删去多出的 2 个步骤",)


def test_a_member_of_one_s_own_may_be_planned() -> None:
    own = everybody({"librarian": MemberSetting(desc="d", desc_for_llm="finds books", tools=("search",))})
    kept = obey_team(Plan(steps=(Step(title="x", member="Librarian"),)), TeamSituation("en-US", "t", own))
    assert kept.plan.steps[0].member == "librarian"
    assert kept.plan.steps[0].need_search


# the shapes in which a plan is taken


def test_a_bare_list_of_steps_is_a_plan() -> None:
    from_list = shape([{"agent_name": "coder", "title": "a"}, {"agent_name": "reporter", "title": "b"}])
    assert isinstance(from_list, dict)
    assert [step["agent_name"] for step in steps_of(from_list)] == ["coder", "reporter"]


@pytest.mark.parametrize("raw", [{"steps": None}, {"steps": []}, {"steps": [{}]}, "prose", {"error": "no"}, None])
def test_what_holds_nothing_to_do_is_no_plan(raw: JsonValue) -> None:
    with pytest.raises(ValueError, match="a plan is wanted"):
        shape(raw)


def steps_of(shaped: dict[str, JsonValue]) -> list[dict[str, JsonValue]]:
    steps = shaped["steps"]
    assert isinstance(steps, list)
    return [step for step in steps if isinstance(step, dict)]
