"""Limits: what fits, what is refused, what a refusal says. The figures are durability.md §10's."""

import pytest

from moot.journal.records import Entry
from moot.journal.sqlite import SqliteJournal
from moot.run.budget import Budget, running_seconds
from moot.run.run import Run
from moot.values.errors import BudgetSpent
from moot.values.messages import Reply
from moot.values.usage import Limits, Reserve, Usage
from moot.values.value import Key, RunId
from tests.conftest import MakeRun


class Hand:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def take(budget: Budget, key: str, asked: Reserve, *, kept_back: bool = False) -> BudgetSpent | None:
    """The refusal of a reserve; None when it was taken."""
    try:
        budget.reserve(Key(key), asked, may_use_kept_back=kept_back)
    except BudgetSpent as refusal:
        return refusal
    return None


def tokens(n: int) -> Reserve:
    return Reserve(tokens=n)


def test_the_example_of_three_siblings_holds_to_the_figure() -> None:
    budget = Budget(Limits(tokens=100_000))
    keys = [f"investigate#1/{n}/model#1" for n in (1, 2, 3)]
    assert take(budget, keys[0], tokens(30_000)) is None
    assert take(budget, keys[1], tokens(30_000)) is None
    refusal = take(budget, keys[2], tokens(30_000))
    assert refusal is not None
    assert refusal.dimension == "tokens"
    assert refusal.message == (
        "budget_spent: 90,000 of 85,000 tokens would be in use at investigate#1/3/model#1 "
        "(15,000 are kept back for the report). Resume with --more-tokens 10000."
    )
    budget.settle(Key(keys[0]), Usage(input=10_000, output=2_000))
    assert budget.left()["tokens"] == 100_000 - 42_000
    assert take(budget, "investigate#1/4/model#1", tokens(30_000)) is None
    assert take(budget, "report#1/model#1", tokens(28_001), kept_back=True) is not None
    assert take(budget, "report#1/model#1", tokens(28_000), kept_back=True) is None


@pytest.mark.parametrize(
    "limits, asked, kept_back, said",
    [
        (Limits(tokens=100_000), Reserve(tokens=90_000), False, "--more-tokens 10000."),
        (Limits(tokens=100_000), Reserve(tokens=93_500), False, "--more-tokens 10000."),
        (Limits(tokens=100_000), Reserve(tokens=93_501), False, "--more-tokens 20000."),
        (Limits(tokens=100_000), Reserve(tokens=110_000), True, "110,000 of 100,000 tokens would be in use at "
         "k#1/model#1. Resume with --more-tokens 10000."),
        (Limits(usd_micro=1_000_000), Reserve(usd_micro=900_000), False, "0.9000 of 0.8500 dollars would be in use at "
         "k#1/model#1 (0.1500 are kept back for the report). Resume with --more-usd 0.06."),
        (Limits(seconds=600), Reserve(seconds=511), False, "511 of 510 seconds would be in use at k#1/model#1 "
         "(90 are kept back for the report). Resume with --more-seconds 60."),
        (Limits(calls=5), Reserve(calls=3), False, "3 of 2 calls would be in use at k#1/model#1 "
         "(3 are kept back for the report). Resume with --more-calls 1."),
        (Limits(calls=2), Reserve(), False, "1 of 0 calls would be in use at k#1/model#1 "
         "(3 are kept back for the report). Resume with --more-calls 2."),
        (Limits(tokens=100, keep_back=0), Reserve(tokens=101), False, "101 of 100 tokens would be in use at "
         "k#1/model#1. Resume with --more-tokens 10000."),
    ],
)  # fmt: skip
def test_a_refusal_says_by_how_much_and_what_would_do(
    limits: Limits, asked: Reserve, kept_back: bool, said: str
) -> None:
    refusal = take(Budget(limits, clock=Hand()), "k#1/model#1", asked, kept_back=kept_back)
    assert refusal is not None
    assert refusal.message.endswith(said)


@pytest.mark.parametrize("would_be", [85_001, 86_000, 93_500, 93_501, 100_000, 400_000])
def test_what_is_advised_is_enough(would_be: int) -> None:
    refusal = take(Budget(Limits(tokens=100_000)), "k#1/model#1", tokens(would_be))
    assert refusal is not None
    more = int(refusal.message.rpartition(" ")[2].rstrip("."))
    assert take(Budget(Limits(tokens=100_000 + more)), "k#1/model#1", tokens(would_be)) is None


