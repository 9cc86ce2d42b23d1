"""The plan rules of a supervised team, in code and in this order, whoever wrote the plan. Rule 1 is plan_shapes.py's.

| # | rule                                                                                                          |
|---|---------------------------------------------------------------------------------------------------------------|
| 2 | a step's member is read as meant; of one who is not there, coder (it speaks of computing) or researcher do it   |
| 3 | steps without title and description go                                                                        |
| 4 | reporter steps leave their places; one stands last                                                            |
| 5 | neighbours of one member are merged                                                                           |
| 6 | only the reporter left, and nothing read yet: one step of the researcher                                      |
| 7 | of more working steps than there may be, the first stay                                                       |

A person's own plan is only put in order: rules 5 to 7 judge what it asks for, and are not applied to it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from moot.patterns.members import Member
from moot.patterns.plan_rules import Ruled
from moot.patterns.supervise import REPORTER, named
from moot.patterns.wording import worded
from moot.values.plans import Plan, Step

_LONGEST_TITLE, _LONGEST = 120, 2_000
_COMPUTES = re.compile(
    r"\b(?:calculat|comput|arithmetic|statistic|code\b|coding|program|script|python|average|mean\b|median|ratio|percent"
    r"|sum\b|regress|plot|chart|parse|dataset|csv)"
    r"|计算|统计|编程|代码|程序|脚本|平均|比率|比例|百分比|求和|总和|绘图|画图|数据处理",
    re.IGNORECASE,
)
WRITE = ("Write the report", "撰写报告")


@dataclass(frozen=True, slots=True)
class TeamSituation:
    """What the rules must know beside the plan."""

    locale: str
    topic: str
    members: Sequence[Member]
    """Of this run, the reporter too."""
    max_steps: int = 6
    anything_read: bool = False
    by_person: bool = False


def obey_team(plan: Plan, now: TeamSituation) -> Ruled:
    """The plan with rules 2 to 7 applied, and a note of each change. Its last step is the reporter's."""
    locale = plan.locale if now.by_person and plan.locale else now.locale
    notes: list[str] = []
    steps = [_with_member(step, now, notes) for step in plan.steps]
    steps = _titled(steps, locale, notes)
    steps, last = _reporter_last(steps, locale, notes)
    if not now.by_person:
        steps = _merged(steps, locale, notes)
        if not steps and not now.anything_read:
            steps = [_collecting(now)]
            notes.append(worded(locale, "a research step was put first", "在最前加入一个研究步骤"))
        steps = _cut(steps, now.max_steps, locale, notes=notes)
    kinds = {member.name: member.kind for member in now.members}
    finished = [
        step.model_copy(
            update={
                "id": str(n), "need_search": kinds.get(step.member) == "researcher",
                "step_type": "processing" if kinds.get(step.member) == "coder" else "research",
                "by_person": now.by_person or step.by_person,
            }
        )
        for n, step in enumerate([*steps, last], 1)
    ]  # fmt: skip
    title = plan.title.strip() or now.topic[:_LONGEST_TITLE]
    kept = {"locale": locale, "has_enough_context": False, "title": title, "steps": tuple(finished)}
    return Ruled(plan.model_copy(update=kept), tuple(notes))


def working(plan: Plan) -> tuple[Step, ...]:
    """The steps that members work on: all but the reporter's, which is last."""
    return tuple(step for step in plan.steps if step.member != REPORTER)


# rule 2


def _with_member(step: Step, now: TeamSituation, notes: list[str]) -> Step:
    there = {member.name for member in now.members}
    meant = named(step.member) if step.member.strip() else ""
    if meant in there:
        return step.model_copy(update={"member": meant})
    computes = "coder" in there and _COMPUTES.search(f"{step.title}\n{step.description}")
    member = "coder" if computes else "researcher"
    if meant:
        notes.append(
            worded(
                now.locale, "{title}: there is no {asked} in the team, so {member} does it",
                "{title}：团队中没有 {asked}，改由 {member} 完成",
                title=step.title or step.description[:60], asked=step.member, member=member,
            )
        )  # fmt: skip
    return step.model_copy(update={"member": member})


# rule 3


def _titled(steps: list[Step], locale: str, notes: list[str]) -> list[Step]:
    kept = [
        step.model_copy(update={"title": step.title.strip() or step.description.strip()[:60]})
        for step in steps
        if step.title.strip() or step.description.strip()
    ]
    if gone := len(steps) - len(kept):
        notes.append(worded(locale, "{n} empty {steps} dropped", "删去 {n} 个空步骤", n=gone, steps=_steps(gone)))
    return kept


# rule 4


def _reporter_last(steps: list[Step], locale: str, notes: list[str]) -> tuple[list[Step], Step]:
    of_reporter = [step for step in steps if step.member == REPORTER]
    others = [step for step in steps if step.member != REPORTER]
    if not of_reporter:
        notes.append(worded(locale, "the reporter's step was put last", "在最后加入报告步骤"))
        return others, Step(title=worded(locale, *WRITE), member=REPORTER)
    if len(of_reporter) > 1 or steps[-1].member != REPORTER:
        notes.append(worded(locale, "the reporter writes once, and last", "报告只写一次，放在最后"))
    return others, of_reporter[-1]


# rule 5


def _merged(steps: list[Step], locale: str, notes: list[str]) -> list[Step]:
    kept: list[Step] = []
    for member, group in groupby(steps, key=lambda step: step.member):
        run: list[Step] = []
        for step in group:
            # What one step cannot hold stays two: nothing of what was asked for is cut off.
            if run and len(_joined(one.description for one in (*run, step))) > _LONGEST:
                kept.append(_one(run))
                run = []
            run.append(step)
        if len(run) > 1:
            notes.append(worded(locale, "{n} steps of {member} became one", "{member} 的 {n} 个步骤合为一个",
                                n=len(run), member=member))  # fmt: skip
        kept.append(_one(run))
    return kept


def _one(steps: Sequence[Step]) -> Step:
    if len(steps) == 1:
        return steps[0]
    title = " · ".join(step.title for step in steps)
    described = {"description": _joined(step.description for step in steps)}
    note = _joined(step.note for step in steps)
    return steps[0].model_copy(update={"title": title[:_LONGEST_TITLE], "note": note, **described})


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())


# rules 6 and 7


def _collecting(now: TeamSituation) -> Step:
    title = worded(
        now.locale, "Collect what the question needs: {topic}", "收集问题所需的信息：{topic}", topic=now.topic
    )
    return Step(title=title[:_LONGEST_TITLE], description=title, member="researcher")


def _cut(steps: list[Step], most: int, locale: str, *, notes: list[str]) -> list[Step]:
    if gone := max(0, len(steps) - most):
        notes.append(worded(locale, "{n} {steps} cut", "删去多出的 {n} 个步骤", n=gone, steps=_steps(gone)))
    return steps[:most]


def _steps(count: int) -> str:
    return "step" if count == 1 else "steps"
