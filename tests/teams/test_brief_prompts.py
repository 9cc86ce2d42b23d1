"""The prompts of a brief and of roles: each is given just what it names, equals its golden, and says what it must."""

import pytest

from moot.patterns.roles_tasks import Task
from moot.prompts.render import Prompts
from tests.golden import assert_golden

FENCED = "<data-0123456789ab>\nwhat came from outside\n</data-0123456789ab>"
PAGE: dict[str, object] = {"question": "How tall is {it}?", "topic": "{it}", "locale": "zh-CN", "title": "A page"}
ROLE: dict[str, object] = {
    "profile": "Researcher", "goal": "A report", "constraints": "Nothing from memory", "history": FENCED,
    "actions": ["collect_links: find links", "write: write it"],
}  # fmt: skip

FULL: dict[str, dict[str, object]] = {
    "brief/keyworder": {"topic": "{it} vs {{ that }}", "locale": "en-US"},
    "brief/decomposer": {
        "topic": "{it} vs {{ that }}", "locale": "en-US", "most": 4, "history": FENCED, "results": FENCED,
        "last": ["What is it?"], "remark": "ask for the price",
    },
    "brief/ranker": {"question": "How tall is {it}?", "locale": "en-US", "n": 2, "today": "2026-01-02", "told": FENCED},
    "brief/digester": {**PAGE, "page": FENCED},
    "brief/merge": {**PAGE, "points": FENCED},
    "brief/writer": {
        "topic": "{it}", "locale": "en-US", "tone": "formal", "max_words": 600, "history": FENCED, "found": FENCED,
        "at_odds": FENCED, "gaps": ["2 Price: nothing was found"], "left_out": "2 weaker points were left out.",
        "sources": "- S7f3a: A page (web, //example.org/)",
    },
    "roles/choose": {**ROLE, "previous": "write", "task": "write it", "n": 2},
    "roles/plan": {
        **ROLE, "tasks": [Task(id="1", instruction="find"), Task(id="2", instruction="write", depends_on=("1",))],
        "failed": "find",
    },
}  # fmt: skip
EMPTY: dict[str, dict[str, object]] = {
    "brief/decomposer": {"history": "", "results": "", "last": [], "remark": ""},
    "brief/ranker": {"n": 1},
    "brief/writer": {"history": "", "at_odds": "", "gaps": [], "left_out": ""},
    "roles/choose": {"goal": "", "constraints": "", "previous": "", "task": ""},
    "roles/plan": {"goal": "", "constraints": "", "tasks": [], "failed": ""},
}
MUST_SAY = {
    "brief/keyworder": ["one or two search keywords", "language of the topic", "Only the topic itself"],
    "brief/decomposer": [
        "exactly as many", "searchable by itself", "Together they cover", "Use what a first search showed"
    ],
    "brief/ranker": [
        "Drop what does not serve", "how far the site can be relied on", "the newer one goes first", "count from 0"
    ],
    "brief/digester": ["to one question", "figures and dates", "who says so", "Nothing from outside the page", "data"],
    "brief/merge": ["at most twelve", "marks of the points it was made of"],
    "brief/writer": [
        "Answer the topic", "one section for each sub-question", "table", "mark after each sentence", "missing",
        "sources disagree", "fewer if the evidence is thin",
    ],
    "roles/choose": ["between two lines of `===`", "one number and nothing else", "-1 when your work is done"],
    "roles/plan": ["depends_on", "No circle", "finished tasks at the beginning"],
}  # fmt: skip


@pytest.mark.parametrize("prompt", FULL)
def test_a_prompt_is_given_just_what_it_names(prompt: str) -> None:
    assert Prompts().variables(prompt) == FULL[prompt].keys()


@pytest.mark.parametrize("prompt", FULL)
def test_a_prompt_reads_as_its_golden(prompt: str) -> None:
    prompts = Prompts()
    full, bare = (
        prompts.parts(prompt, **FULL[prompt]),
        prompts.parts(prompt, **{**FULL[prompt], **EMPTY.get(prompt, {})}),
    )
    parts = [full.system, "=== given: everything ===", full.given, "=== given: no more than needed ===", bare.given]
    assert_golden(f"prompts/{prompt}.md", "\n\n".join(parts) + "\n")


@pytest.mark.parametrize("prompt", MUST_SAY)
def test_a_prompt_says_what_its_role_must_know(prompt: str) -> None:
    said = " ".join(Prompts().parts(prompt, **FULL[prompt]).system.casefold().split())
    assert [words for words in MUST_SAY[prompt] if words.casefold() not in said] == []
