"""The supervised team broken off at each of its calls and taken up again: the same report, no turn paid twice."""

from dataclasses import replace

import pytest

from moot.models.chosen import ChosenModels
from moot.models.scripted import Line, ScriptedModel
from moot.patterns.options import SupervisedOptions
from moot.teams.supervised import TEAM
from moot.values.events import TurnEnded
from tests.teams.conftest import MakeTeam
from tests.teams.lines import HOW_HIGH, LIGHTHOUSES, hand_off
from tests.teams.supervised import computed, looked_up, planned, report

CHOICES = [("Turn 3,", "FINISH"), ("Turn 2,", "researcher"), ("Turn 1,", "coder"), ("Nobody has had", "researcher")]
LINES = [
    hand_off(), planned("r c r R"),
    *(Line(role="supervisor", holds=holds, value={"next": name}) for holds, name in CHOICES),
    *looked_up("one.md", holds="Your step 1:"), *computed(), *looked_up("two.md", holds="Your step 3:"),
    report("one.md", "two.md"),
]  # fmt: skip


@pytest.mark.parametrize("missing", range(len(LINES)))
async def test_broken_off_at_a_call_it_goes_on_and_pays_no_turn_twice(make_team: MakeTeam, missing: int) -> None:
    first = [line for place, line in enumerate(LINES) if place != missing]
    team = await make_team(first, files=LIGHTHOUSES, of=TEAM)
    assert team.model is not None
    options = SupervisedOptions(who=("coder",), search_first=False)
    with pytest.raises(AssertionError, match="no line expects request"):
        await team.ask(HOW_HIGH, options=options)
    second = ScriptedModel([line.model_copy(update={"times": None}) for line in LINES])
    doors = replace(team.walks.doors, models=ChosenModels({"fast": second, "strong": second}))
    team.walks = replace(team.walks, doors=doors)
    await team.go_on()
    assert len(team.model.requests) + len(second.requests) == len(LINES)
    ended = [(body.n, body.member) for body in await team.told() if isinstance(body, TurnEnded)]
    assert ended == [(1, "researcher"), (2, "coder"), (3, "researcher")]
    text = await team.report()
    assert all(text.count(f"“{LIGHTHOUSES[file]}”") == 1 for file in ("one.md", "two.md"))
