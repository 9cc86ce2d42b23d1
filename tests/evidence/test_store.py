"""What was read stays: reads, texts and passages, and what forgetting takes away."""

import asyncio
import contextlib
import hashlib
import sqlite3
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.evidence.store import Store
from moot.values.evidence import NewRead
from moot.values.ports import Blobs

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


def a_read(text: str = "# Dams\n\nIt holds water.\n\nIt is dry.", *, run: str = "run1") -> NewRead:
    body = text.encode("utf-8", "replace")
    return NewRead(
        address="docs://d/a.md", run=run, text=text, body=body, fetched_at=AT, title="Dams", extractor="text 1"
    )


async def test_a_kept_text_gives_its_words_passages_and_quotes_again(store: Store) -> None:
    stored = await store.keep(a_read())
    assert stored.text_hash == hashlib.sha256(b"# Dams\n\nIt holds water.\n\nIt is dry.").hexdigest()
    assert await store.text(stored.text_hash) == "# Dams\n\nIt holds water.\n\nIt is dry."
    assert await store.passages(stored.text_hash) == stored.passages
    assert [p.heading for p in stored.passages] == [("Dams",), ("Dams",)]
    assert await store.quote(stored.text_hash, 2) == "It is dry."


async def test_a_quote_of_a_passage_that_is_not_there_is_a_key_error(store: Store) -> None:
    stored = await store.keep(a_read())
    with pytest.raises(KeyError):
        await store.quote(stored.text_hash, 3)
    with pytest.raises(KeyError):
        await store.quote("00", 1)


async def test_the_same_read_twice_is_kept_once_and_another_read_is_never_overwritten(store: Store) -> None:
    first = await store.keep(a_read())
    assert await store.keep(a_read()) == first
    second = await store.keep(a_read("It changed."))
    assert second.text_hash != first.text_hash
    assert await store.quote(first.text_hash, 1) == "It holds water."
    assert await count(store, "read") == 2
    assert await count(store, "text") == 2


async def test_a_failed_read_is_kept_with_its_error_and_has_no_text(store: Store) -> None:
    stored = await store.keep(NewRead(address="docs://d/x.pdf", run="run1", error="no_text_layer", body=b"%PDF"))
    assert (stored.text_hash, stored.passages) == ("", ())
    assert stored.snapshot == hashlib.sha256(b"%PDF").hexdigest()
    assert await count(store, "read") == 1
    assert await count(store, "text") == 0


async def test_passages_know_the_page_they_begin_on(store: Store) -> None:
    text = "One.\n\nTwo.\n\nThree."
    stored = await store.keep(NewRead(address="docs://d/a.pdf", run="r", text=text, pages=((1, 0), (2, 6), (3, 12))))
    assert [p.page for p in stored.passages] == [1, 2, 3]
    assert [p.page for p in await store.passages(stored.text_hash)] == [1, 2, 3]


async def test_the_lines_that_code_printed_are_passages(store: Store) -> None:
    stored = await store.keep(NewRead(address="calc:process#1/1", run="r", text="ratio 2.509\n\n=> 391\n", body=b"1+1"))
    assert [await store.quote(stored.text_hash, p.n) for p in stored.passages] == ["ratio 2.509", "=> 391"]


async def test_nul_and_lone_surrogates_are_replaced_before_they_are_kept(store: Store) -> None:
    stored = await store.keep(a_read("a\x00b \ud800 c"))
    assert await store.text(stored.text_hash) == "a\ufffdb \ufffd c"


async def test_forgetting_a_run_leaves_what_another_run_has_read(store: Store) -> None:
    shared = await store.keep(a_read())
    await store.keep(a_read(run="run2"))
    own = await store.keep(a_read("Only run1 read this."))
    await store.forget("run1")
    assert len(await store.passages(shared.text_hash)) == 2
    assert await store.passages(own.text_hash) == ()
    await store.forget("run2")
    assert await count(store, "text") == await count(store, "read") == await count(store, "passage") == 0


async def test_a_fork_keeps_its_own_rows_when_its_source_is_forgotten(store: Store) -> None:
    stored = await store.keep(a_read())
    await store.carry_over("run1", "fork")
    await store.forget("run1")
    assert len(await store.passages(stored.text_hash)) == 2


async def test_what_was_kept_is_there_after_opening_again(tmp_path: Path, blobs: Blobs) -> None:
    first = await Store.open(tmp_path / "evidence.db", blobs)
    stored = await first.keep(a_read())
    await first.close()
    again = await Store.open(tmp_path / "evidence.db", blobs)
    assert await again.quote(stored.text_hash, 1) == "It holds water."
    await again.close()


async def test_an_evidence_file_of_the_first_version_is_brought_up_to_date(tmp_path: Path, blobs: Blobs) -> None:
    path = tmp_path / "evidence.db"
    await (await Store.open(path, blobs)).close()
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript("ALTER TABLE read DROP COLUMN declared; PRAGMA user_version = 1;")
    again = await Store.open(path, blobs)
    stored = await again.keep(replace(a_read(), declared=("doi:10.1/x",)))
    assert await again.declared(stored.text_hash, a_read().address) == ("doi:10.1/x",)
    assert await again.declared(stored.text_hash, "docs://elsewhere") == ()
    await again.close()


async def test_what_could_not_be_read_is_kept_only_when_wished(blobs: Blobs) -> None:
    failed = NewRead(address="docs://d/x.pdf", run="run1", error="no_text_layer", body=b"%PDF")
    for keep_failed in (True, False):
        opened = await Store.open(None, blobs, keep_failed=keep_failed)
        await opened.keep(failed)
        assert await count(opened, "read") == int(keep_failed)
        await opened.close()


async def test_keeping_takes_milliseconds(tmp_path: Path, blobs: Blobs) -> None:
    opened = await Store.open(tmp_path / "evidence.db", blobs)
    began = time.process_time()
    for n in range(20):
        await opened.keep(a_read(f"Number {n}. " + "It holds water.\n\n" * 200))
    assert (time.process_time() - began) / 20 < 0.05
    await opened.close()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(min_size=1, max_size=2_000))
async def test_a_quote_is_its_slice_byte_for_byte(store: Store, text: str) -> None:
    stored = await store.keep(a_read(text))
    if stored.text_hash:
        whole = await store.text(stored.text_hash)
        for passage in stored.passages:
            quote = await store.quote(stored.text_hash, passage.n)
            assert quote.encode() == whole[passage.start : passage.end].encode()


async def count(store: Store, table: str) -> int:
    rows = await store._db.execute_fetchall(f"SELECT count(*) FROM {table}")
    return int(next(iter(rows))[0])


@pytest.mark.parametrize("at", ["BEGIN", "INSERT OR IGNORE INTO text", "INSERT OR IGNORE INTO read", "COMMIT"])
async def test_a_keep_that_is_cancelled_at_any_moment_leaves_the_store_free_for_the_next(
    store: Store, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    reached, execute = asyncio.Event(), store._db.execute

    def watched(sql: str, *values: object) -> object:
        if sql.startswith(at):
            reached.set()
        return execute(sql, *values)

    monkeypatch.setattr(store._db, "execute", watched)
    cut_off = asyncio.ensure_future(store.keep(a_read("It was cut off.")))
    await reached.wait()
    cut_off.cancel()
    await asyncio.wait([cut_off])
    kept = await store.keep(a_read("It came after."))
    assert await store.quote(kept.text_hash, 1) == "It came after."
