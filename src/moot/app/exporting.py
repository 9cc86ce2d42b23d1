"""A run's report in the forms that people take it in, and the files they are written to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from moot.app.parts import load
from moot.app.reports import answer_of, evidence_of
from moot.app.wiring import House
from moot.journal.records import RunRecord
from moot.text.filenames import file_name
from moot.text.redact import Secrets
from moot.values.errors import SettingWrong
from moot.values.report import Report, Surroundings

if TYPE_CHECKING:
    from moot.evidence.audit.bundle import Bundle

FORMS = ("md", "html", "pdf", "docx", "bib", "json", "jsonl")
"""As `--format` takes them, and as the suffix of their files. What makes each: evidence/exports/forms.py."""
AUDITABLE = ("md", "html", "json")
"""Forms that `moot audit` reads; the evidence is put beside them."""
EVIDENCE = "evidence.json"


@dataclass(frozen=True, slots=True)
class Exported:
    """A report in the forms asked for: suffix → bytes."""

    name: str
    """Made of its title; a file's name without a suffix."""
    files: Mapping[str, bytes] = field(default_factory=dict)


async def exported(house: House, record: RunRecord, forms: Sequence[str], *, secrets: Secrets) -> Exported:
    """The report in each form, and its evidence when one of them can be audited; every secret in them is covered.

    Raises SettingWrong when there is no report yet, when a form is none, and for extra_missing and font_missing.
    """
    check_forms(forms)
    markdown = await answer_of(house.journal, record)
    if not markdown:
        raise SettingWrong(
            f"{record.id} has no report yet: it is {record.status}.",
            chinese=f"{record.id} 还没有报告：{record.status}。",
        )
    report = await evidence_of(house.journal, markdown)
    shown = covered_report(report or _reply(record, markdown), secrets)
    makers = load("evidence.exports.forms").FORMS
    files = {form: makers[form](shown) for form in forms}
    if report is not None and any(form in AUDITABLE for form in forms):
        bundle: Bundle = await load("evidence.audit.bundle").bundled(report, await house.store())
        files[EVIDENCE] = secrets.covered_bytes(bundle.model_dump_json().encode("utf-8"))
    return Exported(file_name(shown.title) or str(record.id), files)


def covered_report(report: Report, secrets: Secrets) -> Report:
    """The report with every secret in it covered, whatever form it is written in."""
    body = report.model_dump_json().encode("utf-8")
    covered = secrets.covered_bytes(body)
    return report if covered == body else Report.model_validate_json(covered)


def check_forms(forms: Sequence[str]) -> None:
    """Raises SettingWrong for a form that is none, and for one whose package is missing."""
    for form in forms:
        if form not in FORMS:
            raise SettingWrong(
                f"setting_wrong: no report is written as {form!r}. There is: {', '.join(FORMS)}.",
                chinese=f"setting_wrong：报告不能写成 {form!r}。可用：{'、'.join(FORMS)}。",
            )
        load("evidence.exports.extra").check_extra(form)


def write_exported(made: Exported, folder: Path, *, over: bool) -> list[Path]:
    """Writes every file under one name, never over one that exists unless `over`: then ` (2)`, ` (3)` is added."""
    folder.mkdir(parents=True, exist_ok=True)
    for n in count(1):
        name = made.name if n == 1 else f"{made.name} ({n})"
        paths = [folder / f"{name}.{suffix}" for suffix in made.files]
        if over or not any(path.exists() or path.is_symlink() for path in paths):
            break
    for path, body in zip(paths, made.files.values(), strict=True):
        write_file(path, body, over=over)
    return paths


def write_file(path: Path, body: bytes, *, over: bool) -> None:
    """Writes one file, whole or not at all. Raises SettingWrong when it exists and is not to be written over."""
    beside = path.with_name(f".{path.name[:80]}.new")
    try:
        beside.write_bytes(body)
        beside.replace(path) if over else path.hardlink_to(beside)
    except FileExistsError as there:
        raise SettingWrong(
            f"setting_wrong: {path} exists; --force writes over it.",
            chinese=f"setting_wrong：{path} 已存在；加 --force 可覆盖。",
        ) from there
    finally:
        beside.unlink(missing_ok=True)


def _reply(record: RunRecord, text: str) -> Report:
    """A reply, which has no evidence, as a report of its question."""
    return Report(title=record.question, markdown=text, draft=text, surroundings=Surroundings(run=record.id))
