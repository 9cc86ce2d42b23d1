"""Plays the planner without a model: takes the question apart, and looks at what is wide through the lenses."""

from collections.abc import Sequence

from moot.agents.agent import Gate, Given
from moot.patterns.lenses import BY_NAME, Lens, for_question, note_of
from moot.patterns.understudies.parts import compared, is_direct, parts, wants_computing
from moot.patterns.understudies.remarks import changed
from moot.patterns.waves import unsettled
from moot.patterns.wording import worded
from moot.text.arithmetic import arithmetic
from moot.values.plans import Plan, Step, StepResult

COMPUTE = ("Compute what the question asks for", "计算问题所求")
_COLLECT = ("Collect from the sources what answers: {what}", "从资料中收集能回答此问题的内容：{what}")
_THROUGH = ("Collect {asks}, on: {what}", "收集{asks}，主题：{what}")
_FROM_FOUND = ("Compute from the figures found what is asked: {what}", "用所找到的数字计算问题所求：{what}")
_AGAIN = ("Again, more widely: {what}", "放宽再找：{what}")


async def planner(gate: Gate, given: Given) -> Plan:
    """The plan of this round, or the last one changed as a remark says."""
    question, locale, topic = str(given["question"]), str(given["locale"]), str(given["topic"])
    most, remark = given["max_step_num"], str(given["remark"])
    last, results = given["last_plan"], given["results"]
    assert isinstance(most, int)
    assert isinstance(results, list | tuple)
    if remark and isinstance(last, Plan):
        return last.model_copy(update={"steps": changed(last.steps, remark), "has_enough_context": False})
    if results:
        return later_plan(tuple(results), locale=locale, same_again=bool(given["only_documents"]))
    return first_plan(question, topic=topic, locale=locale, most=most)


def first_plan(question: str, *, topic: str, locale: str, most: int) -> Plan:
    """The plan of the first round."""
    steps = _first_steps(topic or question, locale, most)
    return Plan(locale=locale, thought=topic[:2_000], title=topic[:120], steps=tuple(steps))


def later_plan(results: Sequence[StepResult], *, locale: str, same_again: bool) -> Plan:
    """Enough, or each gap once more. `same_again`: a second look would see what the first saw."""
    gaps = [] if same_again else _looked_for_once(results)
    steps = tuple(_retried(gap, locale) for gap in gaps if gap.step_type == "research")
    return Plan(locale=locale, has_enough_context=not steps, steps=steps)


def _looked_for_once(results: Sequence[StepResult]) -> list[StepResult]:
    """Gaps that no later step has tried again."""
    tried_again = {result.retry_of for result in results}
    return [gap for gap in unsettled(results) if gap.retry_of is None and gap.id not in tried_again]


def _retried(gap: StepResult, locale: str) -> Step:
    title = worded(locale, *_AGAIN, what=gap.title)
    return Step(title=title[:120], description=title, need_search=True, step_type="research", retry_of=gap.id)


def _first_steps(question: str, locale: str, most: int) -> list[Step]:
    if arithmetic(question):
        return [Step(title=question[:120], description=question[:2_000], need_search=False, step_type="processing")]
    computing = wants_computing(question)
    room = most - 1 if computing and most > 1 else most
    found = _research(question, locale)[:room]
    if computing and len(found) < most:
        described = worded(locale, *_FROM_FOUND, what=question)[:2_000]
        title = worded(locale, *COMPUTE)
        found.append(Step(title=title, description=described, need_search=False, step_type="processing"))
    return found


def _research(question: str, locale: str) -> list[Step]:
    split = parts(question) or [question]
    if len(split) > 1:
        return [_one(part, locale) for part in split]
    if sides := compared(split[0]):
        return [*(_one(side, locale) for side in sides), _through(BY_NAME["comparative"], split[0], locale)]
    if is_direct(split[0]):
        return [_one(split[0], locale)]
    return [_through(lens, split[0], locale) for lens in for_question(split[0])]


def _one(part: str, locale: str) -> Step:
    described = worded(locale, *_COLLECT, what=part)[:2_000]
    return Step(title=part[:120], description=described, need_search=True, step_type="research")


def _through(lens: Lens, topic: str, locale: str) -> Step:
    described = worded(locale, *_THROUGH, asks=worded(locale, *lens.asks), what=topic)[:2_000]
    return Step(
        title=lens.titled(locale, topic)[:120],
        description=described,
        need_search=True,
        step_type="research",
        note=note_of(lens),
    )
