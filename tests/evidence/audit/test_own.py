"""A finished report is checked again, offline; what differs is named."""

import hashlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol

import pytest

from moot.evidence.audit.bundle import Bundle, bundled
from moot.evidence.audit.copies import Copy
from moot.evidence.audit.own import audit
from moot.evidence.check import check
from moot.evidence.exports.html import html
from moot.evidence.finish import COMMENT, finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.values.errors import SettingWrong
from moot.values.evidence import Citation, Shown
from moot.values.report import Report, Surroundings
from moot.values.value import RunId
from tests.evidence.conftest import MemoryBlobs

Keep = Callable[..., Awaitable[Shown]]


class Spoiled(Protocol):
    """Blobs that a test may change."""

    kept: dict[str, bytes]

    def spoil(self, sha256: str) -> None: ...


@pytest.fixture
async def source(keep: Keep) -> Shown:
    return await keep(
        "docs://d/burj.md", "The Burj Khalifa is 828 m tall.\n\nIt has 163 floors.", title="Burj", code="<p>"
    )


@pytest.fixture
async def report(source: Shown, store: Store) -> Report:
    draft = f"# T\n\n> “The Burj Khalifa is 828 m tall.” [{source.mark}.1]\n\n> “It has 163 floors.” [{source.mark}]\n"
    ledger = Ledger([source])
    checked = await check(draft, ledger, store)
    return await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("k3f9q2m8xz"), model_calls=7))


async def test_a_report_that_nobody_touched_passes(report: Report, store: Store) -> None:
    result = await audit(Copy(report.markdown), store)
    assert result.ok
    assert (result.run, result.line, result.problems) == ("k3f9q2m8xz", report.audit_line, ())
    assert result.audit == report.audit
    assert result.audit.model_calls == 7


async def test_a_weak_claim_makes_it_fail_and_is_named(source: Shown, store: Store) -> None:
    ledger = Ledger([source])
    checked = await check(f"# T\n\nThe Burj Khalifa is the tallest at 828 m [{source.mark}.1].", ledger, store)
    made = await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("r")))
    result = await audit(Copy(made.markdown), store)
    assert not result.ok
    assert result.problems == ()
    assert [(claim.status, claim.claim) for claim in result.failing] == [
        ("weak", "The Burj Khalifa is the tallest at 828 m.")
    ]


@pytest.mark.parametrize("which", ["snapshot", "text_hash"])
async def test_a_flipped_byte_of_a_stored_blob_names_its_hash(
    report: Report, store: Store, blobs: Spoiled, source: Shown, which: str
) -> None:
    sha256 = str(getattr(source, which))
    blobs.spoil(sha256)
    result = await audit(Copy(report.markdown), store)
    assert not result.ok
    assert [(problem.what, problem.where) for problem in result.problems] == [("hash", sha256)]


async def test_a_blob_that_is_gone_is_named(report: Report, store: Store, blobs: Spoiled, source: Shown) -> None:
    del blobs.kept[source.snapshot]
    (problem,) = (await audit(Copy(report.markdown), store)).problems
    assert (problem.what, problem.where, problem.detail) == ("hash", source.snapshot, "it is gone")


async def test_flipped_evidence_is_named(report: Report, store: Store, blobs: Spoiled) -> None:
    sha256 = hashlib.sha256(report.evidence()).hexdigest()
    blobs.spoil(sha256)
    (problem,) = (await audit(Copy(report.markdown), store)).problems
    assert (problem.what, problem.where) == ("hash", sha256)


async def test_a_changed_digit_in_a_quote_names_the_sentence(report: Report, store: Store) -> None:
    result = await audit(Copy(report.markdown.replace("828 m tall.”", "829 m tall.”")), store)
    assert not result.ok
    assert [(p.what, p.where) for p in result.problems] == [("number_differs", "“The Burj Khalifa is 829 m tall.”")]


async def test_a_changed_word_in_a_quote_is_an_altered_quote(report: Report, store: Store) -> None:
    result = await audit(Copy(report.markdown.replace("163 floors", "163 doors")), store)
    assert [(p.what, p.where) for p in result.problems] == [("quote_altered", "“It has 163 doors.”")]


