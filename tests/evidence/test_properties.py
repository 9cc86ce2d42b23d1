"""What holds of every document and report: a quote is its slice, an untouched report audits, a changed byte shows."""

import hashlib
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.evidence.audit.bundle import bundled
from moot.evidence.audit.copies import Copy
from moot.evidence.audit.own import audit
from moot.evidence.check import check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.text.addresses import canonical
from moot.text.marks import mark_of
from moot.values.evidence import NewRead, Shown
from moot.values.report import Report, Surroundings
from moot.values.value import RunId
from tests.evidence.conftest import AT, MemoryBlobs
from tests.text.test_passages import any_text

SENTENCES = (
    "The Halden Dam holds {n} million cubic metres of water.", "In {n} the town of Norvale had no harbour.",
    "Its wall rises {n} metres above the river, the report of 2021 says.", "Prices fell by {n} percent in May.",
    "临江水库总库容为{n}万立方米，坝高二百米。", "二〇二一年，该县人口为{n}万人。",
    "该公司的营业收入达到{n}亿元，同比增长一成。",
    "The 临江 station produced {n} MWh in 2022.", "גובה הסכר הוא {n} מטרים.", "يبلغ ارتفاع السد {n} مترا.",
    "Visitors left {n} 👩‍👩‍👧 stickers on the wall.", "Café Zoë sold {n} crème brûlées.",
)  # fmt: skip
sentence = st.builds(lambda words, n: words.format(n=n), st.sampled_from(SENTENCES), st.integers(11, 9_999))
documents = st.lists(st.lists(sentence, min_size=1, max_size=6, unique=True), min_size=1, max_size=4)
SLOWLY = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


class Made(NamedTuple):
    """A finished report, and the store it stands on."""

    report: Report
    store: Store
    blobs: MemoryBlobs


@asynccontextmanager
async def opened() -> AsyncIterator[tuple[Store, MemoryBlobs]]:
    blobs = MemoryBlobs()
    store = await Store.open(None, blobs)
    try:
        yield store, blobs
    finally:
        await store.close()


async def kept(store: Store, address: str, text: str) -> Shown:
    body = f"<p>{text}</p>".encode("utf-8", "replace")
    stored = await store.keep(NewRead(address=address, run="r1", text=text, body=body, fetched_at=AT, title=address))
    return Shown(
        mark=mark_of(address), address=address, text_hash=stored.text_hash, snapshot=stored.snapshot,
        passages=len(stored.passages), read_at=AT,
    )  # fmt: skip


async def quoting(store: Store, texts: list[str], chance: random.Random) -> Report:
    """A report that quotes random passages of the texts, and says a thing or two of its own."""
    sources = [await kept(store, f"//example.org/{n}", text) for n, text in enumerate(texts)]
    lines = ["# A report"]
    for source in sources:
        passages = await store.passages(source.text_hash)
        for passage in chance.sample(passages, min(3, len(passages))):
            words = " ".join((await store.quote(source.text_hash, passage.n)).split())
            lines.append(f"> “{words}” [{source.mark}.{passage.n}]")
    ledger = Ledger(sources)
    checked = await check("\n\n".join(lines), ledger, store)
    return await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("r1")))


@SLOWLY
@given(st.lists(any_text, min_size=1, max_size=3), st.integers())
async def test_a_quote_of_any_document_equals_its_slice_and_the_report_audits_with_and_without_its_store(
    texts: list[str], seed: int
) -> None:
    async with opened() as (store, _), opened() as (empty, _):
        report = await quoting(store, texts, random.Random(seed))
        for quote in report.quotes:
            text = await store.text(quote.text_hash)
            assert quote.words.encode("utf-8") == text[quote.start : quote.end].encode("utf-8")
        assert report.audit.quotes_matching == report.audit.quotes
        here = await audit(Copy(report.markdown), store)
        there = await audit(Copy(report.markdown), empty, beside=await bundled(report, store))
        assert (here.problems, there.problems) == ((), ())
        assert (here.line, here.failing) == (there.line, there.failing)


@SLOWLY
@given(documents, st.integers())
async def test_an_untouched_report_of_true_quotes_is_all_verified(paragraphs: list[list[str]], seed: int) -> None:
    async with opened() as (store, _):
        report = await quoting(store, ["\n\n".join(own) for own in paragraphs], random.Random(seed))
        result = await audit(Copy(report.markdown), store)
        assert result.ok, (result.problems, result.failing)
        assert result.audit.verified == result.audit.claims == len(report.quotes) > 0


@SLOWLY
@given(documents, st.integers(), st.data())
async def test_a_changed_byte_of_anything_that_was_kept_is_found_and_named(
    paragraphs: list[list[str]], seed: int, data: st.DataObject
) -> None:
    async with opened() as (store, blobs):
        report = await quoting(store, ["\n\n".join(own) for own in paragraphs], random.Random(seed))
        own = hashlib.sha256(report.evidence()).hexdigest()
        stored = {sha for one in report.sources for sha in (one.source.text_hash, one.source.snapshot)}
        sha256 = data.draw(st.sampled_from(sorted({own, *stored})))
        body = bytearray(blobs.kept[sha256])
        body[data.draw(st.integers(0, len(body) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        blobs.kept[sha256] = bytes(body)
        result = await audit(Copy(report.markdown), store)
        assert [(problem.what, problem.where) for problem in result.problems] == [("hash", sha256)]


@SLOWLY
@given(documents, st.integers(), st.data())
async def test_a_changed_character_of_a_report_is_never_passed_over(
    paragraphs: list[list[str]], seed: int, data: st.DataObject
) -> None:
    async with opened() as (store, _):
        report = await quoting(store, ["\n\n".join(own) for own in paragraphs], random.Random(seed))
        text = report.markdown.rpartition("\n<!--")[0]
        at = data.draw(st.integers(0, len(text.rstrip()) - 1))
        sign = data.draw(st.sampled_from("7x中"))
        changed = report.markdown[:at] + sign + report.markdown[at + 1 :]
        if changed != report.markdown:
            assert not (await audit(Copy(changed), store)).ok


@pytest.mark.parametrize(
    ("given_as", "address", "mark"),
    [
        ("https://Example.org:443/report/./a/../b?utm_source=x&id=7#sec2", "//example.org/report/b?id=7", "S2122"),
        ("http://example.org/report/b?id=7", "//example.org/report/b?id=7", "S2122"),
        ("https://example.org/report/b/?id=7", "//example.org/report/b/?id=7", "Sd515"),
        ("https://example.org", "//example.org/", "S2b1b"),
        ("https://例子.测试/a", "//xn--fsqu00a.xn--0zwm56d/a", "Sd380"),
        ("https://example.org/a%7Eb/%e4%b8%ad", "//example.org/a~b/%E4%B8%AD", "S5762"),
        ("https://example.org/p;jsessionid=12AB?x=1&fbclid=9", "//example.org/p?x=1", "S3ae5"),
    ],
)
def test_marks_of_known_addresses_are_exact(given_as: str, address: str, mark: str) -> None:
    assert canonical(given_as) == address
    assert mark_of(canonical(given_as)) == mark


def test_marks_that_clash_are_told_apart_by_a_longer_one() -> None:
    pages = ("//example.org/page/110", "//example.org/page/157")
    ledger = Ledger(Shown(mark=mark_of(page), address=page, text_hash=page) for page in pages)
    assert [source.mark for source in ledger.sources] == ["S931a", "S931aa"]