def test_no_level_is_charged_when_one_refuses() -> None:
    run = Budget(Limits(tokens=1_000, keep_back=0))
    agent = Budget(Limits(tokens=100, keep_back=0), path="look#1/agent#1", above=run)
    assert take(agent, "look#1/agent#1/model#1", tokens(101)) is not None
    assert run.left()["tokens"] == 1_000
    assert take(agent, "look#1/agent#1/model#1", tokens(60)) is None
    assert (run.left()["tokens"], agent.left()["tokens"]) == (940, 40)
    agent.settle(Key("look#1/agent#1/model#1"), Usage(input=10))
    assert (run.left()["tokens"], agent.left()["tokens"]) == (990, 90)


def test_a_limit_of_a_part_is_named_and_nothing_is_advised() -> None:
    agent = Budget(Limits(calls=1, keep_back_calls=0), path="look#1/agent#1", above=Budget(Limits()))
    assert take(agent, "look#1/agent#1/model#1", Reserve()) is None
    refusal = take(agent, "look#1/agent#1/model#2", Reserve())
    assert refusal is not None
    assert refusal.message == (
        "budget_spent: 2 of 1 calls would be in use at look#1/agent#1/model#2 (the limit of look#1/agent#1)."
    )


def test_more_used_than_asked_is_booked_as_overrun() -> None:
    budget = Budget(Limits())
    take(budget, "k#1/model#1", tokens(100))
    budget.settle(Key("k#1/model#1"), Usage(input=120, output=30))
    assert (budget.spent().tokens, budget.spent().overrun) == (150, 50)


async def test_an_overrun_is_not_hidden_by_another_walk(make_run: MakeRun) -> None:
    for _ in range(2):
        run = await make_run()
        await run.once("model", {}, says, reply=Reply, reserve=Reserve(tokens=2))
        assert run.budget.spent().overrun == 3


def test_an_unknown_price_is_told() -> None:
    budget = Budget(Limits())
    take(budget, "k#1/model#1", tokens(100))
    budget.settle(Key("k#1/model#1"), Usage(input=1))
    assert budget.spent().usd_unknown


def test_a_call_that_failed_without_usage_is_a_call() -> None:
    budget = Budget(Limits())
    take(budget, "k#1/model#1", tokens(100))
    budget.settle(Key("k#1/model#1"), None)
    assert (budget.spent().calls, budget.spent().tokens) == (1, 0)


def test_time_is_a_limit_of_every_call() -> None:
    hand = Hand()
    budget = Budget(Limits(seconds=100, keep_back=0.1), seconds=30, clock=hand)
    assert budget.seconds_left(may_use_kept_back=False) == 60
    assert budget.out_of_time(Key("k#1/model#1"), may_use_kept_back=False) is None
    assert budget.seconds_left(may_use_kept_back=True) == 70
    hand.now = 60.5
    refusal = take(budget, "k#1/tool#1", Reserve(calls=0))
    assert refusal is not None
    assert refusal.dimension == "seconds"
    assert refusal.message.startswith("budget_spent: 91 of 90 seconds would be in use at k#1/tool#1")
    assert take(budget, "k#1/tool#1", Reserve(calls=0), kept_back=True) is None
    late = budget.out_of_time(Key("k#1/tool#1"), may_use_kept_back=False)
    assert late is not None
    assert late.message == refusal.message
    assert budget.out_of_time(Key("k#1/tool#1"), may_use_kept_back=True) is None


def test_a_free_call_is_not_refused_for_tokens_that_are_gone() -> None:
    budget = Budget(Limits(tokens=100))
    take(budget, "k#1/model#1", tokens(10))
    budget.settle(Key("k#1/model#1"), Usage(input=500))
    assert take(budget, "k#1/model#2", tokens(1)) is not None
    assert take(budget, "k#1/tool#1", Reserve(calls=0)) is None


