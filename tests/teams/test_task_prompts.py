"""What the agents of the team task are told, whole: reviewed like code."""

import pytest

from moot.patterns.routes import Exchange
from moot.prompts.render import Prompts
from tests.golden import assert_golden

STEP: dict[str, object] = {
    "request": "Mend the failing test.", "title": "Mend it", "position": "step 2 of 3; 1 follows",
    "step": "[swe] Make test_add pass", "locale": "en-US", "done": "<data-1>\n## Find it\nadd.py\n</data-1>",
    "blocked": ["Ask the author: nobody answers"], "learned": "stuck: 3 times the same",
    "workspace": ["add.py", "test_add.py"], "history": "<data-2>\nearlier\n</data-2>",
}  # fmt: skip
PLAN = "Plan: Trip (ID: plan_1)\n========================\n"
GIVEN: dict[str, dict[str, object]] = {
    **dict.fromkeys(("general", "swe", "browser", "data", "planning"), STEP),
    "planner": {
        "request": "Mend the failing test.", "locale": "en-US", "executors": ["general", "swe"], "asking": True,
        "exchanges": [Exchange(question="Which?", answer="The first.")], "history": "", "last": PLAN,
        "remark": "fewer steps",
    },
    "replanner": {
        "request": "Mend it.", "locale": "en-US", "executors": ["general"], "plan": PLAN, "failed": ["Pack: no bag"],
        "wanted": ["Book"], "open": ["Fly"],
    },
    "reporter": {
        "request": "Mend it.", "locale": "en-US", "plan": PLAN, "found": "<data-1>\n## Book (completed)\nok\n</data-1>",
        "files": ["a.txt"], "unfinished": ["Fly: no plane"], "sources": "- S7f3a: A page",
    },
}  # fmt: skip


@pytest.mark.parametrize("role", sorted(GIVEN))
def test_a_prompt_reads_as_its_golden(role: str) -> None:
    parts = Prompts().parts(f"task/{role}", **GIVEN[role])
    assert_golden(f"prompts/task/{role}.md", f"{parts.system}\n\n---\n\n{parts.given}\n")


def test_what_is_not_there_leaves_no_empty_heading() -> None:
    bare = {**STEP, "done": "", "blocked": [], "learned": "", "workspace": [], "history": ""}
    given = Prompts().parts("task/general", **bare).given
    assert "completed steps" not in given
    assert "Files in" not in given
    assert given.rstrip().endswith("Locale: en-US")
