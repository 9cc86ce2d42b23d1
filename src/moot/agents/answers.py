"""Gets the answer that is owed out of a model without tools: typed with one retry, or as text with continuations."""

from collections.abc import Callable, Sequence

from moot.agents.agent import Agent, Owed
from moot.agents.calls import Player
from moot.models.continued import TAIL, continued, cut_back
from moot.models.typed import correction, shorter
from moot.text.fit import Fitted
from moot.text.json import read_json
from moot.text.thinking import split_thinking
from moot.values.errors import BudgetSpent, ModelFailed
from moot.values.messages import Message, Reply
from moot.values.value import Value

_CONTINUATIONS = 3
_WITHOUT_END = frozenset({"looping", "endless"})
"""Notes on a reply that did not run into its limit but went past it; more of it would be no better."""


async def answer(agent: Agent[Owed], player: Player, messages: Sequence[Message]) -> Owed:
    """The answer to one request without tools. Raises ModelFailed(malformed) when it does not fit after one retry."""
    if agent.value_owed is None:
        return agent.owed(await whole_text(player, messages, await player.call(messages)))
    reply = await player.call(messages, output=agent.value_owed)
    fitted = read_answer(agent, reply, player)
    if fitted.value is None:
        fitted = await _again(agent, player, messages, reply=reply, faults=fitted.faults)
    if fitted.value is None:
        said = "; ".join(fitted.faults)
        raise ModelFailed(f"malformed: {player.model.name} as {agent.name}: {said}.", code="malformed")
    return agent.owed(fitted.value)


async def last_answer(agent: Agent[Owed], player: Player, messages: Sequence[Message]) -> Owed | None:
    """The answer to the one last request of all; None when it does not fit."""
    reply = await player.call(messages, output=agent.value_owed)
    if agent.value_owed is None:
        return agent.owed(reply.text) if reply.text.strip() else None
    fitted = read_answer(agent, reply, player, partial=True)
    return None if fitted.value is None else agent.owed(fitted.value)


async def last_words(agent: Agent[Owed], player: Player, messages: Sequence[Message]) -> Owed | None:
    """The answer to the one last request of all; None also when the model fails or nothing is left for it."""
    try:
        return await last_answer(agent, player, messages)
    except (ModelFailed, BudgetSpent):
        return None


def read_answer(agent: Agent[Owed], reply: Reply, player: Player, *, partial: bool = False) -> Fitted[Value]:
    """The typed answer in a reply, or its faults. `partial`: of a reply cut off, whole items are taken."""
    assert agent.value_owed is not None
    cut = reply.stop == "length"
    fitted = read_json(reply.text, agent.value_owed, shape=agent.shape, cut=cut, partial=partial and cut)
    if fitted.value is None and agent.words is not None and not cut:
        fitted = _in_words(agent.words, reply.text, fitted)
    if fitted.value is not None:
        player.notes |= dict.fromkeys(note for note in fitted.notes if note in ("repaired", "truncated", "partial"))
        player.notes |= dict.fromkeys(["keys_dropped"] if fitted.dropped else [])
    return fitted


def _in_words(read: Callable[[str], object], text: str, as_json: Fitted[Value]) -> Fitted[Value]:
    """The answer that an agent reads out of words; where there is none either, why, beside why the JSON did not fit."""
    try:
        found = read(split_thinking(text).text)
    except ValueError as none:
        return as_json._replace(faults=(*as_json.faults, str(none)))
    assert isinstance(found, Value)
    return Fitted(found)


async def whole_text(player: Player, messages: Sequence[Message], reply: Reply) -> str:
    """The text of a reply; one that ran into the output limit is gone on with up to three times, then cut back."""
    if not reply.text.strip():
        raise ModelFailed(f"malformed: {player.model.name} called a tool that it was not offered.", code="malformed")
    text = reply.text
    for _ in range(_CONTINUATIONS):
        if reply.stop != "length" or _WITHOUT_END & set(reply.notes):
            break
        go_on = Message(role="user", text=player.words("go_on", tail=text[-TAIL:]))
        reply = await player.call([*messages, go_on])
        joined = continued(text, reply.text)
        if joined is None:
            break
        text = joined
    if reply.stop != "length":
        return text
    player.notes["cut"] = None
    return cut_back(text)


async def _again(
    agent: Agent[Owed], player: Player, messages: Sequence[Message], *, reply: Reply, faults: Sequence[str]
) -> Fitted[Value]:
    """The one retry: shorter and with twice the room when the reply was cut off, else with its faults named."""
    if reply.stop == "length":
        room = min(2 * player.max_output_tokens, player.profile.max_output)
        second = await player.call([*messages, *shorter(reply.text)], output=agent.value_owed, max_output_tokens=room)
        return read_answer(agent, second, player, partial=True)
    second = await player.call([*messages, *correction(reply.text, faults)], output=agent.value_owed)
    return read_answer(agent, second, player, partial=True)