def test_a_closed_budget_refuses_all_but_the_report() -> None:
    budget = Budget(Limits())
    agent = Budget(Limits(), path="look#1/agent#1", above=budget)
    budget.close()
    refusal = take(agent, "look#1/agent#1/tool#1", Reserve(calls=0))
    assert refusal is not None
    assert refusal.dimension == "stopped"
    assert take(agent, "look#1/agent#1/model#1", tokens(1), kept_back=True) is None


def entry(key: str, **changed: object) -> Entry:
    made = Entry(run=RunId("one"), key=Key(key), kind="model", digest="", epoch=1, request=b"", begun_at=0.0)
    return made.model_copy(update=changed)


def test_what_earlier_walks_used_is_counted_and_what_a_fork_carries_is_not() -> None:
    usage = Usage(input=70, usd_micro=1)
    earlier = [
        entry("a#1/model#1", state="kept", usage=usage),
        entry("a#1/tool#1", kind="tool", state="kept"),
        entry("b#1/model#1", state="failed"),
        entry("b#1/model#2", state="refused", reserved=Reserve(tokens=9_000)),
        entry("c#1/model#1", state="kept", usage=usage, carried=True),
    ]
    spent = Budget(Limits(), entries=earlier).spent()
    assert (spent.tokens, spent.calls, spent.carried) == (70, 2, 70)
    assert Budget(Limits(), path="b#1", above=Budget(Limits()), entries=earlier).spent().calls == 1


def test_what_a_lost_walk_held_is_given_back_when_its_call_is_begun_again() -> None:
    lost = [entry("a#1/model#1", state="begun", reserved=Reserve(tokens=80))]
    budget = Budget(Limits(tokens=100, keep_back=0), entries=lost)
    assert take(budget, "a#2/model#1", tokens(30)) is not None
    assert take(budget, "a#1/model#1", tokens(80)) is None


def test_calls_side_by_side_are_one_time_and_waiting_is_none() -> None:
    entries = [
        entry("a#1/model#1", begun_at=10.0, ended_at=14.0),
        entry("a#1/model#2", begun_at=12.0, ended_at=15.0),
        entry("a#1/ask#1", kind="ask", begun_at=15.0, ended_at=9_000.0),
        entry("a#1/model#3", begun_at=20.0, ended_at=21.0),
        entry("a#1/model#4", begun_at=22.0),
    ]
    assert running_seconds(entries) == 6.0


async def says(key: str) -> Reply:
    return Reply(text="yes", usage=Usage(input=5))


async def ask(run: Run, n: int) -> Reply:
    return await run.once("model", {"n": n}, says, reply=Reply, reserve=Reserve(tokens=50))


async def test_the_limits_of_a_scope_hold_over_two_walks(make_run: MakeRun) -> None:
    run = await make_run()
    async with run.scope("agent", limits=Limits(calls=2, keep_back_calls=0)):
        await ask(run, 1)
    run = await make_run()
    async with run.scope("agent", limits=Limits(calls=2, keep_back_calls=0)):
        await ask(run, 1)
        await ask(run, 2)
        with pytest.raises(BudgetSpent, match="3 of 2 calls"):
            await ask(run, 3)
    await ask(run, 4)


async def test_only_a_scope_with_reserve_may_use_what_is_kept_back(make_run: MakeRun) -> None:
    run = await make_run(limits=Limits(calls=3))
    with pytest.raises(BudgetSpent):
        await ask(run, 1)
    async with run.scope("report", reserve=True), run.scope("reporter"):
        await ask(run, 2)


async def test_whether_a_call_would_fit_is_kept(make_run: MakeRun, journal: SqliteJournal) -> None:
    run = await make_run(limits=Limits(tokens=1_000, keep_back=0))
    assert await run.may_reserve(tokens(900))
    assert not await run.may_reserve(tokens(1_001))
    again = await make_run()
    again.budget.limits = Limits(tokens=500, keep_back=0)
    assert await again.may_reserve(tokens(900))
    assert not await again.may_reserve(tokens(1_001))
    states = [entry.state for entry in await journal.entries(run.id)]
    assert states == ["kept", "refused"]


async def test_whether_the_report_is_wanted_now_is_kept(make_run: MakeRun) -> None:
    run = await make_run()
    assert not await run.stopping()
    run.budget.close()
    assert await run.stopping()
    again = await make_run()
    assert [await again.stopping(), await again.stopping()] == [False, True]
