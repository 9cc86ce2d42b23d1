"""Changes a plan as a person's remark says, without a model: add, remove, keep only; else the remark is a new step."""

import re
from collections.abc import Sequence

from moot.values.plans import Step

_NUMBER = r"(?:\d{1,2}|[一二三四五六七八九十])"
_NUMBERS = rf"(?P<numbers>{_NUMBER}(?:\s*(?:,|and|&|、|和|，)\s*(?:step\s*|第)?{_NUMBER}(?:步|个步骤)?)*)"
_REMOVE = re.compile(
    rf"\b(?:remove|drop|delete|skip|cut|without)\s+(?:the\s+)?steps?\s+(?:no\.?\s*)?{_NUMBERS}"
    rf"|(?:删除|删掉|去掉|移除|取消|不要)第?{_NUMBERS.replace('numbers', 'zh')}(?:步|个步骤)",
    re.IGNORECASE,
)
_ONLY = re.compile(
    rf"\b(?:only|just|keep only)\s+(?:do\s+|keep\s+)?(?:the\s+)?steps?\s+(?:no\.?\s*)?{_NUMBERS}"
    rf"|(?:只要|只做|只保留|仅保留|只留)第?{_NUMBERS.replace('numbers', 'zh')}(?:步|个步骤)",
    re.IGNORECASE,
)
_ADD = re.compile(
    r"\b(?:add|include)\s+(?:(?:a|an|another|one|one more|some)\s+)?(?:(?:research|new|more)\s+)?"
    r"(?:steps?\s+)?(?:(?:on|about|for|to|that|which)\s+)?(?P<what>.+)$"
    r"|(?:加上|加入|增加|添加|再加|加)(?:一个|一步|一个步骤)?(?:关于|有关)?(?P<zh>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_HAN = {sign: number for number, sign in enumerate("一二三四五六七八九十", 1)}


def changed(steps: Sequence[Step], remark: str) -> tuple[Step, ...]:
    """The steps after the remark; those it does not speak of stay as they are, in place."""
    if found := _REMOVE.search(remark):
        gone = _numbers(found)
        return _kept(steps, [number for number in range(1, len(steps) + 1) if number not in gone])
    if found := _ONLY.search(remark):
        return _kept(steps, [number for number in range(1, len(steps) + 1) if number in _numbers(found)])
    title = _title(remark)
    added = Step(title=title[:120], description=title[:2_000], need_search=True, step_type="research", by_person=True)
    return (*steps, added)


def _title(remark: str) -> str:
    found = _ADD.search(remark)
    wanted = (found["what"] or found["zh"] or "") if found else remark
    tail = re.sub(r"(?:的)?步骤[。.!！]*$", "", wanted.strip()).strip(" .。!！,，")
    return tail or remark.strip()


def _kept(steps: Sequence[Step], numbers: Sequence[int]) -> tuple[Step, ...]:
    """The steps of these numbers, with `needs` counted anew; all of them when none would be left."""
    places = {number: place for place, number in enumerate(numbers, 1)}
    if not places:
        return tuple(steps)
    return tuple(
        step.model_copy(update={"needs": _needs(step, places)})
        for number, step in enumerate(steps, 1)
        if number in places
    )


def _needs(step: Step, places: dict[int, int]) -> tuple[int, ...] | None:
    if step.needs is None:
        return None
    left = tuple(places[number] for number in step.needs if number in places)
    return left if left or not step.needs else None


def _numbers(found: re.Match[str]) -> set[int]:
    named = found["numbers"] or found["zh"] or ""
    return {_HAN.get(word) or int(word) for word in re.findall(_NUMBER, named)}
