"""Checkpoints: copied to the next epoch, never from other code, forgotten whole."""

from pathlib import Path
from typing import TypedDict

import aiosqlite
import pytest
from langgraph.checkpoint.memory import InMemorySaver

from moot import __version__
from moot.run.checkpoints import Carried, Checkpoints, thread
from moot.run.code import code_of, values_of
from moot.run.drawn import drawn
from moot.run.graph import END, START, Graph
from moot.run.run import Run
from moot.values.evidence import Shown
from moot.values.plans import Plan, Step, StepResult
from moot.values.value import RunId
from tests.run.drawing import S, chain, nothing
from tests.run.relay import Relay, relay
from tests.run.walking import RUN, Walks


class Crash(Exception):
    """The machine stopped here."""


async def crashes(run: Run, state: S) -> str:
    raise Crash


async def test_a_state_names_every_value_it_may_hold() -> None:
    names = {kind.__name__ for kind in values_of(Relay)}
    assert {"Plan", "Step", "StepResult", "Finding", "Claim", "Shown"} <= names
    assert {Plan, Step, StepResult, Shown} <= set(values_of(Relay))
    assert values_of(S) == []


async def test_a_checkpoint_holds_values_and_gives_them_back_as_such(walks: Walks) -> None:
    await walks.start()
    end = await walks.go(relay(), Relay(question="Q?"))
    newest = await walks.checkpoints.of(Relay).aget_tuple(thread(RUN, 1))
    assert newest is not None
    assert newest.checkpoint["channel_values"]["plan"] == end.state["plan"]
    assert isinstance(newest.checkpoint["channel_values"]["plan"], Plan)


async def test_the_newest_checkpoint_is_carried_to_the_next_epoch(walks: Walks) -> None:
    await walks.start()
    with pytest.raises(Crash):
        await walks.go(chain(one=nothing, two=nothing, three=crashes), S())
    code = code_of(chain(one=nothing, two=nothing, three=crashes), walks.doors.prompts.digest())
    assert await walks.checkpoints.carry_on(RUN, S, epoch=2, from_start=1, code=code) == Carried(1, 2)
    assert await walks.checkpoints.carry_on(RUN, S, epoch=3, from_start=1, code=code) == Carried(2, 2)
    assert await walks.checkpoints.carry_on(RUN, S, epoch=4, from_start=4, code=code) is None
    assert await walks.checkpoints.carry_on(RUN, S, epoch=4, from_start=1, code="other") is None


async def test_an_epoch_that_left_no_checkpoint_is_passed_over(walks: Walks) -> None:
    await walks.start()
    with pytest.raises(Crash):
        await walks.go(chain(one=nothing, two=crashes), S())
    code = code_of(chain(one=nothing, two=crashes), walks.doors.prompts.digest())
    assert await walks.checkpoints.carry_on(RUN, S, epoch=5, from_start=1, code=code) == Carried(1, 1)


async def test_what_is_forgotten_is_in_no_file(tmp_path: Path, walks: Walks) -> None:
    checkpoints = await Checkpoints.open(tmp_path / "graph.db")
    on_disk = Walks(walks.journal, checkpoints, walks.doors)
    for run in (RUN, RunId("stays00000")):
        await on_disk.start(run)
        await on_disk.go(relay(), Relay(question=f"Who saw the canary of {run}?"), run)
    await checkpoints.forget(RUN)
    assert not [file for file in tmp_path.iterdir() if b"canary of walk000000" in file.read_bytes()]
    await checkpoints.close()
    async with (
        aiosqlite.connect(tmp_path / "graph.db") as db,
        db.execute("SELECT DISTINCT thread_id FROM checkpoints") as rows,
    ):
        assert [row async for row in rows] == [("stays00000:1",)]


async def test_forgetting_where_nothing_was_kept_is_no_error() -> None:
    checkpoints = await Checkpoints.open(None)
    await checkpoints.forget(RUN)
    assert await checkpoints.carry_on(RUN, dict, epoch=2, from_start=0, code="c") is None
    await checkpoints.close()


async def test_a_drawing_is_made_ready_once(walks: Walks) -> None:
    graph = chain(one=nothing)
    assert walks.checkpoints.ready(graph) is walks.checkpoints.ready(graph)
    assert walks.checkpoints.ready(chain(one=nothing)) is not walks.checkpoints.ready(graph)


def test_code_is_the_version_and_a_digest_of_all_a_walk_depends_on() -> None:
    code = code_of(chain(one=nothing), "prompts")
    assert code.startswith(f"{__version__}+")
    assert code == code_of(chain(one=nothing), "prompts")
    others = [
        code_of(chain(two=nothing), "prompts"),
        code_of(chain(one=nothing), "other"),
        code_of(_typed(), "prompts"),
    ]
    assert len({code, *others}) == 4


class Other(TypedDict):
    plan: Plan


def _typed() -> Graph[Other]:
    graph = Graph(Other)
    graph.nodes = chain(one=nothing).nodes
    graph.add_edge(START, "one")
    graph.add_edge("one", END)
    return graph


def test_an_edge_to_nowhere_is_seen_before_anything_is_spent() -> None:
    graph = chain(one=nothing)
    graph.add_edge("one", "nowhere")
    with pytest.raises(ValueError, match="nowhere"):
        drawn(graph, InMemorySaver())
