"""What a coordinator owes: one of four decisions about a question, read leniently. Deciding is coordinate.py's."""

from typing import Literal

from pydantic import Field, JsonValue

from moot.values.value import Output, Value

How = Literal["reply", "refuse", "ask", "hand_off"]


class Route(Output):
    """What becomes of a question."""

    how: How
    """reply: small talk, answered at once. refuse: harm. ask: one clarifying question. hand_off: research it."""
    text: str = Field("", max_length=4_000)
    """reply, refuse: what to say."""
    question: str = Field("", max_length=1_000)
    """ask: the one question."""
    choices: tuple[str, ...] = Field((), max_length=5)
    """ask: up to five answers to choose from."""
    locale: str = Field("", max_length=40)
    """hand_off: the user's language, such as en-US or zh-CN."""
    research_topic: str = Field("", max_length=500)
    """hand_off: the question's matter, with every name, number, link and condition in it."""


class Exchange(Value):
    """A clarifying question and a person's answer; empty: go on with what you know."""

    question: str
    answer: str


_WORDS: dict[str, How] = {
    "reply": "reply", "answer": "reply", "respond": "reply", "direct_response": "reply", "direct_reply": "reply",
    "refuse": "refuse", "reject": "refuse", "decline": "refuse",
    "ask": "ask", "clarify": "ask", "clarification": "ask", "handoff_after_clarification": "hand_off",
    "hand_off": "hand_off", "handoff": "hand_off", "handoff_to_planner": "hand_off", "hand_off_to_planner": "hand_off",
    "research": "hand_off", "plan": "hand_off",
}  # fmt: skip
_AROUND = ("arguments", "parameters", "args", "input", "route", "function")


def shape(raw: JsonValue) -> JsonValue:
    """A decision in the shape of `Route`, also when it was written as a tool call. ValueError when there is none."""
    if isinstance(raw, list) and len(raw) == 1:
        raw = raw[0]
    if not isinstance(raw, dict):
        raise ValueError("how: one of reply, refuse, ask, hand_off is wanted")
    named = next((raw[key] for key in ("how", "decision", "action", "name") if isinstance(raw.get(key), str)), "")
    inner = next((raw[key] for key in _AROUND if isinstance(raw.get(key), dict)), None)
    if isinstance(inner, dict):
        return shape({"how": named, **inner} if named else inner)
    fields: dict[str, JsonValue] = {
        key: value for key, value in raw.items() if key in Route.model_fields and value is not None
    }
    fields["how"] = _how(str(named), fields)
    topic = fields.get("research_topic")
    if isinstance(topic, str):
        fields["research_topic"] = topic[:500]
    choices = fields.get("choices")
    if isinstance(choices, list):
        fields["choices"] = [str(choice) for choice in choices[:5]]
    return fields


def _how(word: str, fields: dict[str, JsonValue]) -> How:
    known = _WORDS.get(word.strip().lower().replace("-", "_").replace(" ", "_"))
    if known:
        return known
    if "research_topic" in fields:
        return "hand_off"
    if "question" in fields:
        return "ask"
    raise ValueError("how: one of reply, refuse, ask, hand_off is wanted")
