"""Plan rule 1: finds the plan in what a model or a person wrote as JSON. The other rules are plan_rules.py's."""

import json
import re
from collections.abc import Mapping

from pydantic import JsonValue

from moot.values.plans import Plan, Step, StepType

_PLAN_KEYS = frozenset(Plan.model_fields)
_STEP_KEYS = frozenset(Step.model_fields) - {"id", "by_person"}
_STEP_WORDS = frozenset({"title", "description", "step_type", "need_search", "agent_name"})
_AROUND = ("plan", "content", "text", "arguments", "output", "message", "messages", "parts")
"""Keys of a message dump, or of a wrapper, in which a plan may lie."""
_DEPTH = 6
_RESEARCH = frozenset({"research", "search", "web"})
_PROCESSING = frozenset({"processing", "analysis", "compute", "code", "coding"})


def plan_in(raw: JsonValue, *, lenient: bool = False) -> Plan | None:
    """The plan in `raw`, whatever it is wrapped in; None when there is none. `lenient` mends fields instead of raising.

    Taken: a plan, `[plan]`, a bare list of steps, `{"plan": …}`, a message dump around it, no steps as null, one step
    as a list of one. Not a plan: an error, a coordinator's arguments, prose. Raises ValidationError for a bad field.
    """
    found = _found(raw, _DEPTH)
    if found is None:
        return None
    fields = {key: value for key, value in found.items() if key in _PLAN_KEYS}
    steps = fields.get("steps")
    fields["steps"] = [_step(step, lenient) for step in _listed(steps)]
    return Plan.model_validate(_mended(fields) if lenient else fields)


def step_type_of(word: JsonValue) -> StepType | None:
    """Plan rule 2's reading of a step type in any case; None when it is missing or unknown."""
    plain = word.strip().lower() if isinstance(word, str) else ""
    if plain in _RESEARCH:
        return "research"
    return "processing" if plain in _PROCESSING else None


def _found(raw: JsonValue, depth: int) -> dict[str, JsonValue] | None:
    if depth == 0:
        return None
    if isinstance(raw, str):
        return _found(_opened(raw), depth - 1) if raw.strip()[:1] in ("{", "[") else None
    if isinstance(raw, list):
        return _in_list(raw, depth)
    if not isinstance(raw, dict) or "error" in raw:
        return None
    if "steps" in raw or "has_enough_context" in raw:
        return raw
    for key in _AROUND:
        inner = _found(raw[key], depth - 1) if key in raw else None
        if inner is not None:
            return inner
    if "research_topic" in raw:
        return None
    return {"steps": [raw]} if _STEP_WORDS & raw.keys() else None


def _in_list(raw: list[JsonValue], depth: int) -> dict[str, JsonValue] | None:
    if raw and all(isinstance(item, dict) and _is_step(item) for item in raw):
        return {"steps": raw}
    for item in reversed(raw):
        if isinstance(item, dict) and (inner := _found(item, depth - 1)) is not None:
            return inner
    return None


def _is_step(item: Mapping[str, JsonValue]) -> bool:
    return bool(_STEP_WORDS & item.keys()) and "steps" not in item and "has_enough_context" not in item


def _opened(text: str) -> JsonValue:
    try:
        opened: JsonValue = json.loads(text)
    except ValueError:
        return None
    return opened


def _listed(steps: JsonValue) -> list[JsonValue]:
    if steps is None:
        return []
    if isinstance(steps, str):
        opened = _opened(steps) if steps.strip()[:1] in ("{", "[") else None
        return _listed(opened) if opened is not None else [steps]
    return steps if isinstance(steps, list) else [steps]


def _step(raw: JsonValue, lenient: bool) -> JsonValue:
    """A step's known fields; a bare text is a description. Anything else is left for validation to refuse."""
    if isinstance(raw, str):
        return {"description": raw}
    if not isinstance(raw, dict):
        return {} if lenient else raw
    fields = {key: value for key, value in raw.items() if key in _STEP_KEYS}
    fields["step_type"] = step_type_of(fields.get("step_type"))
    if "agent_name" in raw:  # what a planner of a supervised team calls its member
        fields["member"] = raw["agent_name"]
    if lenient:
        fields["need_search"] = _truth(fields.get("need_search"))
        fields["needs"] = _numbers(fields.get("needs"))
        for key, most in (("title", 120), ("description", 2_000), ("note", 2_000), ("member", 64)):
            fields[key] = _text(fields.get(key))[:most]
        retry = fields.get("retry_of")
        fields["retry_of"] = str(retry) if isinstance(retry, str | int | float) and retry else None
    return fields


def _mended(fields: dict[str, JsonValue]) -> dict[str, JsonValue]:
    mended = dict(fields)
    for key, most in (("title", 120), ("thought", 2_000), ("locale", 40)):
        mended[key] = _text(mended.get(key))[:most]
    mended["has_enough_context"] = bool(_truth(mended.get("has_enough_context")))
    return mended


def _text(raw: JsonValue) -> str:
    if isinstance(raw, list):
        return "\n".join(_text(item) for item in raw)
    return raw if isinstance(raw, str) else "" if raw is None else json.dumps(raw, ensure_ascii=False)


def _truth(raw: JsonValue) -> bool | None:
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().lower()
    return True if word in ("true", "yes", "1") else False if word in ("false", "no", "0") else None


def _numbers(raw: JsonValue) -> list[JsonValue] | None:
    """`needs` as numbers: `["1", "step 2", "1.3"]` are 1, 2 and 3."""
    if raw is None:
        return None
    found: list[JsonValue] = []
    for item in raw if isinstance(raw, list) else [raw]:
        if isinstance(item, int) and not isinstance(item, bool):
            found.append(item)
        elif isinstance(item, str | float) and (number := re.search(r"(?:\d+\.)?(\d+)\D*$", str(item))):
            found.append(int(number[1]))
    return found
