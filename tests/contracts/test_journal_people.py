"""What every journal promises to people: questions, cancelling, resuming with more, forks, forgetting, bytes."""

import asyncio
import hashlib

import pytest

from moot.journal.clock import HandClock, new_holder
from moot.journal.port import Journal
from moot.journal.records import LEASE_S, RunFilter
from moot.values.errors import RunRefused
from moot.values.events import Ended
from moot.values.questions import Accept, Answer, Cancel, Question, Words
from moot.values.usage import Limits
from moot.values.value import Key, QuestionId, RunId
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
    started,
)  # fmt: skip


async def answer(journal: Journal, question: Question, given: Answer = Words(text="a"), *, by: str = "ann") -> None:
    await journal.answer(question.id, given, digest=question.digest, by=by, event=an_event("!answered#"))


# questions


async def test_a_run_that_waits_is_held_by_nobody_and_shows_its_questions(journal: Journal) -> None:
    claim = await started(journal)
    question = a_question(due_at=9.5)
    await asked(journal, claim, question)
    record = await journal.run(RUN)
    assert (record.status, record.reason, record.holder) == ("waiting", "question", "")
    assert await journal.questions(RUN) == [question]
    assert await journal.question(question.id) == question
    assert await journal.question(QuestionId("q_none")) is None


async def test_an_answer_is_kept_as_the_questions_entry_and_queues_the_run(journal: Journal, clock: HandClock) -> None:
    claim = await started(journal)
    await asked(journal, claim, a_question())
    await answer(journal, a_question(), Accept(later=True))
    record = await journal.run(RUN)
    assert (record.status, record.reason) == ("queued", "answered")
    entry = await journal.entry(RUN, a_question().key)
    assert entry is not None
    assert (entry.state, entry.reply) == ("kept", b'{"how":"accept","later":true}')
    (question,) = await journal.questions(RUN)
    assert (question.state, question.answer, question.by) == ("answered", Accept(later=True), "ann")
    assert question.at == clock.wall_s
    assert keys(await journal.events(RUN)) == ["!answered#1"]


async def test_of_two_answers_the_first_counts_and_the_second_is_told_whose(journal: Journal) -> None:
    claim = await started(journal)
    await asked(journal, claim, a_question())
    both = (answer(journal, a_question(), by="ann"), answer(journal, a_question(), Accept(), by="bob"))
    came = await asyncio.gather(*both, return_exceptions=True)
    assert came[0] is None
    assert isinstance(came[1], RunRefused)
    assert came[1].code == "already_answered"
    assert "by ann at 2027-01-15T08:00:00" in came[1].message
    assert keys(await journal.events(RUN)) == ["!answered#1"]


async def test_an_answer_to_other_words_is_gone(journal: Journal) -> None:
    claim = await started(journal)
    await asked(journal, claim, a_question())
    for wrong in (a_question(digest="other"), a_question("q_none")):
        with pytest.raises(RunRefused) as refused:
            await answer(journal, wrong)
        assert refused.value.code == "question_gone"
    assert (await journal.run(RUN)).status == "waiting"


async def test_an_answer_to_a_run_that_is_over_is_refused(journal: Journal) -> None:
    claim = await started(journal)
    await asked(journal, claim, a_question())
    await journal.ask_cancel(RUN, at=1.0)
    with pytest.raises(RunRefused) as refused:
        await answer(journal, a_question())
    assert refused.value.code == "already_finished"


async def test_when_one_of_two_questions_is_answered_the_other_is_asked_again(journal: Journal) -> None:
    claim = await started(journal)
    first, second = a_question("q_1", "plan#1/ask#1", due_at=5.0), a_question("q_2", "plan#1/ask#2")
    await asked(journal, claim, first, second)
    await answer(journal, second)
    again = await journal.claim(RUN, new_holder())
    await asked(journal, again, first.model_copy(update={"due_at": 99.0}))
    assert (await journal.run(RUN)).status == "waiting"
    states = {question.id: (question.state, question.due_at) for question in await journal.questions(RUN)}
    assert states == {"q_1": ("open", 5.0), "q_2": ("answered", None)}


