"""The plan rules of research plans, in code and in this order, whoever wrote the plan. Rule 1 is plan_shapes.py's.

Each change is noted in `repairs`, in the locale, and shown to the reviewer. A person's own plan is only put in order:
what it asks for is not judged (rules 5, 6 and 7), and it may be longer (rule 8).
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field

from moot.patterns.wording import worded
from moot.values.plans import Plan, Step, StepResult

MOST_STEPS_OF_A_PERSON = 10


@dataclass(frozen=True, slots=True)
class Situation:
    """What the rules must know beside the plan."""

    locale: str
    topic: str
    round: int = 1
    max_steps: int = 3
    documents: bool = False
    """True when documents were given to the run."""
    anything_read: bool = False
    """True with at least one passage or computation in the ledger."""
    arithmetic: bool = False
    """True when the question is pure arithmetic."""
    earlier: tuple[StepResult, ...] = ()
    """Results of earlier rounds."""
    by_person: bool = False


@dataclass(frozen=True, slots=True)
class Ruled:
    """A plan that obeys, and what was changed for it."""

    plan: Plan
    repairs: tuple[str, ...]

    @property
    def is_unfinished(self) -> bool:
        """True when it neither says enough nor has a step: the planner is asked once more."""
        return not self.plan.has_enough_context and not self.plan.steps


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A step and the number its planner gave it; 0 for one that the program put in."""

    number: int
    step: Step


@dataclass(slots=True)
class _Notes:
    """Collects what was changed; owned by one call of `obey`."""

    locale: str
    kept: list[str] = field(default_factory=list)

    def add(self, english: str, chinese: str, **values: object) -> None:
        self.kept.append(worded(self.locale, english, chinese, **values))


def obey(plan: Plan, now: Situation) -> Ruled:
    """The plan with rules 2 to 11 applied, and a note of each change."""
    locale = plan.locale if now.by_person and plan.locale else now.locale
    notes = _Notes(locale)
    steps = [_Numbered(number, step) for number, step in enumerate(plan.steps, 1)]
    steps = [_Numbered(item.number, _typed(item.step, now, notes)) for item in steps]
    steps = _titled(steps, notes)
    steps = _without_repeats(steps, now, notes)
    if not now.by_person:
        steps = _without_summaries(steps, notes)
        steps = _with_research(steps, now, notes)
        steps = _cut(steps, now.max_steps, notes)
    steps = _renumbered(steps, notes)
    finished = tuple(_with_id(item.step, f"{now.round}.{place}", now) for place, item in enumerate(steps, 1))
    enough = plan.has_enough_context and not finished and now.anything_read
    if plan.has_enough_context and not enough:
        if finished:
            notes.add("with steps left, what is known is not enough yet", "还有步骤未做，材料还不能算足够")
        else:
            notes.add("nothing was read, so what is known is not enough", "什么都没有读到，材料不能算足够")
    title = plan.title.strip() or now.topic[:120]
    kept = {"locale": locale, "has_enough_context": enough, "title": title, "steps": finished}
    return Ruled(plan.model_copy(update=kept), tuple(notes.kept))


def same_title(title: str) -> str:
    """A title with case, spaces and punctuation aside: what two equal titles have in common."""
    plain = unicodedata.normalize("NFKC", title).casefold()
    return "".join(character for character in plain if character.isalnum())


# rules 2 and 3


def _typed(step: Step, now: Situation, notes: _Notes) -> Step:
    kind = step.step_type or ("processing" if step.need_search is False else "research")
    search = kind == "research" and step.need_search is not False
    if kind == "research" and not search and not now.documents:
        search = True
        notes.add(
            "{title}: no documents are given, so it searches", "{title}：没有给定资料，改为搜索", title=_name(step)
        )
    if kind == "processing" and step.need_search:
        notes.add("{title}: a processing step does not search", "{title}：处理步骤不搜索", title=_name(step))
    return step.model_copy(update={"step_type": kind, "need_search": search})


# rule 4


