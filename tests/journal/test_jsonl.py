import json
from collections.abc import AsyncIterator

import pytest

from moot.journal.jsonl import read_cassette, write_cassette
from moot.journal.sqlite import SqliteJournal
from moot.values.errors import RunRefused, SettingWrong
from moot.values.events import Ended
from tests.journal.samples import RUN, a_question, a_run, an_entry, asked, ended, kept, started

BODIES = {
    "plan#1/model#1": b'{"b":1,"a":[2.50,1e5]}',  # JSON, but not as we would write it
    "plan#1/model#2": '{"text":"你好","n":[1,2.5,null,true]}'.encode(),
    "plan#1/tool#1": b"",
    "plan#1/tool#2": b"\xff\x00\xfe",
    "plan#1/tool#3": b'"just words"',
    "plan#1/tool#4": b"null",
    "plan#1/tool#5": b'{"a":1,"a":2}',
    "plan#1/tool#6": b"NaN",
    "plan#1/tool#7": b"123456789012345678901234567890",
    "plan#1/tool#8": b"0.1000000000000000055511151231257827",
    "plan#1/tool#9": "\u2028 两行\n".encode(),
    "plan#1/tool#10": b"x" * 300_000,
}


@pytest.fixture
async def recorded() -> AsyncIterator[SqliteJournal]:
    """A run with bodies of every sort, a failure, a refusal, an open call."""
    journal = await SqliteJournal.open(":memory:")
    claim = await started(journal)
    for key, body in BODIES.items():
        await journal.keep(claim, kept(an_entry(key, request=body + b" "), body))
    await journal.keep(claim, ended(an_entry("work#1/tool#1", kind="tool"), "failed"))
    await journal.keep(claim, ended(an_entry("work#1/model#1"), "refused", dimension="calls"))
    await journal.begin(claim, an_entry("work#1/model#2"))
    await journal.end(claim, Ended(status="budget_spent", reason="calls", ending="partial"), report="5ha")
    yield journal
    await journal.close()


async def test_a_cassette_gives_every_body_back_byte_for_byte(recorded: SqliteJournal) -> None:
    lines = list(await write_cassette(recorded, RUN))
    read = await read_cassette(lines)
    there, here = await recorded.entries(RUN), await read.entries(RUN)
    assert [entry.reply for entry in here][: len(BODIES)] == list(BODIES.values())
    told = {"key", "seq", "kind", "effect", "digest", "state", "request", "reply", "failure", "usage"}
    assert [entry.model_dump(include=told) for entry in here] == [
        entry.model_dump(include=told) for entry in there if entry.state != "begun"
    ]
    await read.close()


async def test_a_cassette_gives_the_run_back_with_its_end(recorded: SqliteJournal) -> None:
    read = await read_cassette(await write_cassette(recorded, RUN))
    there, here = await recorded.run(RUN), await read.run(RUN)
    same = {"id", "team", "question", "settings", "limits", "seed", "code", "status", "reason", "ending", "report"}
    assert here.model_dump(include=same) == there.model_dump(include=same)
    assert here.limits.tokens is None
    assert here.created_at == there.created_at
    await read.close()


async def test_one_export_is_like_the_next_and_like_that_of_its_copy(recorded: SqliteJournal) -> None:
    first = list(await write_cassette(recorded, RUN))
    assert list(await write_cassette(recorded, RUN)) == first
    read = await read_cassette(first)
    assert list(await write_cassette(read, RUN)) == first
    await read.close()


async def test_a_cassette_is_a_line_about_the_run_and_then_lines_sorted_by_key(recorded: SqliteJournal) -> None:
    lines = list(await write_cassette(recorded, RUN))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    head, *entries = [json.loads(line) for line in lines]
    assert list(head)[:4] == ["format", "team", "question", "settings"]
    assert (head["format"], head["question"]) == (1, "What is it?")
    assert [entry["key"] for entry in entries] == sorted(entry["key"] for entry in entries)
    assert {entry["key"]: entry.get("reply") for entry in entries}["plan#1/model#2"] == {
        "text": "你好",
        "n": [1, 2.5, None, True],
    }


async def test_a_run_that_waits_reads_back_held(recorded: SqliteJournal) -> None:
    claim = await started(recorded, a_run("waiting000"))
    await asked(recorded, claim, a_question(run=claim.run))
    read = await read_cassette(await write_cassette(recorded, claim.run))
    record = await read.run(claim.run)
    assert (record.status, record.held) == ("queued", True)
    await read.close()


@pytest.mark.parametrize(
    ("body", "secret"),
    [
        ('{"text":"key sk-12345 here"}', "sk-12345"),
        (json.dumps({"args": json.dumps({"header": 'a"b\\c'})}), 'a"b\\c'),
        (json.dumps({"text": "schlüssel"}), "schlüssel"),
        ('{"text":"schlüssel"}', "schlüssel"),
        ("\udcff".encode("utf-8", "surrogateescape").decode("latin-1") + "plain secret", "plain secret"),
    ],
)
async def test_an_export_with_a_secret_in_it_is_refused_by_the_settings_name(
    recorded: SqliteJournal, body: str, secret: str
) -> None:
    claim = await started(recorded, a_run("secret0000"))
    entry = an_entry("look#1/tool#1").model_copy(update={"run": claim.run})
    await recorded.keep(claim, kept(entry, body.encode()))
    await write_cassette(recorded, claim.run, {"MOOT_KEY": "", "MOOT_OTHER": "not there"})
    with pytest.raises(RunRefused, match="value of MOOT_KEY occurs in secret0000 at look#1/tool#1") as refused:
        await write_cassette(recorded, claim.run, {"MOOT_KEY": secret})
    assert secret not in refused.value.message


async def test_a_secret_within_bytes_that_are_no_text_is_found(recorded: SqliteJournal) -> None:
    claim = await started(recorded, a_run("secret0000"))
    entry = an_entry("look#1/tool#1").model_copy(update={"run": claim.run})
    await recorded.keep(claim, kept(entry, b"\xff\xfesk-12345\xff"))
    with pytest.raises(RunRefused, match="value of MOOT_KEY"):
        await write_cassette(recorded, claim.run, {"MOOT_KEY": "sk-12345"})


async def test_a_secret_in_the_question_is_found(recorded: SqliteJournal) -> None:
    claim = await started(recorded, a_run("secret0000", "Is sk-12345 a key?"))
    with pytest.raises(RunRefused, match="at its first line"):
        await write_cassette(recorded, claim.run, {"MOOT_KEY": "sk-12345"})


async def test_a_forgotten_run_has_no_cassette(recorded: SqliteJournal) -> None:
    await recorded.forget(RUN)
    with pytest.raises(RunRefused) as refused:
        await write_cassette(recorded, RUN)
    assert refused.value.code == "run_forgotten"


@pytest.mark.parametrize(
    ("line", "replaced", "said"),
    [
        (0, "", "empty"),
        (0, "{", "line 1 of the cassette cannot be read: no JSON"),
        (0, '{"format":2}', "line 1 of the cassette cannot be read: format"),
        (1, '{"key":"a#1/model#1"}', "line 2 of the cassette cannot be read: seq"),
        (1, '{"key":"a","seq":1,"kind":"model","digest":"d","state":"kept"}', "line 2 of the cassette has no request"),
    ],
)
async def test_a_cassette_that_cannot_be_read_names_the_line(
    recorded: SqliteJournal, line: int, replaced: str, said: str
) -> None:
    lines = list(await write_cassette(recorded, RUN))
    lines[line:] = [replaced]
    with pytest.raises(SettingWrong, match=said):
        await read_cassette(lines)
