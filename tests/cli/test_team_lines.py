"""What a person reads of a supervised team: its plan, choices and turns, in both languages."""

from moot.cli.card import card
from moot.cli.console import Console
from moot.cli.team_lines import choice_line, plan_lines, turn_line
from moot.values.events import Planned, Supervised, TurnEnded
from moot.values.plans import Plan, Step
from moot.values.usage import Spent

PLAN = Plan(
    title="Two towers",
    steps=(
        Step(id="1", title="Heights", description="Find both.", member="researcher"),
        Step(id="2", title="The ratio", note="in metres", member="coder"),
        Step(id="3", title="Write the report", member="reporter"),
    ),
)
PLANNED = Planned(round=1, rounds=1, plan=PLAN, repairs=("2 steps cut",), by="model")


def ended(**given: object) -> TurnEnded:
    fields: dict[str, object] = {
        "n": 1, "member": "researcher", "step": 1, "status": "done", "claims": 2, "sources": 1, "spent": Spent(),
        "by": "model",
    }  # fmt: skip
    return TurnEnded.model_validate({**fields, **given})


def test_a_plan_is_told_by_its_members_without_the_reporter() -> None:
    assert list(plan_lines(PLANNED, Console())) == [
        "plan         Two towers · 2 steps",
        "  1 researcher  Heights",
        "  2 coder       The ratio",
        "  changed by the program: 2 steps cut",
    ]


def test_a_plan_to_be_reviewed_is_shown_whole() -> None:
    assert list(card(PLAN, (), Console())) == [
        "  1 researcher  Heights",
        "                Find both.",
        "  2 coder       The ratio",
        "                in metres",
        "  3 reporter    Write the report",
    ]


def test_a_choice_is_told_with_its_note() -> None:
    chosen = Supervised(turn=1, next="coder", note="in\nmetres", by="model")
    assert choice_line(chosen, Console()) == "supervise    → coder · in metres"
    assert choice_line(chosen.model_copy(update={"note": ""}), Console(zh=True)) == "主管         → coder"


def test_a_turn_is_told_by_what_it_brought() -> None:
    assert turn_line(ended(), Console()) == "  turn 1     researcher · step 1 done · 2 claims · 1 source"
    coder = ended(n=12, member="coder", step=None, claims=0, values=2, files=("a.csv",))
    assert turn_line(coder, Console()) == "  turn 12    coder · extra turn done · 2 values · 1 file"
    empty = ended(status="failed", reason="needs_model", claims=0, sources=0)
    assert turn_line(empty, Console(zh=True)) == (
        "  轮次 1     researcher · 第 1 步失败 · needs_model · 0 条陈述 · 0 个来源"
    )
