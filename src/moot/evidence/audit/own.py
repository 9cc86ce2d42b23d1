"""Checks a finished report again, offline: every stored hash, every quote, every status, number and count.

It makes the report again from its kept draft and sources and compares; what a reader's copy says otherwise is named
by altered.py. Where the run's store is not, the file beside the report (bundle.py) is enough.
"""

import hashlib
from typing import Literal

from moot.evidence.audit.altered import LONGEST, Problem, altered
from moot.evidence.audit.bundle import Bundle, BundleTexts
from moot.evidence.audit.copies import Copy, compared
from moot.evidence.check import check
from moot.evidence.finish import COMMENT, compose
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.evidence.texts import Texts
from moot.values.errors import JournalDown, SettingWrong
from moot.values.evidence import Audit, Checked
from moot.values.report import Report
from moot.values.value import RunId, Value

Against = Literal["store", "file"]


class AuditResult(Value):
    """What an audit found."""

    run: RunId
    against: Against = "store"
    """What it was checked against; a `file` holds the cited passages, not the bytes they were read from."""
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


async def audit(copy: Copy, store: Store | None, *, beside: Bundle | None = None) -> AuditResult:
    """What is wrong with a report, as a reader has it. Raises SettingWrong when its evidence is not to be found.

    `beside`: the evidence file that came with it, used when the store does not hold the run, or there is none.
    """
    named = COMMENT.search(copy.text)
    if named is None:
        raise SettingWrong(
            "setting_wrong: this file names no evidence of a run. Give a run's id, a report that moot wrote, or with "
            "--pages DIR the saved pages that its links lead to.",
            chinese="setting_wrong：此文件没有写明任何运行的证据。请给出运行编号、moot 写的报告，"
            "或用 --pages 目录 给出其链接所指网页的存档。",
        )
    run, sha256 = RunId(named["run"]), named["evidence"]
    body, damage = await _bytes(store, sha256) if store else (None, "")
    if store is None or (body is None and not damage):
        if beside is None:
            raise _not_here(run, sha256)
        return await _from_file(run, sha256, copy, bundle=beside)
    if body is None or damage:
        return _spoiled(run, sha256, damage)
    kept = Report.model_validate_json(body)
    problems = await _damaged(kept, store)
    if problems:
        return AuditResult(run=kept.run, problems=tuple(problems), audit=kept.audit, line=kept.audit_line)
    return await _compared(kept, sha256, copy, texts=store)


def _not_here(run: RunId, sha256: str) -> SettingWrong:
    return SettingWrong(
        f"setting_wrong: the evidence {sha256[:12]} of run {run} is neither in this data folder nor beside the file. "
        "Give --home with the folder that holds it, or put its report.evidence.json next to it.",
        chinese=f"setting_wrong：运行 {run} 的证据 {sha256[:12]} 既不在此数据目录中，也不在文件旁边。"
        "请用 --home 指明所在目录，或把它的 report.evidence.json 放在文件旁边。",
    )


def _spoiled(run: RunId, sha256: str, detail: str, *, against: Against = "store") -> AuditResult:
    problem = Problem(what="hash", where=sha256, detail=detail)
    return AuditResult(run=run, against=against, problems=(problem,), audit=Audit(), line="")


async def _from_file(run: RunId, sha256: str, copy: Copy, *, bundle: Bundle) -> AuditResult:
    if bundle.sha256 != sha256:
        raise SettingWrong(
            f"setting_wrong: the evidence file is of another report ({bundle.sha256[:12]}, not {sha256[:12]}).",
            chinese=f"setting_wrong：旁边的证据文件属于另一份报告（{bundle.sha256[:12]}，而非 {sha256[:12]}）。",
        )
    if wrong := bundle.damage():
        return _spoiled(run, sha256, wrong, against="file")
    return await _compared(bundle.report, sha256, copy, texts=BundleTexts(bundle))


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
    """Stored bodies and texts that have another hash, or are gone and were not pruned."""
    problems: list[Problem] = []
    hashes = dict.fromkeys(
        sha256 for one in kept.sources for sha256 in (one.source.text_hash, one.source.snapshot) if sha256
    )
    for sha256 in hashes:
        body, damage = await _bytes(store, sha256)
        if damage or (body is None and not await store.was_pruned(sha256)):
            problems.append(Problem(what="hash", where=sha256, detail=damage or "it is gone"))
    return problems


async def _compared(kept: Report, sha256: str, copy: Copy, *, texts: Texts) -> AuditResult:
    ledger = Ledger(one.source for one in kept.sources)
    around = kept.surroundings
    draft = await check(kept.draft, ledger, texts, own_sections=around.own_sections)
    again = await compose(draft, ledger, texts, title=kept.title, surroundings=around)
    problems = [*_differing(kept, again)]
    said = compared(copy, _named(again, sha256))
    problems += [Problem(what="field", where=name, detail="not as it was kept") for name in said.fields]
    if said.theirs.rstrip() != said.ours.rstrip():
        problems += await altered(again.claims, said, ledger, texts=texts)
    failing = tuple(one for one in again.claims if one.status not in ("verified", "exempt"))
    return AuditResult(
        run=kept.run, against="file" if isinstance(texts, BundleTexts) else "store", problems=tuple(problems),
        audit=again.audit, line=again.audit_line, failing=failing,
    )  # fmt: skip


def _named(again: Report, sha256: str) -> Report:
    """The report with the kept evidence named in its last line: an earlier version may have written it otherwise."""
    body, comment, _ = again.markdown.rpartition("<!-- moot run=")
    line = f"{comment}{again.run} evidence=sha256:{sha256} -->\n"
    return again.model_copy(update={"markdown": body + line}) if comment else again


def _differing(kept: Report, again: Report) -> list[Problem]:
    """Claims, quotes and counts of the kept report that do not come out again."""
    problems = [
        Problem(what="claim", where=new.claim[:LONGEST], detail=f"kept as {old.status}, now {new.status}")
        for old, new in zip(kept.claims, again.claims, strict=False)
        if old != new
    ]
    problems += [
        Problem(what="quote", where=str(old.citation), detail="not the words of its snapshot")
        for old, new in zip(kept.quotes, again.quotes, strict=False)
        if old != new
    ]
    if len(kept.claims) != len(again.claims) or len(kept.quotes) != len(again.quotes) or kept.audit != again.audit:
        detail = f"kept: {kept.audit_line} now: {again.audit_line}"
        problems.append(Problem(what="number", where="audit", detail=detail))
    return problems