async def test_an_answer_that_came_while_the_run_went_on_queues_it_at_once(journal: Journal) -> None:
    claim = await started(journal)
    first, second = a_question("q_1", "plan#1/ask#1"), a_question("q_2", "plan#1/ask#2")
    await asked(journal, claim, first, second)
    await answer(journal, second)
    again = await journal.claim(RUN, new_holder())
    await answer(journal, first)
    assert (await journal.run(RUN)).status == "running"
    assert (await journal.wait(again, [first])).status == "queued"


async def test_a_question_that_is_not_asked_again_is_superseded(journal: Journal) -> None:
    claim = await started(journal)
    first, second = a_question("q_1", "plan#1/ask#1"), a_question("q_2", "plan#1/ask#2")
    await asked(journal, claim, first, second)
    await answer(journal, second)
    await asked(journal, await journal.claim(RUN, new_holder()), a_question("q_3", "plan#2/ask#1"))
    with pytest.raises(RunRefused) as refused:
        await answer(journal, first)
    assert refused.value.code == "question_gone"


async def test_a_held_answer_leaves_the_run_for_resume(journal: Journal) -> None:
    claim = await started(journal)
    await asked(journal, claim, a_question())
    event = an_event("!answered#")
    record = await journal.answer(QuestionId("q_1"), Words(), digest="w1", by="ann", event=event, held=True)
    assert (record.status, record.held) == ("queued", True)
    with pytest.raises(RunRefused):
        await journal.claim(RUN, new_holder())
    assert not (await journal.requeue(RUN, reason="again"))[0].held


# cancelling


async def test_a_run_that_nobody_walks_is_cancelled_at_once(journal: Journal, clock: HandClock) -> None:
    await asked(journal, await started(journal), a_question())
    await journal.start(a_run("queued0000"))
    await started(journal, a_run("lost000000"))
    clock.pass_by(LEASE_S)
    for run in (RUN, RunId("queued0000"), RunId("lost000000")):
        record = await journal.ask_cancel(run, at=7.0)
        assert (record.status, record.reason, record.ending) == ("cancelled", "by_person", "cancelled")
        assert keys(await journal.events(run)) == ["!ended#1"]
        assert await journal.ask_cancel(run, at=8.0) == record


async def test_a_run_that_is_walked_is_marked_for_its_walker(journal: Journal) -> None:
    await started(journal)
    await journal.ask_cancel(RUN, at=7.0)
    record = await journal.ask_cancel(RUN, at=8.0)
    assert (record.status, record.cancel_asked_at, record.report_now) == ("running", 7.0, False)


async def test_a_report_asked_for_now_is_marked_and_wakes_a_run_that_waits(journal: Journal) -> None:
    claim = await started(journal)
    assert (await journal.ask_cancel(RUN, at=7.0, report_now=True)).report_now
    await asked(journal, claim, a_question())
    record = await journal.ask_cancel(RUN, at=7.0, report_now=True)
    assert (record.status, record.cancel_asked_at) == ("queued", None)


# resuming


async def test_a_finished_run_is_never_opened_again(journal: Journal) -> None:
    claim = await started(journal)
    await journal.end(
        claim, Ended(status="finished", reason="report", ending="done"), report="5ha", events=[an_event("!ended#")]
    )
    record = await journal.run(RUN)
    assert (record.status, record.report, record.ended_at is not None) == ("finished", "5ha", True)
    with pytest.raises(RunRefused) as refused:
        await journal.requeue(RUN, reason="more")
    assert refused.value.code == "already_finished"


async def test_what_was_reported_stays_readable_when_a_later_walk_reports_nothing(journal: Journal) -> None:
    claim = await started(journal)
    await journal.end(claim, Ended(status="budget_spent", reason="calls", ending="partial"), report="5ha")
    record, _ = await journal.requeue(RUN, reason="again")
    assert (record.report, record.from_start) == ("5ha", 1)
    again = await journal.claim(RUN, new_holder())
    assert (await journal.end(again, Ended(status="cancelled", reason="by_person", ending="cancelled"))).report == "5ha"


async def test_a_run_that_is_walked_cannot_be_queued(journal: Journal) -> None:
    await started(journal)
    with pytest.raises(RunRefused) as refused:
        await journal.requeue(RUN, reason="more")
    assert refused.value.code == "still_going"


