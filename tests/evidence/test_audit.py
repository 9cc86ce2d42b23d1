"""A finished report is checked again, offline; what differs is named."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Protocol

import pytest

from moot.evidence.audit import audit
from moot.evidence.check import check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.values.errors import SettingWrong
from moot.values.evidence import Shown
from moot.values.report import Report, Surroundings
from moot.values.value import RunId

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
    result = await audit(report.markdown, store)
    assert result.ok
    assert (result.run, result.line, result.problems) == ("k3f9q2m8xz", report.audit_line, ())
    assert result.audit == report.audit
    assert result.audit.model_calls == 7


async def test_a_weak_claim_makes_it_fail_and_is_named(source: Shown, store: Store) -> None:
    ledger = Ledger([source])
    checked = await check(f"# T\n\nDubai's tower rises to 828 metres [{source.mark}.1].", ledger, store)
    made = await finish(checked, ledger, store, surroundings=Surroundings(run=RunId("r")))
    result = await audit(made.markdown, store)
    assert not result.ok
    assert result.problems == ()
    assert [(claim.status, claim.claim) for claim in result.failing] == [("weak", "Dubai's tower rises to 828 metres.")]


@pytest.mark.parametrize("which", ["snapshot", "text_hash"])
async def test_a_flipped_byte_of_a_stored_blob_names_its_hash(
    report: Report, store: Store, blobs: Spoiled, source: Shown, which: str
) -> None:
    sha256 = str(getattr(source, which))
    blobs.spoil(sha256)
    result = await audit(report.markdown, store)
    assert not result.ok
    assert [(problem.what, problem.where) for problem in result.problems] == [("hash", sha256)]


async def test_a_blob_that_is_gone_is_named(report: Report, store: Store, blobs: Spoiled, source: Shown) -> None:
    del blobs.kept[source.snapshot]
    (problem,) = (await audit(report.markdown, store)).problems
    assert (problem.what, problem.where, problem.detail) == ("hash", source.snapshot, "it is gone")


async def test_flipped_evidence_is_named(report: Report, store: Store, blobs: Spoiled) -> None:
    sha256 = hashlib.sha256(report.evidence()).hexdigest()
    blobs.spoil(sha256)
    (problem,) = (await audit(report.markdown, store)).problems
    assert (problem.what, problem.where) == ("hash", sha256)


async def test_a_changed_digit_in_a_quote_names_the_sentence(report: Report, store: Store) -> None:
    result = await audit(report.markdown.replace("828 m tall.”", "829 m tall.”"), store)
    assert not result.ok
    assert [(p.what, p.where) for p in result.problems] == [("quote_altered", "“The Burj Khalifa is 829 m tall.”")]


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
    result = await audit(report.markdown.replace(old, new, 1), store)
    assert not result.ok
    assert any(problem.where.startswith(where) for problem in result.problems)


async def test_a_file_that_names_no_evidence_or_evidence_that_is_not_here_is_refused(
    report: Report, store: Store, blobs: Spoiled
) -> None:
    with pytest.raises(SettingWrong, match="names no evidence"):
        await audit("# Some report\n\nText.", store)
    del blobs.kept[hashlib.sha256(report.evidence()).hexdigest()]
    with pytest.raises(SettingWrong, match="not in this data folder"):
        await audit(report.markdown, store)
