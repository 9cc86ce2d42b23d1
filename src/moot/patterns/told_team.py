"""Tells the models of a supervised team how the plan stands and what each turn brought, as text and as data."""

from collections.abc import Sequence

from moot.patterns.supervise import Standing
from moot.patterns.told import fenced, told_results
from moot.run.run import Run
from moot.values.plans import Step
from moot.values.turns import MemberTurn

_LONGEST = 8_000
"""Characters of a turn that later prompts hold; the whole stays in the run."""


def told_standing(steps: Sequence[Step], standing: Sequence[Standing]) -> str:
    """A line a working step with its status, and what it is to bring beneath."""
    lines: list[str] = []
    for number, (step, status) in enumerate(zip(steps, standing, strict=True), 1):
        lines.append(f"{number}. {step.member}: {step.title} ({status})")
        lines += [f"   {line}" for line in step.description.splitlines() if step.description != step.title]
    return "\n".join(lines)


async def told_turns(run: Run, turns: Sequence[MemberTurn]) -> list[str]:
    """Each turn as the response of its member, fenced; a long one is cut in its middle."""
    return [f"{_head(turn)}\n{fenced(run, cut_in_the_middle(await _body(run, turn)))}".rstrip() for turn in turns]


def cut_in_the_middle(text: str, most: int = _LONGEST) -> str:
    """The text, or its beginning and end with what is left out told between."""
    if len(text) <= most:
        return text
    half = (most - len(f"\n[… {len(text)} characters left out]\n")) // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out]\n{text[-half:]}"


def _head(turn: MemberTurn) -> str:
    what = f"step {turn.step}" if turn.step is not None else "extra turn"
    reason = f", {turn.result.reason}" if turn.result.reason else ""
    return f"Turn {turn.n}, {turn.member}, {what}: {turn.status}{reason}"


async def _body(run: Run, turn: MemberTurn) -> str:
    """What a turn brought: its claims and values; beside them the text of a member who owes neither."""
    why = f"\n{turn.result.detail}" if turn.status != "done" and turn.result.detail else ""
    brought = told_results([turn.result]) + why
    conclusion = turn.result.finding.conclusion if turn.result.finding else ""
    if turn.result.computation is not None or (turn.text and turn.text == conclusion):
        return brought
    text = (await run.bytes_of(turn.text_sha256)).decode() if turn.text_sha256 else turn.text
    return f"{text}\n{brought}" if text else brought
