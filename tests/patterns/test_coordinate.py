"""The front desk: which locale counts, which decisions of a model are overruled, and how a decision is read."""

import pytest
from pydantic import JsonValue

from moot.patterns.coordinate import locale_of, overruled
from moot.patterns.routes import Route, shape


@pytest.mark.parametrize(
    ("question", "wanted", "said", "locale"),
    [
        ("什么是GIL？", "", "en-US", "zh-CN"),
        ("什么是GIL？", "", "zh_TW", "zh-TW"),
        ("What is a GIL?", "", "en-GB", "en-GB"),
        ("What is a GIL?", "", "zh-CN", "en-US"),
        ("What is a GIL?", "", "nonsense!", "en-US"),
        ("What is a GIL? Answer in German.", "", "en-US", "de-DE"),
        ("用英文回答：什么是量子计算？", "", "zh-CN", "en-US"),
        ("什么是GIL？", "fr-FR", "zh-CN", "fr-FR"),
    ],
)
def test_the_person_counts_first_then_the_question_then_the_coordinator(
    question: str, wanted: str, said: str, locale: str
) -> None:
    assert locale_of(question, wanted, Route(how="hand_off", locale=said)) == locale


def test_small_talk_is_never_researched() -> None:
    assert overruled(Route(how="hand_off", research_topic="hello"), "hello", (), asking=False).how == "reply"


@pytest.mark.parametrize("question", ["What is the capital of France?", "tell me all about gulls of the coast"])
def test_a_question_is_never_answered_from_memory(question: str) -> None:
    assert overruled(Route(how="reply", text="Paris."), question, (), asking=False).how == "hand_off"


def test_a_short_remark_may_be_answered() -> None:
    assert overruled(Route(how="reply", text="Glad to hear."), "nice work", (), asking=False).how == "reply"


def test_nothing_is_asked_when_asking_is_off_or_the_question_is_blank() -> None:
    ask = Route(how="ask", question="Which?")
    assert overruled(ask, "electric cars", (), asking=True) == ask
    assert overruled(ask, "electric cars", (), asking=False).how == "hand_off"
    assert overruled(Route(how="ask", question=" "), "electric cars", (), asking=True).how == "hand_off"


@pytest.mark.parametrize(
    ("raw", "how"),
    [
        ({"how": "hand_off", "research_topic": "x"}, "hand_off"),
        ({"decision": "Hand off", "topic": "x"}, "hand_off"),
        ({"name": "handoff_to_planner", "arguments": {"research_topic": "x", "locale": "en"}}, "hand_off"),
        ({"research_topic": "x", "locale": "en-US"}, "hand_off"),
        ({"question": "Which?", "choices": ["a"] * 9}, "ask"),
        ({"name": "direct_response", "arguments": {"text": "Hi!"}}, "reply"),
        ([{"how": "refuse", "text": "No."}], "refuse"),
    ],
)
def test_a_decision_is_read_in_the_shapes_models_write(raw: JsonValue, how: str) -> None:
    assert Route.model_validate(shape(raw)).how == how


@pytest.mark.parametrize("raw", ["Paris.", {}, {"text": "Paris."}, {"how": "dunno"}, [1, 2], None])
def test_what_decides_nothing_is_no_decision(raw: JsonValue) -> None:
    with pytest.raises(ValueError):
        shape(raw)
