"""Plays the planner of a supervised team without a model: who looks up, acts on a page, computes; the reporter last."""

import re
from collections.abc import Collection

from moot.agents.agent import Gate, Given
from moot.patterns.supervise import REPORTER
from moot.patterns.team_rules import WRITE
from moot.patterns.understudies.parts import compared, parts, wants_computing
from moot.patterns.understudies.planner import COMPUTE
from moot.patterns.understudies.remarks import changed
from moot.patterns.wording import worded
from moot.text.arithmetic import arithmetic
from moot.values.plans import Plan, TeamPlan, TeamStep

_LINK = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
ACTS = re.compile(
    r"\b(?:open|visit|click|log ?in|sign in|fill|scroll|press|submit)\b|打开|访问|点击|登录|填写|滚动|提交",
    re.IGNORECASE,
)
"""Words of acting on a page."""
_TITLE = 80


async def team_planner(gate: Gate, given: Given) -> TeamPlan:
    """The plan, or the last one changed as a person's remark says."""
    question, locale, topic = str(given["question"]), str(given["locale"]), str(given["topic"])
    names, last, remark = given["names"], given["last_plan"], str(given["remark"])
    assert isinstance(names, Collection)
    if remark and isinstance(last, Plan):
        return as_written(last.model_copy(update={"steps": changed(last.steps, remark)}))
    return team_plan(question, topic=topic, locale=locale, names=names)


def team_plan(question: str, *, topic: str, locale: str, names: Collection[object]) -> TeamPlan:
    """The plan of a question, for the members of these names."""
    steps = _working(question, topic, locale, names=names)
    title = (topic or question)[:_TITLE]
    last = TeamStep(agent_name=REPORTER, title=worded(locale, *WRITE))
    return TeamPlan(thought=topic[:2_000], title=title, steps=(*steps, last))


def as_written(plan: Plan) -> TeamPlan:
    """A plan as a planner of this team writes it."""
    steps = tuple(
        TeamStep(agent_name=step.member, title=step.title, description=step.description, note=step.note)
        for step in plan.steps
    )
    return TeamPlan(thought=plan.thought, title=plan.title, steps=steps)


def _working(question: str, topic: str, locale: str, *, names: Collection[object]) -> list[TeamStep]:
    asked = topic or question
    if arithmetic(question) and "coder" in names:
        return [TeamStep(agent_name="coder", title=question[:_TITLE], description=question[:2_000])]
    if "browser" in names and _LINK.search(question) and ACTS.search(question):
        found = [TeamStep(agent_name="browser", title=asked[:_TITLE], description=question[:2_000])]
    else:
        found = [TeamStep(agent_name="researcher", title=asked[:_TITLE], description=_numbered(asked)[:2_000])]
    if wants_computing(question) and "coder" in names:
        title = worded(locale, *COMPUTE)
        found.append(TeamStep(agent_name="coder", title=title, description=title))
    return found


def _numbered(question: str) -> str:
    """The parts of a question, a line each."""
    split = parts(question) or [question]
    if len(split) == 1:
        split = [*compared(split[0])] or split
    return "\n".join(f"{n}. {part}" for n, part in enumerate(split, 1))
