"""What a draft or a disk may hold that it should not: each with its outcome in the report and in the audit."""

import random
from collections.abc import Awaitable, Callable

import pytest

from moot.evidence.audit.copies import Copy
from moot.evidence.audit.own import audit
from moot.evidence.check import check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger, ScopeLedger
from moot.evidence.store import Store
from moot.text.marks import mark_of
from moot.values.evidence import Shown
from moot.values.report import Report, Surroundings
from moot.values.value import RunId
from tests.evidence.conftest import MemoryBlobs

Keep = Callable[..., Awaitable[Shown]]
Wrote = Callable[[str], Awaitable[Report]]
DAM = "The Halden Dam holds 340 million cubic metres of water.\n\nIt was completed in 1974.\n\nIts wall is 96 m high.\n"


@pytest.fixture
async def dam(keep: Keep) -> Shown:
    return await keep("docs://d/dam.md", DAM, title="The Halden Dam", code="<html>")


@pytest.fixture
def wrote(dam: Shown, store: Store) -> Wrote:
    """The finished report of a draft in which `D` is the dam's mark; it audits without a problem."""

    async def made(draft: str) -> Report:
        ledger = Ledger([dam])
        checked = await check(
            "# T\n\n" + draft.replace("[D", f"[{dam.mark}").replace("【D", f"【{dam.mark}"), ledger, store
        )
        report = await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("r1")))
        assert (await audit(Copy(report.markdown), store)).problems == ()
        return report

    return made


async def test_a_mark_that_was_never_given_leaves_its_claim_unsupported(wrote: Wrote) -> None:
    report = await wrote("The Halden Dam holds 340 million cubic metres of water [Sbeef.1].\n")
    assert [(one.status, one.reason) for one in report.claims] == [("unsupported", "mark_unknown")]
    assert report.audit.removed == {"mark_unknown": 1}
    assert "Sbeef" not in report.markdown


@pytest.mark.parametrize(
    "mark", ["[D.1-3]", "[D.1–3]", "[D.1~2]", "[D.1, 2]", "【D.1】", "【D．１、２】", "［D.1］", "[D.1][D.2]"]
)
async def test_ranges_lists_and_full_width_brackets_are_marks(wrote: Wrote, dam: Shown, mark: str) -> None:
    mark = mark.replace("［D", f"［{dam.mark}")
    report = await wrote(f"The Halden Dam holds 340 million cubic metres of water {mark}.\n")
    assert [one.status for one in report.claims] == ["verified"]
    assert "of water [1]." in report.markdown


async def test_a_range_of_forty_passages_cites_none_of_them_and_the_best_is_found(wrote: Wrote) -> None:
    report = await wrote("The Halden Dam was completed in 1974 [D.1-41].\n")
    (claim,) = report.claims
    assert (claim.status, claim.snapped, [c.n for c in claim.citations]) == ("verified", True, [2])


async def test_a_table_is_checked_cell_by_cell(wrote: Wrote) -> None:
    table = "| Dam | Height | Completed |\n|---|---|---|\n| Halden Dam | 96 m [D.3] | 1981 [D.2] |\n"
    report = await wrote(table)
    assert [(one.claim, one.status) for one in report.claims] == [
        ("Halden Dam, Height: 96 m", "verified"), ("Halden Dam, Completed: 1981", "unsupported"),
    ]  # fmt: skip
    row = next(line for line in report.markdown.splitlines() if line.startswith("| Halden"))
    assert row.count("|") == 4
    assert "⟨not supported: date_differs" in row


async def test_code_and_math_are_neither_claims_nor_marks(wrote: Wrote) -> None:
    body = "```\nheld = 999  # [D.1]\n```\n\n$$ V = 999 \\, m^3 [3] $$\n\nInline `[D.1] 999` and $x_{999}$.\n"
    report = await wrote(body)
    assert [one.claim for one in report.claims if "held" in one.claim or "V =" in one.claim] == []
    assert report.audit.citations == 0
    assert "# [" in report.markdown


async def test_right_to_left_text_is_quoted_checked_and_audited(keep: Keep, store: Store) -> None:
    source = await keep("docs://d/rtl.md", "גובה הסכר הוא 96 מטרים.\n\nيبلغ ارتفاع السد 96 مترا.\n")
    ledger = Ledger([source])
    draft = f"# ת\n\n> “גובה הסכר הוא 96 מטרים.” [{source.mark}.1]\n\n> “يبلغ ارتفاع السد 97 مترا.” [{source.mark}.2]\n"
    report = await finish(await check(draft, ledger, store), ledger, store, surroundings=Surroundings(run=RunId("r1")))
    assert [(one.status, one.reason) for one in report.claims] == [("verified", ""), ("unsupported", "quote_altered")]
    assert (await audit(Copy(report.markdown), store)).problems == ()


async def test_two_hundred_sources_with_clashing_marks_each_lead_to_their_own_address(keep: Keep, store: Store) -> None:
    addresses = [f"//example.org/page/{n}" for n in range(200)]
    assert len({mark_of(address) for address in addresses}) < 200, "none of them clash"
    scope = ScopeLedger()
    for n, address in enumerate(addresses):
        scope.admit("", [await keep(address, f"The tower number {n} is {n + 500} m high.\n")])
    lines = [f"> “The tower number {n} is {n + 500} m high.” [{one.mark}.1]" for n, one in enumerate(scope.sources)]
    random.Random(3).shuffle(lines)
    ledger = Ledger(scope.sources)
    report = await finish(
        await check("# T\n\n" + "\n\n".join(lines), ledger, store), ledger, store,
        surroundings=Surroundings(run=RunId("r1")),
    )  # fmt: skip
    assert (report.audit.verified, report.audit.works) == (200, 200)
    numbered = {one.number: one.source.address for one in report.sources}
    for quote, claim in zip(report.quotes, report.claims, strict=True):
        number = int(claim.claim.split("number ")[1].split()[0])
        source = ledger.source(quote.citation.mark)
        assert source is not None
        assert source.address == f"//example.org/page/{number}"
    assert sorted(numbered) == list(range(1, 201))
    assert (await audit(Copy(report.markdown), store)).ok


async def test_a_page_that_changed_between_two_reads_has_two_versions_and_both_audit(keep: Keep, store: Store) -> None:
    old = await keep("//example.org/p", "The dam is 96 m high.\n")
    new = await keep("//example.org/p", "The dam is 98 m high.\n")
    ledger = Ledger([old, new])
    first, second = ledger.sources
    assert (first.version, second.version) == (1, 2)
    draft = f"# T\n\n> “The dam is 96 m high.” [{old.mark}.1]\n\n> “The dam is 98 m high.” [{old.mark}~2.1]\n"
    report = await finish(await check(draft, ledger, store), ledger, store, surroundings=Surroundings(run=RunId("r1")))
    assert [one.status for one in report.claims] == ["verified", "verified"]
    assert [quote.words for quote in report.quotes] == ["The dam is 96 m high.", "The dam is 98 m high."]
    assert report.audit.works == 1
    assert (await audit(Copy(report.markdown), store)).ok


async def test_a_snapshot_that_is_missing_from_disk_is_named(
    wrote: Wrote, dam: Shown, store: Store, blobs: MemoryBlobs
) -> None:
    report = await wrote("> “It was completed in 1974.” [D.2]\n")
    body = blobs.kept.pop(dam.snapshot)
    (problem,) = (await audit(Copy(report.markdown), store)).problems
    assert (problem.what, problem.where, problem.detail) == ("hash", dam.snapshot, "it is gone")
    blobs.kept[dam.snapshot] = body
    assert (await audit(Copy(report.markdown), store)).ok
