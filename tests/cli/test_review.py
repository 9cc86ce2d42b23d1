"""Asking the person at the terminal: what is typed becomes an answer, or is asked again."""

import io
import json
from pathlib import Path

import pytest

from moot.cli.console import Console
from moot.cli.review import ask_person
from moot.values.plans import Plan, Step
from moot.values.questions import (
    Accept,
    Answer,
    Approval,
    Clarification,
    Edit,
    PlanReview,
    Question,
    QuestionBody,
    Refuse,
    Replace,
    Words,
)
from moot.values.value import Key, QuestionId, RunId

PLAN = Plan(title="T", steps=(Step(id="1.1", title="First", step_type="research", need_search=True),))
REVIEW = PlanReview(round=1, rounds=2, plan=PLAN)


def typed(
    text: str, body: QuestionBody, monkeypatch: pytest.MonkeyPatch, *, zh: bool = False, show_plan: bool = False
) -> Answer | None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    question = Question(id=QuestionId("q_1"), run=RunId("r"), key=Key("review#1/ask#1"), body=body, digest="d")
    return ask_person(question, Console(zh=zh, asks=True), show_plan=show_plan)


def test_a_file_that_holds_no_plan_is_told_and_the_plan_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000, encoding="utf-8")
    assert typed(f"@{deep}\n@~nobody_is_called_so/p.json\nyes\n", REVIEW, monkeypatch) == Accept()
    assert capsys.readouterr().err.count("cannot be read: ") == 2


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\n", Accept()),
        ("all\n", Accept(later=True)),
        ("q\n", Refuse()),
        ("add a step on cost\n", Edit(text="add a step on cost")),
        ("?\nyes please\n", Accept()),
        ("not ok\nok\n", Accept()),
        ("", None),
    ],
)
def test_a_plan_is_answered_in_words(text: str, answer: Answer | None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert typed(text, REVIEW, monkeypatch) == answer


def test_the_prompt_and_its_help_are_told_on_stderr(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("?\n\n", REVIEW, monkeypatch)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("[Enter] accept · all: and later plans · text: change · e: editor · q: refuse") == 2
    assert "Enter takes the plan" in captured.err


def test_a_plan_is_replaced_from_a_file_and_a_bad_one_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = {"title": "Mine", "steps": [{"title": "Only this"}]}
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    answer = typed(f"@{tmp_path}/none.json\n@{tmp_path}/plan.json\n", REVIEW, monkeypatch)
    assert isinstance(answer, Replace)
    assert [step.title for step in answer.plan.steps] == ["Only this"]
    assert "none.json cannot be read" in capsys.readouterr().err


def test_the_plan_is_edited_as_json_in_the_persons_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/First/Second/ "$1"\n', encoding="utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    answer = typed("e\n", REVIEW, monkeypatch)
    assert isinstance(answer, Replace)
    assert answer.plan.steps[0].title == "Second"


def test_a_question_with_choices_takes_a_number_words_or_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Clarification(question="Which aspect?", choices=("history", "risk"))
    assert typed("2\n", asked, monkeypatch) == Words(text="risk")
    assert typed("its price\n", asked, monkeypatch) == Words(text="its price")
    assert typed("\n", asked, monkeypatch) == Words(text="")
    assert "Which aspect?\n  1. history\n  2. risk\n" in capsys.readouterr().err


def test_a_tool_call_is_shown_with_its_arguments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = Approval(tool="python", arguments={"code": "1+1"})
    assert typed("y\n", asked, monkeypatch) == Accept()
    assert 'python {"code": "1+1"}: allow this call? [y/n]' in capsys.readouterr().err


def test_a_plan_that_was_not_told_is_shown_with_the_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("\n", REVIEW, monkeypatch, show_plan=True)
    assert "  1.1 research  First" in capsys.readouterr().err