def _titled(steps: list[_Numbered], notes: _Notes) -> list[_Numbered]:
    kept: list[_Numbered] = []
    for item in steps:
        title, description = item.step.title.strip(), item.step.description.strip()
        if title or description:
            titled = {"title": title or description[:60], "description": description}
            kept.append(_Numbered(item.number, item.step.model_copy(update=titled)))
    if gone := len(steps) - len(kept):
        notes.add("{n} empty {steps} dropped", "删去 {n} 个空步骤", n=gone, steps=_steps(gone))
    return kept


# rule 5


def _without_repeats(steps: list[_Numbered], now: Situation, notes: _Notes) -> list[_Numbered]:
    in_vain = _tried_in_vain(now.earlier)
    seen: set[tuple[str, str | None]] = set()
    kept: list[_Numbered] = []
    for item in steps:
        name = same_title(item.step.title)
        key = (name, item.step.step_type)
        if key in seen:
            notes.add("{title}: there twice", "{title}：重复", title=item.step.title)
        elif name in in_vain and not (now.by_person or item.step.by_person):
            notes.add("{title}: tried before, in vain", "{title}：先前已试过，没有结果", title=item.step.title)
        else:
            seen.add(key)
            kept.append(item)
    return kept


def _tried_in_vain(earlier: Iterable[StepResult]) -> set[str]:
    return {same_title(result.title) for result in earlier if result.status in ("empty", "failed")}


# rule 6

_SUMS_UP = re.compile(
    r"(summari[sz]e|synthesi[sz]e|consolidate|compile|write|draft)\b(?=.*\b(findings|results|information|report|conclusions)\b)"
    r"|(总结|汇总|整合|撰写)(?=.*(结果|信息|报告|结论))",
    re.IGNORECASE | re.DOTALL,
)


def _without_summaries(steps: list[_Numbered], notes: _Notes) -> list[_Numbered]:
    kept = [item for item in steps if not _SUMS_UP.match(item.step.title.strip())]
    for item in steps:
        if item not in kept:
            notes.add("{title}: the report does that", "{title}：这由报告完成", title=item.step.title)
    return kept


# rules 7 and 8


def _with_research(steps: list[_Numbered], now: Situation, notes: _Notes) -> list[_Numbered]:
    searching = any(item.step.step_type == "research" for item in steps)
    if not steps or searching or now.anything_read or now.arithmetic:
        return steps
    title = worded(
        now.locale, "Collect what the question needs: {topic}", "收集问题所需的信息：{topic}", topic=now.topic
    )
    first = Step(title=title[:120], description=title, need_search=True, step_type="research")
    notes.add("a research step was put first", "在最前加入一个研究步骤")
    return [_Numbered(0, first), *steps]


def _cut(steps: list[_Numbered], most: int, notes: _Notes) -> list[_Numbered]:
    if gone := len(steps) - most if len(steps) > most else 0:
        notes.add("{n} {steps} cut", "删去多出的 {n} 个步骤", n=gone, steps=_steps(gone))
    return steps[:most]


# rule 9


def _renumbered(steps: list[_Numbered], notes: _Notes) -> list[_Numbered]:
    places = {item.number: place for place, item in enumerate(steps, 1) if item.number}
    return [
        _Numbered(item.number, _with_needs(item.step, place, places, notes=notes))
        for place, item in enumerate(steps, 1)
    ]


def _with_needs(step: Step, place: int, places: dict[int, int], *, notes: _Notes) -> Step:
    if step.needs is None:
        return step
    named = sorted({places[number] for number in step.needs if places.get(number, place) < place})
    needs = None if step.needs and not named else tuple(named)
    if needs is None or len(needs) < len(step.needs):
        notes.add("{title}: needs put right", "{title}：更正了所依赖的步骤", title=step.title)
    return step.model_copy(update={"needs": needs})


def _with_id(step: Step, step_id: str, now: Situation) -> Step:
    """The step under its id; a retry of a step that never was is no retry."""
    known = {result.id for result in now.earlier}
    retry_of = step.retry_of if step.retry_of in known else None
    by_person = now.by_person or step.by_person
    return step.model_copy(update={"id": step_id, "by_person": by_person, "retry_of": retry_of})


def _name(step: Step) -> str:
    return step.title.strip() or step.description.strip()[:60] or "?"


def _steps(count: int) -> str:
    return "step" if count == 1 else "steps"