async def test_raising_a_limit_sets_its_refusals_aside_and_no_others(journal: Journal) -> None:
    claim = await started(journal)
    await journal.keep(claim, kept(an_entry("plan#1/model#1")))
    await journal.keep(claim, ended(an_entry("work#1/model#1"), "refused", dimension="tokens"))
    await journal.keep(claim, ended(an_entry("work#1/model#2"), "refused", dimension="calls"))
    await journal.keep(claim, ended(an_entry("work#1/tool#1", kind="tool"), "failed"))
    await journal.begin(claim, an_entry("work#1/model#3"))
    await journal.end(claim, Ended(status="budget_spent", reason="calls", ending="partial"))
    more = Limits(calls=99)
    record, out = await journal.requeue(RUN, reason="more", limits=more, aside=["calls"], events=[an_event("!queued#")])
    assert out == ["work#1/model#2"]
    assert record.from_start == 2
    assert (record.status, record.limits, record.aside_from, record.ended_at) == ("queued", more, 3, None)
    assert await journal.revs(RUN) == {"work#1/model#2": 1}
    record, out = await journal.requeue(RUN, reason="again", aside=["failed", "tokens"])
    assert (out, record.aside_from, record.limits) == (["work#1/model#1", "work#1/tool#1"], 2, more)
    begun = await journal.entry(RUN, Key("work#1/model#3"))
    assert begun is not None
    assert begun.reserved is None
    again = await journal.claim(RUN, new_holder())
    await journal.keep(again, ended(an_entry("work#2/model#1"), "refused", dimension="calls"))
    await journal.end(again, Ended(status="budget_spent", reason="calls", ending="partial"))
    assert (await journal.requeue(RUN, reason="more", aside=["calls"]))[0].aside_from == 2


async def test_a_question_that_time_cancelled_is_asked_again_after_resume(journal: Journal) -> None:
    await asked(journal, await started(journal), a_question())
    await answer(journal, a_question(), Cancel(), by="time limit")
    claim = await journal.claim(RUN, new_holder())
    await journal.end(claim, Ended(status="cancelled", reason="question_timed_out", ending="cancelled"))
    _, out = await journal.requeue(RUN, reason="again")
    assert out == [a_question().key]
    await asked(journal, await journal.claim(RUN, new_holder()), a_question())
    assert (await journal.run(RUN)).status == "waiting"
    await answer(journal, a_question())
    entry = await journal.entry(RUN, a_question().key)
    assert entry is not None
    assert (entry.rev, entry.state) == (1, "kept")


async def test_a_run_whose_walker_is_lost_may_be_given_more_and_is_then_taken_over(
    journal: Journal, clock: HandClock
) -> None:
    await started(journal)
    clock.pass_by(LEASE_S)
    record, _ = await journal.requeue(RUN, reason="more", limits=Limits(calls=9))
    assert (record.status, record.limits.calls) == ("running", 9)
    assert (await journal.claim(RUN, new_holder())).took_over


# forks


async def test_a_fork_has_the_entries_before_a_key_and_the_same_seed(journal: Journal) -> None:
    claim = await started(journal)
    for key in ("plan#1/model#1", "plan#1/ask#1", "work#1/tool#1", "report#1/model#1"):
        await journal.keep(claim, kept(an_entry(key), key.encode() * 10_000))
    await journal.begin(claim, an_entry("work#1/tool#2"))
    await journal.note(claim, [an_event("plan#1/!noted#1")])
    new = a_run("fork000000").model_copy(update={"seed": "1" * 32})
    record = await journal.fork(RUN, Key("work#1/tool#1"), new, events=[an_event("!queued#")])
    assert (record.parent, record.seed, record.status, record.last_event) == (RUN, SEED, "queued", 1)
    copied = await journal.entries(record.id)
    assert [(entry.key, entry.carried) for entry in copied] == [("plan#1/model#1", True), ("plan#1/ask#1", True)]
    whole = await journal.fork(RUN, None, a_run("fork000001"))
    assert [entry.seq for entry in await journal.entries(whole.id)] == [1, 2, 3, 4]
    await journal.end(claim, Ended(status="finished", reason="report", ending="done"))
    await journal.forget(RUN)
    assert [entry.reply for entry in await journal.entries(record.id)] == [entry.reply for entry in copied]


