"""Takes what a person wants audited: a run, or a report's file with the evidence file beside it."""

from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from moot.app.home import typed_path
from moot.app.service import Service
from moot.evidence.audit.bundle import Bundle
from moot.evidence.audit.copies import Copy, Form
from moot.evidence.audit.own import AuditResult, audit
from moot.values.errors import SettingWrong

_FORMS: dict[str, Form] = {".html": "html", ".htm": "html", ".json": "json"}
_BESIDE = "report.evidence.json"


class Given(NamedTuple):
    """A report to be audited."""

    copy: Copy
    beside: Bundle | None = None
    """The evidence file that came with it."""


def is_file(what: str) -> bool:
    """True when a word means a file rather than a run."""
    path = typed_path(what)
    return path.suffix.lower() in (".md", ".markdown", ".txt", *_FORMS) or path.is_file()


def read_file(what: str) -> Given:
    """A report's file, and the evidence beside it. Raises SettingWrong where one cannot be read."""
    path = typed_path(what)
    copy = Copy(_text(path), _FORMS.get(path.suffix.lower(), "md"))
    for beside in (path.with_suffix(".evidence.json"), path.with_name(_BESIDE)):
        if beside.is_file() and beside != path:
            return Given(copy, _bundle(beside))
    return Given(copy)


async def read_run(service: Service, what: str) -> Given:
    """The report of a kept run. Raises SettingWrong when it has none."""
    record = await service.find(what)
    report = await service.report(record.id)
    if not report:
        raise SettingWrong(
            f"{record.id} has no report yet: it is {record.status}.",
            chinese=f"{record.id} 还没有报告：{record.status}。",
        )
    return Given(Copy(report))


async def audited(given: Given, service: Service | None) -> AuditResult:
    """The report checked again; without a service, on the evidence file beside it alone. Raises SettingWrong."""
    store = await service.house.store() if service else None
    return await audit(given.copy, store, beside=given.beside)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingWrong(
            f"{path} cannot be read as a report: {fault}.", chinese=f"无法把 {path} 读作报告：{fault}。"
        ) from fault


def _bundle(path: Path) -> Bundle:
    try:
        return Bundle.model_validate_json(_text(path))
    except ValidationError as wrong:
        error = wrong.errors()[0]
        why = f"{'.'.join(map(str, error['loc'])) or 'it'}: {error['msg']}"
        raise SettingWrong(
            f"{path} cannot be read as an evidence file: {why}.", chinese=f"无法把 {path} 读作证据文件：{why}。"
        ) from wrong