@pytest.mark.parametrize(
    "old, new, where",
    [
        ("2 of 2 factual", "3 of 3 factual", "Audit: 3 of 3 factual sentences verified"),
        ("828 m tall.” [1]", "828 m tall.” [2]", "> “The Burj Khalifa is 828 m tall.” [2]"),
        ("- [1] Burj", "- [1] Other", "- [1] Other"),
        ("# T\n", "# T\n\nAn added sentence of 5 words.\n", "An added sentence of 5 words."),
        ("> “It has 163 floors.” [1]\n\n", "", "> “It has 163 floors.” [1]"),
    ],
)
async def test_any_other_change_is_named_by_its_line(
    report: Report, store: Store, old: str, new: str, where: str
) -> None:
    assert old in report.markdown
    result = await audit(Copy(report.markdown.replace(old, new, 1)), store)
    assert not result.ok
    assert any(problem.where.startswith(where) for problem in result.problems)


async def test_a_file_that_names_no_evidence_or_evidence_that_is_not_here_is_refused(
    report: Report, store: Store, blobs: Spoiled
) -> None:
    with pytest.raises(SettingWrong, match="names no evidence"):
        await audit(Copy("# Some report\n\nText."), store)
    del blobs.kept[hashlib.sha256(report.evidence()).hexdigest()]
    with pytest.raises(SettingWrong, match="neither in this data folder nor beside"):
        await audit(Copy(report.markdown), store)


# on another machine: the report and its evidence file, and no store


@pytest.fixture
async def bundle(report: Report, store: Store) -> Bundle:
    return Bundle.model_validate_json((await bundled(report, store)).model_dump_json(indent=1))


@pytest.fixture
async def elsewhere() -> AsyncIterator[Store]:
    """A store that holds nothing."""
    opened = await Store.open(None, MemoryBlobs())
    yield opened
    await opened.close()


async def test_the_evidence_file_holds_the_cited_passages_with_their_neighbours_and_the_reads(
    keep: Keep, store: Store
) -> None:
    source = await keep("docs://d/long.md", "\n\n".join(f"The tower has {n} floors." for n in range(20, 31)), title="L")
    ledger = Ledger([source])
    checked = await check(f"# T\n\n> “The tower has 24 floors.” [{source.mark}.5]\n", ledger, store)
    made = await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("r1")))
    bundle = await bundled(made, store)
    (text,) = bundle.texts
    assert [one.n for one in text.passages] == [4, 5, 6]
    assert [one.words for one in text.passages] == [f"The tower has {n} floors." for n in (23, 24, 25)]
    assert (text.hash, text.count, text.length) == (source.text_hash, 11, len(await store.text(source.text_hash)))
    assert [(read.address, read.text, read.snapshot) for read in bundle.reads] == [
        ("docs://d/long.md", source.text_hash, source.snapshot)
    ]


async def test_the_evidence_file_holds_the_bytes_that_were_kept_however_an_earlier_version_wrote_them(
    report: Report, store: Store, elsewhere: Store
) -> None:
    older = json.dumps(json.loads(report.evidence()), indent=1, ensure_ascii=False).encode("utf-8")
    sha256 = await store.put(report.run, older)
    named = hashlib.sha256(report.evidence()).hexdigest()
    kept = report.model_copy(update={"markdown": report.markdown.replace(named, sha256)})
    bundle = await bundled(kept, store)
    assert (bundle.sha256, bundle.evidence.encode("utf-8")) == (sha256, older)
    assert (await audit(Copy(kept.markdown), elsewhere, beside=bundle)).ok
    assert (await audit(Copy(kept.markdown), store)).ok
    changed = await audit(Copy(kept.markdown.replace("828", "829")), store)
    assert [one.what for one in changed.problems]


async def test_the_evidence_file_is_enough_where_the_store_is_not(
    report: Report, bundle: Bundle, elsewhere: Store
) -> None:
    result = await audit(Copy(report.markdown), elsewhere, beside=bundle)
    assert result.ok
    assert (result.against, result.line, result.audit) == ("file", report.audit_line, report.audit)


