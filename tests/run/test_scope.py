"""Scopes: names, counters, limits of their own, and nobody but one at work in each."""

import pytest

from moot.run.budget import Budget
from moot.run.scope import OURS, Scope
from moot.values.errors import BudgetSpent, ScopeBusy
from moot.values.messages import Reply
from moot.values.usage import Limits, Reserve
from tests.conftest import MakeRun


async def test_parts_of_a_scope_are_counted_by_name(make_run: MakeRun) -> None:
    run = await make_run("investigate#1/2")
    seen: list[str] = []
    for name in ("worker", "worker", "checker"):
        async with run.scope(name):
            seen.append(run.here)
    assert seen == [f"investigate#1/2/{part}" for part in ("worker#1", "worker#2", "checker#1")]
    assert run.here == "investigate#1/2"


async def test_a_scope_that_failed_is_left(make_run: MakeRun) -> None:
    run = await make_run()
    with pytest.raises(ZeroDivisionError):
        async with run.scope("worker"):
            raise ZeroDivisionError
    assert run.here == "look#1"
    async with run.scope("worker"):
        assert run.here == "look#1/worker#2"


async def test_a_second_scope_beside_an_open_one_is_a_bug(make_run: MakeRun) -> None:
    run = await make_run()
    outer = Scope("look#1", run.budget)
    run.enter(outer)
    async with run.scope("worker"):
        run.enter(outer)
        with pytest.raises(ScopeBusy, match="checker was begun in look#1 while worker is still open there"):
            async with run.scope("checker"):
                pass


@pytest.mark.parametrize("name", sorted(OURS))
async def test_a_scope_cannot_bear_the_name_of_a_call(make_run: MakeRun, name: str) -> None:
    with pytest.raises(AssertionError, match=f"a scope cannot be called {name}"):
        async with (await make_run()).scope(name):
            pass


@pytest.mark.parametrize("name", ["", "Worker", "1st", "a-b", "a/b", "a#1", "a" * 41, "工"])
def test_only_short_plain_names_make_a_key(name: str) -> None:
    with pytest.raises(AssertionError, match="cannot be part of a key"):
        Scope("look#1", Budget(Limits())).next(name)


def test_a_key_has_an_end() -> None:
    with pytest.raises(AssertionError, match="longer than 200 characters"):
        Scope("look#1" + "/worker#1" * 22, Budget(Limits())).next("model")


def test_an_event_is_counted_by_its_kind() -> None:
    scope = Scope("plan#1", Budget(Limits()))
    assert [scope.next_event(kind) for kind in ("planned", "said", "said")] == [
        "plan#1/!planned#1", "plan#1/!said#1", "plan#1/!said#2",
    ]  # fmt: skip


async def test_limits_of_a_scope_leave_its_keys_as_they_are(make_run: MakeRun) -> None:
    run = await make_run()
    keys: list[str] = []

    async def says(key: str) -> Reply:
        keys.append(key)
        return Reply(text="yes")

    with run.limited(Limits(tokens=50, keep_back=0)) as budget:
        await run.once("model", {}, says, reply=Reply, reserve=Reserve(tokens=40))
        assert budget.spent().calls == 1
        with pytest.raises(BudgetSpent, match="tokens would be in use at look#1/model#2"):
            await run.once("model", {}, says, reply=Reply, reserve=Reserve(tokens=60))
    await run.once("model", {}, says, reply=Reply, reserve=Reserve(tokens=60))
    assert len(keys) == 2


async def test_a_call_may_take_what_is_left_of_the_seconds(make_run: MakeRun) -> None:
    run = await make_run(limits=Limits(seconds=100))
    left = run.seconds_left()
    assert left is not None
    assert 84 < left <= 85
    async with run.scope("reporter", reserve=True):
        left = run.seconds_left()
        assert left is not None
        assert 99 < left <= 100
    assert (await make_run(run_id="nolimit000", limits=Limits(seconds=None))).seconds_left() is None
