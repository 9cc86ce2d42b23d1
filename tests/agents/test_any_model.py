"""However a model misbehaves, the work ends within its limits, says how, and owes an answer that fits."""

from dataclasses import replace

import pytest

from moot.agents.agent import AgentLimits, Choice, Worked
from moot.agents.loop import work
from moot.models.chosen import ChosenModels
from moot.prompts.render import Prompts
from moot.run.doors import Doors
from moot.run.run import Run
from moot.values.usage import Limits
from tests.agents.misbehaving import Misbehaving
from tests.agents.play import Answer, World, agent
from tests.conftest import MakeRun

MOST_STEPS = 6
A_TURN = 2 + 1
"""Model calls of one turn at most: an empty reply is asked for once more, two texts are put into form."""
TOGETHER = 200
"""Sequences that share a run: its journal grows with each."""


async def ended(seed: int, run: Run, doors: Doors) -> tuple[Worked[Answer], int]:
    model = Misbehaving(seed)
    run.doors = replace(doors, models=ChosenModels({"fast": model}))
    choices: tuple[Choice, ...] = ("auto", "required")
    within = AgentLimits(max_steps=MOST_STEPS)
    owed = replace(agent(["look", "fail", "write", "pour"]), limits=within, choice=choices[seed % 2])
    async with run.scope("one"):
        return await work(owed, run, task="Do it."), model.asked


async def check(seeds: range, run: Run, doors: Doors) -> set[str]:
    """Every sequence ends as it should; gives the ends that were met."""
    ends = set[str]()
    for seed in seeds:
        worked, asked = await ended(seed, run, doors)
        assert isinstance(worked.output, Answer), seed
        assert worked.why, seed
        assert worked.steps <= MOST_STEPS, seed
        assert asked <= MOST_STEPS * A_TURN + 3, seed
        assert worked.by == "understudy" or worked.end != "error", seed
        if worked.end == "max_steps":
            assert worked.steps == MOST_STEPS, seed
        if worked.end == "finished" and worked.by == "model":
            assert "answered" in worked.why, seed
        ends.add(worked.end)
    return ends


@pytest.fixture
def odd_doors(doors: Doors, prompts: Prompts, world: World) -> Doors:
    return replace(doors, prompts=prompts, tools=world.tools())


async def test_two_hundred_random_sequences_end_honestly(make_run: MakeRun, odd_doors: Doors) -> None:
    run = await make_run(doors=odd_doors, limits=Limits(tokens=None, calls=None, seconds=None))
    assert await check(range(TOGETHER), run, odd_doors) == {"finished", "stuck", "max_steps", "error"}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(49))
async def test_ten_thousand_random_sequences_end_honestly(make_run: MakeRun, odd_doors: Doors, part: int) -> None:
    run = await make_run(doors=odd_doors, limits=Limits(tokens=None, calls=None, seconds=None))
    first = TOGETHER * (part + 1)
    assert await check(range(first, first + TOGETHER), run, odd_doors)


async def test_a_spent_budget_ends_any_sequence(make_run: MakeRun, odd_doors: Doors) -> None:
    for seed in range(40):
        limits = Limits(tokens=None, calls=1 + seed % 4, seconds=None, keep_back_calls=0)
        run = await make_run(doors=odd_doors, limits=limits, run_id=f"testrun{seed:03d}")
        worked, asked = await ended(seed, run, odd_doors)
        assert asked <= 1 + seed % 4
        assert worked.end in ("finished", "stuck", "max_steps", "error", "budget")
