"""A question as it is put to a person, with what happens when nobody answers. Reading answers: patterns/answers.py."""

import time
from typing import assert_never

from pydantic import RootModel

from moot.run.doors import Doors
from moot.run.keys import body_of, digest_of, question_id
from moot.values.questions import Accept, Answer, Cancel, Question, QuestionBody, Refuse, Words
from moot.values.value import Key, RunId


class AnswerGiven(RootModel[Answer]):
    """An answer as its entry keeps it."""


def question_of(body: QuestionBody, run: RunId, *, key: Key, doors: Doors) -> Question:
    """The question, its id made of the run and the key, due when the run's settings say so."""
    return Question(
        id=question_id(run, key),
        run=run,
        key=key,
        body=body,
        digest=digest_of(body_of(body)),
        wait_s=doors.wait_s,
        default=default_of(body, doors),
        due_at=None if doors.wait_s is None else time.time() + doors.wait_s,
    )


def unasked(body: QuestionBody) -> Answer:
    """What is taken for an answer once a person asked for the report now."""
    match body.kind:
        case "plan_review":
            return Accept()
        case "clarification":
            return Words()
        case "approval":
            return Refuse(reason="the report was asked for now")
        case _ as never:
            assert_never(never)


def default_of(body: QuestionBody, doors: Doors) -> Answer:
    """What stands in for a person who never answers: nobody's money is spent by silence."""
    if body.kind == "approval":
        return Refuse(reason="nobody answered in time")
    if body.kind == "plan_review" and doors.accept_late:
        return Accept()
    return Cancel()
