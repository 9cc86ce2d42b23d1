"""Teams on Python's own reference, without a model: what must be quoted, and what must not be found."""

from pathlib import Path

import pytest

from moot.app.service import opened
from moot.evals.questions import Judged, asked, read_cases

HERE = Path(__file__).parent


TEAMS = ("research", "supervised")


async def judged(team: str, name: str, home: Path) -> list[Judged]:
    cases = read_cases((HERE / name).read_text(encoding="utf-8").splitlines())
    async with opened(str(home), {}) as service:
        return [one async for one in asked(service, cases, {"docs": ["python"]}, team=team)]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("team", TEAMS)
async def test_seventeen_of_twenty_questions_are_answered_with_the_words_wanted(team: str, tmp_path: Path) -> None:
    came = await judged(team, "python_reference.jsonl", tmp_path)
    missed = [one.question for one in came if not one.hit]
    assert len(came) == 20
    assert len(missed) <= 3, missed


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("team", TEAMS)
async def test_eight_of_eight_questions_that_have_no_answer_there_get_none(team: str, tmp_path: Path) -> None:
    came = await judged(team, "python_nothing.jsonl", tmp_path)
    assert [(one.question, one.why) for one in came if not one.hit] == []
    assert len(came) == 8