async def test_a_fork_at_an_unknown_key_names_the_nearest(journal: Journal) -> None:
    claim = await started(journal)
    for number in range(1, 6):
        await journal.keep(claim, kept(an_entry(f"work#1/{number}/model#1")))
    with pytest.raises(
        RunRefused, match=r"Nearest: work#1/\d/model#1, work#1/\d/model#1, work#1/\d/model#1"
    ) as refused:
        await journal.fork(RUN, Key("work#1/7/model#1"), a_run("fork000000"))
    assert refused.value.code == "key_unknown"
    assert RunId("fork000000") not in await journal.named("fork")


# forgetting, and bytes


async def test_a_forgotten_run_leaves_its_id_owner_and_times(journal: Journal) -> None:
    claim = await started(journal, a_run().model_copy(update={"owner": "ann"}))
    await asked(journal, claim, a_question())
    with_file = await journal.put(RUN, b"x" * 200_000)
    await journal.ask_cancel(RUN, at=1.0)
    for _ in range(2):
        await journal.forget(RUN)
    record = await journal.run(RUN)
    assert (record.id, record.owner, record.created_at, record.forgotten) == (RUN, "ann", AT, True)
    assert (record.question, record.settings, record.team, record.last_event) == ("", {}, "", 0)
    assert await journal.events(RUN) == []
    assert await journal.entries(RUN) == []
    assert await journal.questions(RUN) == []
    assert await journal.get(with_file) is None
    assert RUN not in [run.id for run in await journal.runs(RunFilter(limit=50))]
    for late in (journal.put(RUN, b"late"), journal.requeue(RUN, reason="again"), journal.ask_cancel(RUN, at=2.0)):
        with pytest.raises(RunRefused) as refused:
            await late
        assert refused.value.code == "run_forgotten"


async def test_a_run_that_is_walked_is_not_forgotten(journal: Journal) -> None:
    await started(journal)
    with pytest.raises(RunRefused) as refused:
        await journal.forget(RUN)
    assert refused.value.code == "still_going"


@pytest.mark.parametrize("size", [0, 10, 99_999, 100_001, 3_000_000])
async def test_bytes_come_back_by_their_hash_until_the_last_run_is_forgotten(journal: Journal, size: int) -> None:
    body = bytes(size)
    runs = [await journal.start(a_run(name)) for name in ("one0000000", "two0000000")]
    names = {await journal.put(run.id, body) for run in (*runs, *runs)}
    assert len(names) == 1
    (name,) = names
    await journal.forget(runs[0].id)
    assert await journal.get(name) == body
    await journal.forget(runs[1].id)
    assert await journal.get(name) is None
    third = await journal.start(a_run("three00000"))
    assert await journal.put(third.id, body) == name
    assert await journal.get(name) == body


@pytest.mark.parametrize("size", [10, 3_000_000])
async def test_dropped_bytes_are_gone_for_every_run_but_not_what_an_entry_or_a_report_names(
    journal: Journal, size: int
) -> None:
    claim = await started(journal)
    other = await journal.start(a_run("other00000"))
    page, report, reply = bytes(size), b"# A report", b'"' + b"a" * 200_000 + b'"'
    hashes = [await journal.put(run, body) for run, body in ((RUN, page), (other.id, page), (RUN, report))]
    await journal.keep(claim, kept(an_entry(), reply))
    reply_hash = hashlib.sha256(reply).hexdigest()
    assert await journal.get(reply_hash) == reply
    await journal.end(claim, Ended(status="finished", reason="report", ending="done"), report=hashes[2])
    assert await journal.drop([*hashes, reply_hash, "0" * 64]) > 0
    assert [await journal.get(sha256) for sha256 in (hashes[0], hashes[2], reply_hash)] == [None, report, reply]
    assert await journal.drop(hashes) == 0
    assert await journal.put(other.id, page) == hashes[0]
    assert await journal.get(hashes[0]) == page
