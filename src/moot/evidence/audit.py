"""Checks a finished report again, offline: every stored hash, every quote, every status, number and count.

It makes the report again from its kept draft and sources and compares; what a reader's copy says otherwise is named.
"""

import difflib
import hashlib
import re

from moot.evidence.check import TESTS, check
from moot.evidence.claims import pieces
from moot.evidence.finish import COMMENT, compose
from moot.evidence.ledger import Ledger
from moot.evidence.shelf import Shelf
from moot.evidence.store import Store
from moot.evidence.verdicts.case import Case
from moot.values.errors import JournalDown, SettingWrong
from moot.values.evidence import Audit, Checked
from moot.values.report import Report
from moot.values.value import RunId, Value

_SHOWN = re.compile(r"\[\d+\]|⟨[^⟩]*⟩")
_LONGEST = 200


class Problem(Value):
    """One thing that is not as it was kept. `what` is hash, quote, claim, number, or a reason such as quote_altered."""

    what: str
    where: str
    """The hash, the mark, or the sentence."""
    detail: str = ""


class AuditResult(Value):
    """What an audit found."""

    run: RunId
    problems: tuple[Problem, ...] = ()
    audit: Audit
    """Counted again."""
    line: str
    """The audit line of the report made again."""
    failing: tuple[Checked, ...] = ()
    """Claims that are not verified."""

    @property
    def ok(self) -> bool:
        """True when every claim is verified and all hashes, quotes and numbers are right."""
        return not self.problems and not self.failing


async def audit(markdown: str, store: Store) -> AuditResult:
    """What is wrong with a report, as a reader has it. Raises SettingWrong when its evidence is not to be found."""
    named = COMMENT.search(markdown)
    if named is None:
        raise SettingWrong(
            "setting_wrong: this file names no evidence of a run. Give a run's id, or a report.md that moot wrote."
        )
    body, damage = await _bytes(store, named["evidence"])
    if body is None and not damage:
        raise SettingWrong(
            f"setting_wrong: the evidence {named['evidence'][:12]} of run {named['run']} is not in this data folder. "
            "Give --home with the folder that holds it."
        )
    if body is None or damage:
        problem = Problem(what="hash", where=named["evidence"], detail=damage)
        return AuditResult(run=RunId(named["run"]), problems=(problem,), audit=Audit(), line="")
    kept = Report.model_validate_json(body)
    problems = await _damaged(kept, store)
    if problems:
        return AuditResult(run=kept.run, problems=tuple(problems), audit=kept.audit, line=kept.audit_line)
    return await _compared(kept, markdown, store)


async def _bytes(store: Store, sha256: str) -> tuple[bytes | None, str]:
    """The bytes under a hash, and what is wrong with them."""
    try:
        body = await store.bytes_of(sha256)
    except JournalDown as damage:
        return None, damage.message
    if body is not None and hashlib.sha256(body).hexdigest() != sha256:
        return body, "the stored bytes have another hash"
    return body, ""


async def _damaged(kept: Report, store: Store) -> list[Problem]:
    """Stored bodies and texts that are gone, or have another hash."""
    problems: list[Problem] = []
    hashes = dict.fromkeys(
        sha256 for one in kept.sources for sha256 in (one.source.text_hash, one.source.snapshot) if sha256
    )
    for sha256 in hashes:
        body, damage = await _bytes(store, sha256)
        if body is None or damage:
            problems.append(Problem(what="hash", where=sha256, detail=damage or "it is gone"))
    return problems


async def _compared(kept: Report, markdown: str, store: Store) -> AuditResult:
    ledger = Ledger(one.source for one in kept.sources)
    around = kept.surroundings
    draft = await check(kept.draft, ledger, store, own_sections=around.own_sections)
    again = await compose(draft, ledger, store, title=kept.title, surroundings=around)
    problems = [
        Problem(what="claim", where=new.claim[:_LONGEST], detail=f"kept as {old.status}, now {new.status}")
        for old, new in zip(kept.claims, again.claims, strict=False)
        if old != new
    ]
    problems += [
        Problem(what="quote", where=str(old.citation), detail="not the words of its snapshot")
        for old, new in zip(kept.quotes, again.quotes, strict=False)
        if old != new
    ]
    if len(kept.claims) != len(again.claims) or len(kept.quotes) != len(again.quotes) or kept.audit != again.audit:
        problems.append(
            Problem(what="number", where="audit", detail=f"kept: {kept.audit_line} now: {again.audit_line}")
        )
    if markdown.rstrip() != again.markdown.rstrip():
        problems += await _altered(again, markdown, ledger=ledger, store=store)
    failing = tuple(one for one in again.claims if one.status not in ("verified", "exempt"))
    return AuditResult(
        run=kept.run, problems=tuple(problems), audit=again.audit, line=again.audit_line, failing=failing
    )


async def _altered(again: Report, markdown: str, *, ledger: Ledger, store: Store) -> list[Problem]:
    """The lines of a reader's copy that say otherwise; a sentence is tried on the passages of the one it stands for."""
    ours, theirs = again.markdown.rstrip().split("\n"), markdown.rstrip().split("\n")
    shelf = Shelf(ledger, store)
    await shelf.fetch(citation for claim in again.claims for citation in claim.citations)
    problems: list[Problem] = []
    for how, i, i_end, j, j_end in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if how == "equal":
            continue
        changed = [line for line in theirs[j:j_end] if line.strip()]
        for at, line in enumerate(changed):
            before = ours[i + at] if i + at < i_end else ""
            problems.append(_named(line, before, again.claims, shelf=shelf))
        missing = [line for line in ours[i + max(len(changed), 0) : i_end] if line.strip()]
        problems += [Problem(what="text", where=line[:_LONGEST], detail="not in this copy") for line in missing]
    return problems


def _named(line: str, before: str, claims: tuple[Checked, ...], *, shelf: Shelf) -> Problem:
    """Which sentence of a changed line fails, and why: the test that its claim's passages now fail."""
    known = {claim.claim: claim for claim in claims}
    old = [piece.words for piece in pieces(_SHOWN.sub("", before))]
    new = [piece.words for piece in pieces(_SHOWN.sub("", line))]
    for at, words in enumerate(new):
        claim = known.get(old[at]) if at < len(old) else None
        if claim is None or claim.claim == words:
            continue
        passages = tuple(held for citation in claim.citations if (held := shelf.held(citation)))
        verdicts = [verdict for test in TESTS if (verdict := test(Case(words, passages)))]
        worst = next((verdict for verdict in verdicts if verdict.hard), None)
        what = worst.reason if worst else "text"
        return Problem(what=what, where=words[:_LONGEST], detail=worst.detail if worst else "not as it was written")
    return Problem(what="text", where=line[:_LONGEST], detail="not as it was written")
