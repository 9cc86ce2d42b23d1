"""What every journal promises: the life, calls and events of a run. Questions and ends: test_journal_people.py."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from moot.journal.clock import HandClock, new_holder
from moot.journal.port import Journal
from moot.journal.records import LEASE_S, Claim, RunFilter, Visit
from moot.values.errors import FencedOff, ModelFailed, RunRefused, ToolFailed
from moot.values.events import Ended
from moot.values.usage import Reserve
from moot.values.value import Key, RunId
from tests.journal.samples import (
    AT,
    RUN,
    SEED,
    a_question,
    a_run,
    an_entry,
    an_event,
    asked,
    ended,
    kept,
    keys,
    later,
    started,
)  # fmt: skip

DEAD = new_holder().rsplit(":", 3)[0] + ":4194305:1:00000000"
"""A holder on this host whose process is gone: no pid is as large."""


# a run's life


async def test_a_started_run_is_queued_and_reads_back_whole(journal: Journal) -> None:
    record = await journal.start(a_run(), [an_event("!queued#")])
    assert (record.status, record.reason, record.epoch, record.last_event) == ("queued", "new", 0, 1)
    again = await journal.run(RUN)
    assert again == record
    assert (again.settings, again.limits, again.created_at) == (a_run().settings, a_run().limits, AT)


async def test_starting_twice_under_one_key_gives_one_run(journal: Journal) -> None:
    parent = await journal.start(a_run("parent0000"))
    first = await journal.start(a_run("child00001", parent=parent.id, start_key="case 1"), [an_event("!queued#")])
    second = await journal.start(a_run("child00002", parent=parent.id, start_key="case 1"), [an_event("!queued#")])
    assert second == first
    assert keys(await journal.events(first.id)) == ["!queued#1"]
    other = await journal.start(a_run("child00003", start_key="case 1"))
    assert other.id != first.id


async def test_a_claimed_run_runs_and_nobody_else_may_claim_it(journal: Journal) -> None:
    claim = await started(journal)
    record = await journal.run(RUN)
    assert (claim.epoch, claim.took_over, record.status, record.holder) == (1, False, "running", claim.holder)
    with pytest.raises(RunRefused) as refused:
        await journal.claim(RUN, new_holder())
    assert refused.value.code == "still_going"
    assert claim.holder in refused.value.message


async def test_what_cannot_be_claimed_says_why(journal: Journal) -> None:
    claim = await started(journal)
    await asked(journal, claim, a_question())
    done = await started(journal, a_run("done000000"))
    await journal.end(done, Ended(status="finished", reason="report", ending="done"))
    paused = await started(journal, a_run("paused0000"))
    await journal.end(paused, Ended(status="queued", reason="paused", ending=None), held=True)
    gone = await journal.start(a_run("gone000000"))
    await journal.forget(gone.id)
    codes = {RUN: "not_accepted", done.run: "already_finished", paused.run: "not_accepted", gone.id: "run_forgotten"}
    for run, code in {**codes, RunId("nosuchrun0"): "run_unknown"}.items():
        with pytest.raises(RunRefused) as refused:
            await journal.claim(run, new_holder())
        assert refused.value.code == code


async def test_a_lease_that_is_renewed_holds_and_one_that_is_not_is_taken_over(
    journal: Journal, clock: HandClock
) -> None:
    claim = await started(journal)
    clock.pass_by(LEASE_S - 1)
    await journal.renew(claim)
    clock.pass_by(LEASE_S - 1)
    with pytest.raises(RunRefused):
        await journal.claim(RUN, new_holder())
    clock.pass_by(1.5)
    taken = await journal.claim(RUN, new_holder())
    assert (taken.epoch, taken.took_over, taken.after_s) == (2, True, LEASE_S + 0.5)


async def test_a_walker_whose_process_is_dead_has_no_lease(journal: Journal) -> None:
    await journal.start(a_run())
    await journal.claim(RUN, DEAD)
    assert (await journal.claim(RUN, new_holder())).took_over


async def test_a_walker_on_another_host_keeps_its_lease(journal: Journal) -> None:
    await journal.start(a_run())
    await journal.claim(RUN, "elsewhere:4194305:1:00000000")
    with pytest.raises(RunRefused):
        await journal.claim(RUN, new_holder())


async def test_a_lease_of_another_boot_is_over(journal: Journal, clock: HandClock) -> None:
    await started(journal)
    clock.boot_id, clock.now_s = "second boot", 3.0
    assert (await journal.claim(RUN, new_holder())).after_s == 0.0


async def test_setting_the_hosts_clock_loses_no_lease_and_no_order(journal: Journal, clock: HandClock) -> None:
    claim = await started(journal)
    for number, moved in enumerate((0, -3600, 7200)):
        clock.wall_s += moved
        await journal.renew(claim)
        await journal.note(claim, [an_event(f"plan#1/!noted#{number}", later(moved))])
    assert keys(await journal.events(RUN)) == ["plan#1/!noted#0", "plan#1/!noted#1", "plan#1/!noted#2"]
    with pytest.raises(RunRefused):
        await journal.claim(RUN, new_holder())


Act = Callable[[Journal, Claim], Awaitable[object]]
ACTS: dict[str, Act] = {
    "renew": lambda journal, claim: journal.renew(claim),
    "wait": lambda journal, claim: journal.wait(claim, [a_question()], [an_event("late#1/!noted#1")]),
    "end": lambda journal, claim: journal.end(claim, Ended(status="finished", reason="report", ending="done")),
    "begin": lambda journal, claim: journal.begin(claim, an_entry("late#1/model#1")),
    "keep": lambda journal, claim: journal.keep(claim, kept(an_entry("late#1/model#1"))),
    "set_aside": lambda journal, claim: journal.set_aside(claim, Key("plan#1/model#1"), an_event("late#1/!noted#1")),
    "visited": lambda journal, claim: journal.visited(claim, Visit(epoch=1, node="late", step=9, visit=1)),
    "walked_from_start": lambda journal, claim: journal.walked_from_start(claim),
    "note": lambda journal, claim: journal.note(claim, [an_event("late#1/!noted#1")]),
}


@pytest.mark.parametrize("act", ACTS)
async def test_of_two_walkers_the_older_is_refused_every_act(journal: Journal, clock: HandClock, act: str) -> None:
    old = await started(journal)
    await journal.keep(old, kept(an_entry()))
    clock.pass_by(LEASE_S + 1)
    await journal.claim(RUN, new_holder())
    before = await everything(journal)
    with pytest.raises(FencedOff):
        await ACTS[act](journal, old)
    assert await everything(journal) == before


@pytest.mark.parametrize("act", ACTS)
async def test_a_walker_whose_lease_is_over_is_refused_though_nobody_took_the_run(
    journal: Journal, clock: HandClock, act: str
) -> None:
    claim = await started(journal)
    await journal.keep(claim, kept(an_entry()))
    clock.pass_by(LEASE_S)
    with pytest.raises(FencedOff):
        await ACTS[act](journal, claim)


async def everything(journal: Journal) -> object:
    return (
        await journal.run(RUN), await journal.entries(RUN), await journal.events(RUN), await journal.visits(RUN, 1),
        await journal.questions(RUN), await journal.revs(RUN),
    )  # fmt: skip


async def test_a_run_that_loses_three_walkers_in_a_row_with_nothing_kept_has_failed(journal: Journal) -> None:
    await journal.start(a_run())
    for _ in range(3):
        claim = await journal.claim(RUN, DEAD)
        await journal.begin(claim, an_entry("look#1/tool#1", kind="tool"))
    with pytest.raises(RunRefused) as refused:
        await journal.claim(RUN, new_holder())
    assert refused.value.code == "crashed_thrice"
    assert "look#1/tool#1" in refused.value.message
    record = await journal.run(RUN)
    assert (record.status, record.reason, record.ending, record.holder) == ("failed", "crashed_thrice", "failed", "")
    assert [event.type for event in await journal.events(RUN)] == ["warned", "ended"]
    again, _ = await journal.requeue(RUN, reason="again")
    assert again.status == "queued"
    assert (await journal.claim(RUN, new_holder())).epoch == 4


async def test_a_walker_that_kept_something_new_is_not_counted_as_lost(journal: Journal) -> None:
    await journal.start(a_run())
    for number in range(5):
        claim = await journal.claim(RUN, DEAD)
        if number % 2 == 0:
            await journal.keep(claim, kept(an_entry(f"look#1/tool#{number}", kind="tool")))
    assert (await journal.run(RUN)).lost_epochs == 1  # epoch 4 alone, though 2 was lost too


async def test_the_seconds_that_walks_ran_add_up_with_those_of_a_lost_one(journal: Journal, clock: HandClock) -> None:
    claim = await started(journal)
    await journal.end(claim, Ended(status="queued", reason="drained", ending=None), seconds=10.0)
    lost = await journal.claim(RUN, new_holder())
    clock.pass_by(5)
    await journal.renew(lost)
    clock.pass_by(LEASE_S + 1)
    last = await journal.claim(RUN, new_holder())
    await asked(journal, last)
    assert (await journal.run(RUN)).spent_seconds == 15.0


async def test_runs_are_listed_newest_first_by_what_is_asked(journal: Journal) -> None:
    await journal.start(a_run("first00000", "Who reads Ödön?"))
    claim = await started(journal, a_run("second0000", "What is it?"))
    await journal.end(claim, Ended(status="finished", reason="report", ending="partial"))
    await journal.start(a_run("third00000", "100% or 50_0?"))
    await journal.start(a_run("child00000", parent=RunId("third00000"), start_key="1"))
    newest = [record.id for record in await journal.runs(RunFilter(limit=3))]
    assert newest == ["child00000", "third00000", "second0000"]
    assert [record.id for record in await journal.runs(RunFilter(ending="partial"))][:1] == ["second0000"]
    assert [record.id for record in await journal.runs(RunFilter(q="who READS"))] == ["first00000"]
    assert [record.id for record in await journal.runs(RunFilter(q="0_0"))] == ["third00000"]
    assert await journal.named("last") == ["third00000"]
    assert await journal.named("sec") == ["second0000"]
    assert await journal.named("s%") == []


# calls


async def test_a_call_that_is_begun_and_kept_reads_back_byte_for_byte(journal: Journal) -> None:
    claim = await started(journal)
    entry = an_entry(request='{"messages":["你好\\u0000"]}'.encode())
    assert await journal.begin(claim, entry) == 1
    begun = await journal.entry(RUN, entry.key)
    assert begun == entry.model_copy(update={"seq": 1})
    await journal.keep(claim, kept(entry, b'{"b":1, "a":2}'))
    done = await journal.entry(RUN, entry.key)
    assert done == kept(entry, b'{"b":1, "a":2}').model_copy(update={"seq": 1})
    assert await journal.entries(RUN) == [done]


@pytest.mark.parametrize("state", ["failed", "refused", "unknown"])
async def test_failures_are_kept_like_replies(journal: Journal, state: str) -> None:
    claim = await started(journal)
    end = ended(an_entry(), "failed").model_copy(update={"state": state})
    await journal.keep(claim, end)
    found = await journal.entry(RUN, end.key)
    assert found is not None
    assert (found.state, found.failure) == (state, end.failure)


@pytest.mark.parametrize("size", [65_536, 65_537, 100_001, 3_000_000])
async def test_a_body_of_any_size_comes_back_whole(journal: Journal, size: int) -> None:
    claim = await started(journal)
    body = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    entry = an_entry(request=body[::-1])
    await journal.begin(claim, entry)
    await journal.keep(claim, kept(entry, body))
    found = await journal.entry(RUN, entry.key)
    assert found is not None
    assert found.request == body[::-1]
    assert found.reply == body


@pytest.mark.parametrize(("kind", "error"), [("model", ModelFailed), ("tool", ToolFailed)])
async def test_a_reply_that_is_too_large_is_kept_as_a_failure(
    journal: Journal, kind: str, error: type[Exception]
) -> None:
    claim = await started(journal)
    entry = an_entry().model_copy(update={"kind": kind})
    with pytest.raises(error, match="too large"):
        await journal.keep(claim, kept(entry, b"x" * (16 * 1024 * 1024 + 1)))
    found = await journal.entry(RUN, entry.key)
    assert found is not None
    assert found.failure is not None
    code = "malformed" if error is ModelFailed else "too_large"
    assert (found.state, found.reply, found.failure.code) == ("failed", None, code)


async def test_a_call_begun_again_counts_its_tries_and_keeps_its_place(journal: Journal) -> None:
    await journal.start(a_run())
    old = await journal.claim(RUN, DEAD)
    await journal.begin(old, an_entry("look#1/tool#1"))
    await journal.begin(old, an_entry("look#1/tool#2"))
    new = await journal.claim(RUN, new_holder())
    again = an_entry("look#1/tool#1").model_copy(update={"reserved": Reserve(tokens=5)})
    assert await journal.begin(new, again) == 1
    found = await journal.entry(RUN, again.key)
    assert found is not None
    assert (found.tries, found.epoch, found.reserved) == (2, 2, Reserve(tokens=5))


async def test_keeping_twice_keeps_the_first(journal: Journal) -> None:
    claim = await started(journal)
    await journal.keep(claim, kept(an_entry(), b"1"), [an_event("plan#1/!said#1")])
    await journal.keep(claim, kept(an_entry(), b"2"), [an_event("plan#1/!said#1")])
    found = await journal.entry(RUN, an_entry().key)
    assert found is not None
    assert found.reply == b"1"
    assert keys(await journal.events(RUN)) == ["plan#1/!said#1"]


async def test_an_entry_set_aside_gives_its_key_a_new_rev_in_the_same_place(journal: Journal) -> None:
    claim = await started(journal)
    for number in (1, 2):
        await journal.keep(claim, kept(an_entry(f"plan#1/model#{number}")))
    assert await journal.set_aside(claim, Key("plan#1/model#1"), an_event("plan#1/!set_aside#1")) == 1
    assert await journal.entry(RUN, Key("plan#1/model#1")) is None
    assert [entry.key for entry in await journal.entries(RUN)] == ["plan#1/model#2"]
    assert await journal.revs(RUN) == {"plan#1/model#1": 1}
    assert await journal.begin(claim, an_entry("plan#1/model#1", digest="other")) == 1
    found = await journal.entry(RUN, Key("plan#1/model#1"))
    assert found is not None
    assert (found.rev, found.digest, found.state) == (1, "other", "begun")
    assert await journal.revs(RUN) == {}


async def test_visits_are_kept_by_epoch(journal: Journal) -> None:
    claim = await started(journal)
    visit = Visit(epoch=1, node="plan", step=1, visit=1)
    for _ in range(2):
        await journal.visited(claim, visit)
    await journal.visited(claim, Visit(epoch=1, node="plan", step=4, visit=2))
    assert await journal.visits(RUN, 1) == [visit, Visit(epoch=1, node="plan", step=4, visit=2)]
    assert await journal.visits(RUN, 2) == []


async def test_the_epoch_that_walks_from_start_is_noted(journal: Journal) -> None:
    await journal.start(a_run())
    await journal.claim(RUN, DEAD)
    await journal.walked_from_start(await journal.claim(RUN, new_holder()))
    assert (await journal.run(RUN)).from_start == 2


# events and shared commits


async def test_events_of_eight_siblings_are_numbered_without_a_gap(journal: Journal) -> None:
    claim = await started(journal)

    async def sibling(number: int) -> None:
        for n in range(125):
            await journal.note(claim, [an_event(f"work#1/{number}/!noted#{n}.{part}") for part in range(10)])

    await asyncio.gather(*(sibling(number) for number in range(8)))
    events = await journal.events(RUN, limit=20_000)
    assert [event.seq for event in events] == list(range(1, 10_001))
    assert (await journal.run(RUN)).last_event == 10_000
    assert [event.seq for event in await journal.events(RUN, after=4, limit=2)] == [5, 6]


async def test_an_event_is_written_once_and_a_key_left_open_gets_the_next_number(journal: Journal) -> None:
    claim = await started(journal)
    for _ in range(2):
        await journal.note(claim, [an_event("plan#1/!noted#1", body={"字": ["\x00", 1.5, None]}), an_event("!spent#")])
    events = await journal.events(RUN)
    assert keys(events) == ["plan#1/!noted#1", "!spent#1", "!spent#2"]
    assert [event.seq for event in events] == [1, 2, 3]
    assert (events[0].at, events[0].body) == (AT, {"name": "n", "body": {"字": ["\x00", 1.5, None]}})


async def test_a_refused_act_takes_nothing_from_those_it_shares_a_commit_with(journal: Journal) -> None:
    claim = await started(journal)
    await journal.begin(claim, an_entry("look#1/tool#1"))
    stranger = Claim(run=RUN, epoch=9, holder="elsewhere:1:1:00000000")
    acts = [
        journal.keep(claim, kept(an_entry("look#1/tool#1")), [an_event("look#1/!said#1")]),
        journal.keep(stranger, kept(an_entry("look#1/tool#2")), [an_event("look#1/!said#2")]),
        journal.begin(claim, an_entry("look#1/tool#1", digest="another request")),
        journal.note(claim, [an_event("look#1/!said#3")]),
    ]
    came = await asyncio.gather(*acts, return_exceptions=True)
    assert [type(one) for one in came] == [type(None), FencedOff, AssertionError, type(None)]
    assert keys(await journal.events(RUN)) == ["look#1/!said#1", "look#1/!said#3"]
    assert [entry.key for entry in await journal.entries(RUN)] == ["look#1/tool#1"]


async def test_a_cancelled_waiter_leaves_the_others_their_outcome(journal: Journal) -> None:
    claim = await started(journal)
    gone = asyncio.ensure_future(journal.note(claim, [an_event("a#1/!noted#1")]))
    stays = asyncio.ensure_future(journal.note(claim, [an_event("a#1/!noted#2")]))
    await asyncio.sleep(0)
    gone.cancel()
    await stays
    assert "a#1/!noted#2" in keys(await journal.events(RUN))
    assert (await journal.run(RUN)).seed == SEED
