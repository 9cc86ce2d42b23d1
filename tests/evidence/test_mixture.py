"""A report of true, altered, swapped, uncited and invented sentences: nothing false is unmarked, the counts hold."""

import re
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import pytest

from moot.evidence.audit.copies import Copy
from moot.evidence.audit.own import audit
from moot.evidence.check import CheckedDraft, check
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.values.evidence import Checked, Shown
from moot.values.report import Report, Surroundings
from moot.values.value import RunId
from tests.evidence import mixture
from tests.evidence.mixture import FALSE, KINDS, Told

Keep = Callable[..., Awaitable[Shown]]
EXPECTED = {
    "true": "verified", "altered": "unsupported", "swapped": "unsupported", "uncited": "uncited",
    "invented": "unsupported",
}  # fmt: skip


class Mixed(NamedTuple):
    """A mixed report, made."""

    told: list[Told]
    checked: CheckedDraft
    report: Report
    found: list[tuple[Told, Checked | None]]
    """Each sentence with what the check found of it."""


@pytest.fixture(params=["en", "zh"])
async def mixed(request: pytest.FixtureRequest, keep: Keep, store: Store) -> Mixed:
    language = str(request.param)
    facts = mixture.facts(language)
    documents = [mixture.document(one, language) for one in facts]
    shown = [await keep(f"docs://d/{language}{n}.md", text, title="") for n, text in enumerate(documents)]
    ledger = Ledger(shown)

    def mark(about: tuple[int, int]) -> str:
        return f"[{shown[about[0]].mark}.{about[1] + 2}]"  # the first passage is the document's opening

    told = mixture.told(facts)
    checked = await check(mixture.draft(told, mark, language), ledger, store)
    around = Surroundings(run=RunId("k3f9q2m8xz"), locale="zh-CN" if language == "zh" else "en-US")
    report = await finish(checked, ledger, store, surroundings=around)
    by_words = {_bare(one.claim): one for one in checked.checked}
    return Mixed(told, checked, report, [(one, by_words.get(_bare(one.words))) for one in told])


def _bare(words: str) -> str:
    return re.sub(r"\s+(?=[.。])|[.。]$", "", words).strip()


def test_the_mixture_holds_thirty_of_each_kind_and_cites_the_passages_it_means(mixed: Mixed, store: Store) -> None:
    for kind in KINDS:
        assert sum(one.kind == kind for one in mixed.told) >= 30
    assert len({one.words for one in mixed.told}) == len(mixed.told)
    assert mixed.report.audit.quotes_matching == mixed.report.audit.quotes > 100


def test_nothing_false_is_left_unmarked(mixed: Mixed) -> None:
    missed = [f"{one.kind}: {one.words} → {found and found.status}" for one, found in mixed.found
              if one.kind in (*FALSE, "uncited") and (found is None or found.status != EXPECTED[one.kind])]  # fmt: skip
    assert missed == []
    for one, found in mixed.found:
        at = mixed.report.markdown.find(one.words[:-1])
        assert at >= 0
        noted = re.match(r"\s*(?:\[\d+\])*[.。]?\s*⟨", mixed.report.markdown[at + len(one.words) - 1 :]) is not None
        assert noted == (one.kind != "true"), (one, found)


def test_what_is_true_is_verified(mixed: Mixed) -> None:
    lost = [f"{one.words} → {found and (found.status, found.reason, found.detail)}" for one, found in mixed.found
            if one.kind == "true" and (found is None or found.status != "verified")]  # fmt: skip
    assert lost == []


def test_the_counts_of_the_audit_line_are_the_known_ones(mixed: Mixed) -> None:
    known = [EXPECTED[one.kind] for one in mixed.told]
    audit = mixed.report.audit
    assert (audit.claims, audit.verified, audit.weak, audit.unsupported, audit.uncited) == (
        len(known), known.count("verified"), 0, known.count("unsupported"), known.count("uncited"),
    )  # fmt: skip


async def test_the_mixed_report_audits_to_the_same_line(mixed: Mixed, store: Store) -> None:
    result = await audit(Copy(mixed.report.markdown), store)
    assert (result.problems, result.line) == ((), mixed.report.audit_line)
