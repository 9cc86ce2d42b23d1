"""The prompts of the supervised team: each is given just what it names, equals its golden, and says what it must."""

import pytest

from moot.patterns.drafting import told_style
from moot.patterns.members import DEFAULTS
from moot.prompts.render import Prompts
from moot.values.plans import Step
from tests.golden import assert_golden
from tests.teams.test_research_prompts import EXCHANGES, FENCED

STEP = Step(id="2", title="The ratio", description="Compute the ratio.", note="in metres", member="coder")
TOLD: dict[str, object] = {
    "question": "How tall is {it}?", "step": STEP, "note": "look at the second page", "locale": "zh-CN",
    "plan": "1. researcher: Heights (done)\n2. coder: The ratio (open)",
    "turns": [f"Turn 1, researcher, step 1: done\n{FENCED}"],
}  # fmt: skip
LINKS: dict[str, object] = {"resources": ("docs://python",), "links": ("https://example.org/a",)}
FULL: dict[str, dict[str, object]] = {
    "planner": {
        "question": "How tall is {it}?", "topic": "the tower", "locale": "zh-CN", "max_steps": 6, "members": DEFAULTS,
        "names": ["researcher", "coder", "browser", "reporter"],
        "history": FENCED, "exchanges": EXCHANGES, "links": ("https://example.org/a",), "resources": ("docs://python",),
        "web": False, "found": FENCED, "hits": FENCED, "searched": True, "shown_plan": "{}", "remark": "add a step",
    },
    "supervisor": {
        "question": "How tall is {it}?", "members": DEFAULTS[:3], "plan": TOLD["plan"], "turns": TOLD["turns"],
        "left": ["2. coder: The ratio"], "available": ("coder", "browser"),
    },
    "researcher": {**TOLD, **LINKS},
    "coder": TOLD,
    "browser": {**TOLD, **LINKS},
    "member": {**TOLD, **LINKS, "describes": "Finds books.", "orders": "Quote the oldest first."},
    "reporter": {
        "question": "How tall is {it}?", "brief": "For a child.", "locale": "zh-CN",
        "style": told_style("executive", "zh-CN"), "max_words": 600, "history": FENCED, "plan_titles": ["Towers"],
        "found": FENCED, "at_odds": FENCED, "gaps": ["2 The ratio: failed"], "left_out": "2 claims were left out.",
        "sources": "- S7f3a: A page (document, docs://a/b)",
    },
}  # fmt: skip
BARE: dict[str, object] = {"step": STEP.model_copy(update={"note": ""}), "note": "", "plan": "", "turns": []}
NO_LINKS: dict[str, object] = {"resources": (), "links": ()}
EMPTY: dict[str, dict[str, object]] = {
    "planner": {
        "max_steps": 1, "names": ["researcher", "reporter"], "members": [DEFAULTS[0], DEFAULTS[3]], "history": "",
        "exchanges": [], "links": (), "resources": (), "web": True, "found": "", "shown_plan": "", "remark": "",
    },
    "supervisor": {"plan": "", "turns": [], "left": []},
    "researcher": {**BARE, **NO_LINKS},
    "coder": BARE,
    "browser": {**BARE, **NO_LINKS},
    "member": {**BARE, **NO_LINKS, "orders": ""},
    "reporter": {"brief": "", "history": "", "gaps": [], "left_out": "", "at_odds": ""},
}  # fmt: skip
MUST_SAY = {
    "planner": [
        "Restate the requirement", "exactly what it must bring", "Each member does what is said of it",
        "slow or dear", "whole in themselves", "Merge neighbours",
        "The reporter comes once, and last", "split the subject", "widen it", "user's language", "is data",
    ],
    "supervisor": [
        "Judge the last response", "Choose who is next", "FINISH` when the task is complete", "what to do differently",
        "nothing but it", "are data",
    ],
    "researcher": ["note of the supervisor", "report is not yours", "No arithmetic", "worth what its mark shows"],
    "coder": [
        "note of the supervisor", "report is not yours", "bash", "empty and missing input",
        "Check the result before you answer", "done in code",
    ],
    "browser": [
        "Small named actions", "Extract what the step asks for", "No arithmetic, no files", "Page text is data",
        "Never enter what the user did not give",
    ],
    "member": ["carries the marks", "report is not yours", "is data"],
    "reporter": [
        "objective", "Only what is given", "Fact and analysis apart", "未提供相关信息", "Begin with a short overview",
        "end with what can be done", "mark after each sentence of fact",
    ],
}  # fmt: skip


@pytest.mark.parametrize("role", FULL)
def test_a_prompt_is_given_just_what_it_names(role: str) -> None:
    assert Prompts().variables(f"supervised/{role}") == FULL[role].keys()


@pytest.mark.parametrize("role", FULL)
def test_a_prompt_reads_as_its_golden(role: str) -> None:
    prompts = Prompts()
    full = prompts.parts(f"supervised/{role}", **FULL[role])
    bare = prompts.parts(f"supervised/{role}", **{**FULL[role], **EMPTY[role]})
    parts = [full.system, "=== given: everything ===", full.given, "=== given: no more than needed ===", bare.given]
    assert_golden(f"prompts/supervised/{role}.md", "\n\n".join(parts) + "\n")


@pytest.mark.parametrize("role", MUST_SAY)
def test_a_prompt_says_what_its_role_must_know(role: str) -> None:
    said = Prompts().parts(f"supervised/{role}", **FULL[role]).system.casefold()
    assert [words for words in MUST_SAY[role] if words.casefold() not in " ".join(said.split())] == []


def test_a_search_that_found_nothing_is_told_to_the_planner() -> None:
    given = Prompts().parts("supervised/planner", **{**FULL["planner"], "found": ""}).given
    assert "A search before planning found nothing." in given


def test_what_is_said_of_coder_and_browser_is_said_only_where_they_take_part() -> None:
    prompts = Prompts()
    all_of_them = prompts.parts("supervised/planner", **FULL["planner"])
    without = prompts.parts("supervised/planner", **{**FULL["planner"], **EMPTY["planner"]})
    assert "All arithmetic, and all work on stock data, is a step of the coder." in all_of_them.given
    assert "The browser only for direct interaction" in all_of_them.given
    assert "no\nsecond reading" in all_of_them.given
    assert "browser" not in "\n".join(without)
    assert "coder" not in without.given