async def test_a_changed_digit_is_named_without_the_store_too(report: Report, bundle: Bundle, elsewhere: Store) -> None:
    result = await audit(Copy(report.markdown.replace("163 floors", "164 floors")), elsewhere, beside=bundle)
    assert [(p.what, p.where) for p in result.problems] == [("number_differs", "“It has 164 floors.”")]


async def test_a_changed_evidence_file_is_found(report: Report, bundle: Bundle, elsewhere: Store) -> None:
    text = bundle.texts[0]
    other = text.passages[0].model_copy(update={"words": text.passages[0].words.replace("828", "829")})
    spoiled = [
        bundle.model_copy(update={"evidence": bundle.evidence.replace("828", "829")}),
        bundle.model_copy(update={"texts": (text.model_copy(update={"passages": (other, *text.passages[1:])}),)}),
        bundle.model_copy(update={"texts": ()}),
    ]
    for one in spoiled:
        (problem,) = (await audit(Copy(report.markdown), elsewhere, beside=one)).problems
        assert (problem.what, problem.where) == ("hash", bundle.sha256)
        assert problem.detail


async def test_the_evidence_file_of_another_report_is_refused(report: Report, bundle: Bundle, elsewhere: Store) -> None:
    with pytest.raises(SettingWrong, match="of another report"):
        await audit(Copy(report.markdown), elsewhere, beside=bundle.model_copy(update={"sha256": "0" * 64}))


async def test_a_computation_and_a_mark_without_a_passage_audit_alike_without_the_store(
    keep: Keep, store: Store, elsewhere: Store
) -> None:
    page = await keep("docs://d/p.md", "\n\n".join(f"Line {n} is {n * 11} m long." for n in range(1, 9)), title="Lines")
    sums = await keep("calc:process#1/1", "33 / 11 = 3\n", code="print(1)", kind="computation")
    ledger = Ledger([page, sums])
    draft = f"# T\n\n> “Line 3 is 33 m long.” [{page.mark}]\n\n33 / 11 = 3 [{sums.mark}.1]\n\nRome is old [S7777.1].\n"
    around = Surroundings(run=RunId("r1"), inputs={sums.mark: (Citation(mark=page.mark, n=7),)})
    made = await finish(await check(draft, ledger, store), ledger, store, surroundings=around)
    with_store = await audit(Copy(made.markdown), store)
    without = await audit(Copy(made.markdown), elsewhere, beside=await bundled(made, store))
    assert (with_store.problems, without.problems) == ((), ())
    assert without.line == with_store.line == made.audit_line


# a copy as HTML or JSON


async def test_an_html_copy_audits_and_a_changed_digit_or_line_in_it_is_named(report: Report, store: Store) -> None:
    page = html(report).decode("utf-8")
    assert (await audit(Copy(page, "html"), store)).ok
    changed = page.replace("163 floors", "164 floors", 1)
    (problem, *_) = (await audit(Copy(changed, "html"), store)).problems
    assert (problem.what, problem.where) == ("number_differs", "“It has 164 floors.”")
    forged = page.replace("2 of 2 factual", "9 of 9 factual", 1)
    (problem,) = (await audit(Copy(forged, "html"), store)).problems
    assert (problem.what, problem.where[:30]) == ("text", "Audit: 9 of 9 factual sentence")


async def test_a_json_copy_audits_and_a_changed_field_in_it_is_named(report: Report, store: Store) -> None:
    whole = report.model_dump_json(indent=2)
    assert (await audit(Copy(whole, "json"), store)).ok
    changed = whole.replace('"verified": 2', '"verified": 9').replace('"status": "verified"', '"status": "weak"', 1)
    problems = (await audit(Copy(changed, "json"), store)).problems
    assert [(p.what, p.where) for p in problems] == [("field", "claims"), ("field", "audit")]
    with pytest.raises(SettingWrong, match="no markdown"):
        await audit(Copy(f'{{"x": "{COMMENT.search(report.markdown)[0]}"}}', "json"), store)  # type: ignore[index] # it is there
