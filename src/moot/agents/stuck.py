"""Sees that an agent goes round in circles: the same turn with the same outcome, or the same call again and again.

Only the model's own turns count. A turn that changed something new (a write never seen before) starts the look afresh:
to edit and meet the same failing test is work, not a circle.
"""

import unicodedata
from collections.abc import Sequence

from moot.agents.history import Turn

WINDOW = 10
SAME_OUTCOME = 3
SAME_CALL = 6
_ADVICE = "Do something different, or finish and say what is missing."

_Signature = tuple[tuple[str, str, str], ...]


def repeat_of(turns: Sequence[Turn]) -> str:
    """What the newest turn repeats, as words for the next note; `` when it repeats nothing."""
    signatures = [_signature(turn) for turn in turns]
    calls = [_calls(turn) for turn in turns]
    window = range(max(_afresh(turns, signatures), len(turns) - WINDOW), len(turns))
    newest = len(turns) - 1
    if newest not in window:
        return ""
    if sum(signatures[place] == signatures[newest] for place in window) >= SAME_OUTCOME:
        return f"You have done this {SAME_OUTCOME} times with the same outcome: {_told(turns[newest])}. {_ADVICE}"
    if calls[newest] and sum(calls[place] == calls[newest] for place in window) >= SAME_CALL:
        return f"You have called this {SAME_CALL} times: {_told(turns[newest])}. {_ADVICE}"
    return ""


def _afresh(turns: Sequence[Turn], signatures: Sequence[_Signature]) -> int:
    """The place behind the last turn with a successful write whose signature was never seen before it."""
    seen: set[_Signature] = set()
    begin = 0
    for place, (turn, signature) in enumerate(zip(turns, signatures, strict=True)):
        wrote = any(called.effect == "write" and called.status == "ok" for called in turn.called)
        if wrote and signature not in seen:
            begin = place + 1
        seen.add(signature)
    return begin


def _signature(turn: Turn) -> _Signature:
    if not turn.called:
        words = unicodedata.normalize("NFKC", turn.reply.text).casefold()
        return (("", "", " ".join(words.split())),)
    return tuple((called.name, called.arguments, called.text) for called in turn.called)


def _calls(turn: Turn) -> tuple[tuple[str, str], ...]:
    return tuple((called.name, called.arguments) for called in turn.called)


def _told(turn: Turn) -> str:
    if not turn.called:
        return f"“{turn.reply.text[:200]}”"
    return "; ".join(f"{called.name}({called.arguments[:200]})" for called in turn.called)
