"""How a role chooses its next action by number: −1 says that its work is done. Reading a choice is pure."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pydantic import JsonValue

from moot.agents.agent import Agent, AgentLimits, Gate, Given
from moot.values.messages import Tier
from moot.values.value import Output

DONE = -1
_INTEGER = re.compile(r"-?[0-9]{1,6}")
_ALONE = re.compile(r"(?<![A-Za-z0-9_.-])-?[0-9]{1,6}(?![A-Za-z0-9_-])(?!\.[^\s])")
_WORDS = frozenset({"none", "done", "无", "完成"})
_AROUND = "\"'“”‘’「」`* \t\r\n"
_ENDS = ".。!！"


class Choice(Output):
    """What a role owes when it chooses."""

    state: int
    """The number of the next action, from 0; -1 when the role's work is done."""


def read_choice(text: str, n: int) -> int:
    """The number that a reply gives, of `n` actions. Raises ValueError when it gives none, or none of an action."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-")
    whole = _bare(plain)
    lines = [_bare(line) for line in plain.strip().splitlines()] or [""]
    ends = {_number(line) for line in (lines[0], lines[-1])} - {None}
    if (found := _number(whole)) is None:
        alone = {int(number) for number in _ALONE.findall(plain)}
        found = next(iter(ends if ends else alone)) if len(ends or alone) == 1 else None
    return checked(found, n)


def checked(number: int | None, n: int) -> int:
    """The number of an action, or −1. Raises ValueError."""
    if number is None or not DONE <= number < n:
        raise ValueError(f"give one number from 0 to {n - 1}, or -1 when the work is done; nothing else")
    return number


def _bare(text: str) -> str:
    return text.strip(_AROUND).rstrip(_ENDS).strip(_AROUND)


def _number(text: str) -> int | None:
    if text.casefold() in _WORDS:
        return DONE
    return int(text) if _INTEGER.fullmatch(text) else None


def chooser(name: str, tier: Tier = "fast") -> Agent[Choice]:
    """A role, choosing what it does next."""
    return Agent(
        name, "roles/choose", Choice, _next, tier=tier, choice="none", limits=AgentLimits(max_output_tokens=256)
    )


def among(agent: Agent[Choice], n: int) -> Agent[Choice]:
    """The same, of so many actions."""
    return replace(agent, shape=partial(_shaped, n), words=partial(_said, n))


def _shaped(n: int, raw: JsonValue) -> JsonValue:
    state = raw.get("state") if isinstance(raw, dict) else None
    if isinstance(state, str):
        return {"state": read_choice(state, n)}
    if isinstance(state, int) and not isinstance(state, bool):
        checked(state, n)
    return raw


def _said(n: int, text: str) -> Choice:
    return Choice(state=read_choice(text, n))


async def _next(gate: Gate, given: Given) -> Choice:
    """The next action that was not done for this news, then none."""
    actions, done = given["actions"], given["done"]
    assert isinstance(actions, Sequence)
    assert isinstance(done, Sequence)
    return Choice(state=next((at for at, _ in enumerate(actions) if at not in done), DONE))
