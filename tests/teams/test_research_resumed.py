"""The default team broken off at each of its calls and taken up again: the same report, nothing finished paid twice."""

import re
from dataclasses import replace

import pytest

from moot.models.chosen import ChosenModels
from moot.models.scripted import ScriptedModel
from moot.patterns.options import ResearchOptions
from moot.values.events import StepEnded
from tests.teams.conftest import MakeTeam
from tests.teams.lines import HOW_HIGH, LIGHTHOUSES, three_steps

CALLS = 12
SIBLINGS_IN_FLIGHT = 2
ONE_ROUND = ResearchOptions(max_plan_iterations=1)


def timeless(report: str) -> str:
    """A report without what the clock put into it."""
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC|evidence=sha256:[0-9a-f]+", "", report)


@pytest.mark.parametrize("missing", range(CALLS))
async def test_broken_off_at_a_call_it_goes_on_to_the_same_report(make_team: MakeTeam, missing: int) -> None:
    lines = three_steps()
    first = [line for place, line in enumerate(lines) if place != missing]
    team = await make_team(first, files=LIGHTHOUSES)
    assert team.model is not None
    with pytest.raises(AssertionError, match="no line expects request"):
        await team.ask(HOW_HIGH, options=ONE_ROUND)
    second = ScriptedModel([line.model_copy(update={"times": None}) for line in lines])
    doors = replace(team.walks.doors, models=ChosenModels({"fast": second, "strong": second}))
    team.walks = replace(team.walks, doors=doors)
    outcome = await team.go_on()
    assert outcome.ending == "done"
    paid = len(team.model.requests) + len(second.requests)
    assert CALLS <= paid <= CALLS + SIBLINGS_IN_FLIGHT
    assert sorted(body.id for body in await team.told() if isinstance(body, StepEnded)) == ["1.1", "1.2", "1.3"]
    report = timeless(await team.report())
    assert all(report.count(f"“{text}”") == 1 for text in LIGHTHOUSES.values())
    assert "Audit: 3 of 3 factual sentences verified (100 %)" in report
