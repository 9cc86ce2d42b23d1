"""The tool `ask_human`: the question as it is put, options as they were given, and words as typed."""

import pytest

from moot.toolkit.workbench import Workbench
from moot.tools.ask_human import ask_human
from moot.values.errors import ToolFailed


async def asked(answer: str, **arguments: object) -> tuple[str, list[tuple[str, tuple[str, ...]]]]:
    """What the model gets, and what the person was shown."""
    shown: list[tuple[str, tuple[str, ...]]] = []

    async def ask(question: str, options: tuple[str, ...]) -> str:
        shown.append((question, options))
        return answer

    result = await ask_human.run(Workbench(ask=ask), ask_human.arguments.model_validate(arguments))
    return result.text, shown


async def test_words_come_back_as_typed() -> None:
    text, shown = await asked("  the blue one, 请 ", question=" Which? ")
    assert (text, shown) == ("  the blue one, 请 ", [("Which?", ())])


async def test_options_are_shown_once_each() -> None:
    text, shown = await asked("red", question="Which?", options=["red", " blue ", "red", ""])
    assert (text, shown) == ("red", [("Which?", ("red", "blue"))])


async def test_no_answer_is_told() -> None:
    assert (await asked("", question="Which?"))[0] == "The person gave no answer: go on with what you know."


async def test_a_blank_question_or_nobody_is_a_failure() -> None:
    with pytest.raises(ToolFailed, match="the question is empty"):
        await asked("x", question="  ")
    with pytest.raises(ToolFailed, match="nobody to ask"):
        await ask_human.run(Workbench(), ask_human.arguments.model_validate({"question": "Which?"}))


def test_it_runs_after_the_others_of_its_reply() -> None:
    assert ask_human.last
