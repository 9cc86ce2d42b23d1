"""Plays the coordinator without a model: small talk is answered, harm refused, all else handed off."""

from moot.agents.agent import Gate, Given
from moot.patterns.lenses import LENSES
from moot.patterns.routes import Exchange, Route
from moot.patterns.understudies.routing import SmallTalk, asks_for_harm, is_short, small_talk, without_politeness
from moot.patterns.wording import worded
from moot.text.language import detect_locale

_REPLIES: dict[SmallTalk, tuple[str, str]] = {
    "greeting": (
        "Hello! I am moot. Ask me a question, and a team will look it up and report with the exact words it rests on.",
        "你好！我是 moot。提一个问题，我会让一个小组去查证，并附上所依据的原文写成报告。",
    ),
    "about": (
        "I am moot. I take a question, make a plan that you may change, read sources side by side, and write a report "
        "in which every factual sentence points to the exact words it rests on.",
        "我是 moot。接到问题后，我先拟定可供你修改的计划，再并行查阅资料，最后写出报告，每一句事实都指向所依据的原文。",
    ),
    "thanks": ("You are welcome. moot is here for the next question.", "不客气。有问题随时找 moot。"),
    "goodbye": ("Goodbye from moot.", "再见，moot 随时恭候。"),
}
_REFUSAL = (
    "I am sorry, moot does not help with that. Ask me something else, and I will look it up.",
    "抱歉，这件事 moot 不能帮忙。换一个问题，我会去查证。",
)
_WHICH = ("Which aspect of “{topic}” do you want to know?", "你想了解“{topic}”的哪个方面？")


async def coordinator(gate: Gate, given: Given) -> Route:
    """The route of a question, by lists of words."""
    question, exchanges = str(given["question"]), given["exchanges"]
    assert isinstance(exchanges, list | tuple)
    return route(question, exchanges=tuple(exchanges), asking=bool(given["asking"]))


def route(question: str, *, exchanges: tuple[Exchange, ...] = (), asking: bool = False) -> Route:
    """What becomes of a question when no model decides."""
    locale = detect_locale(question)
    if kind := small_talk(question):
        return Route(how="reply", text=worded(locale, *_REPLIES[kind]))
    if asks_for_harm(question):
        return Route(how="refuse", text=worded(locale, *_REFUSAL))
    topic = without_politeness(question)
    if asking and not exchanges and is_short(topic):
        choices = tuple(worded(locale, *lens.label) for lens in LENSES[:5])
        return Route(how="ask", question=worded(locale, *_WHICH, topic=topic), choices=choices)
    return hand_off(question, exchanges)


def hand_off(question: str, exchanges: tuple[Exchange, ...] = ()) -> Route:
    """Hands a question on whatever it is; what a person answered before belongs to the topic."""
    said = " ".join(exchange.answer for exchange in exchanges if exchange.answer)
    topic = f"{without_politeness(question)} {said}".strip()
    return Route(how="hand_off", locale=detect_locale(question), research_topic=topic[:500])
