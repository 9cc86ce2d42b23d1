"""Checks a run's report, or a copy of it, against what was read: hashes, quotes, marks, numbers, the audit line."""

import json
from pathlib import Path

import click
from pydantic import ValidationError

from moot.app.home import typed_path
from moot.app.service import Service, opened
from moot.cli.command import Called, command
from moot.cli.helping import switch
from moot.values.errors import SettingWrong
from moot.values.report import Report


async def audit(called: Called) -> int:
    """Exit 0 when all is verified, 6 when something fails, 2 when there is no evidence to be found."""
    console = called.console
    async with opened(called.text("home")) as service:
        result = await service.audit(await _markdown(service, called.text("what")))
    failing = [one for one in result.failing if not (called.on("allow_weak") and one.status == "weak")]
    passed = not result.problems and not failing
    if called.on("json"):
        console.print(json.dumps({"ok": passed, **result.model_dump(mode="json")}, ensure_ascii=False))
        return 0 if passed else 6
    for problem in result.problems:
        console.print(" · ".join(part for part in (problem.what, problem.where, problem.detail) if part))
    for claim in failing:
        console.print(" · ".join(part for part in (claim.status, claim.reason, claim.claim) if part))
    if result.line:
        console.print(result.line)
    said = "audit.ok" if passed else "audit.failed"
    console.print(console.say(said, n=len(result.problems) + len(failing)))
    return 0 if passed else 6


async def _markdown(service: Service, what: str) -> str:
    path = typed_path(what)
    if path.suffix.lower() in (".md", ".json") or path.is_file():
        return _read(path)
    record = await service.find(what)
    report = await service.report(record.id)
    if not report:
        raise SettingWrong(
            f"{record.id} has no report yet: it is {record.status}.",
            chinese=f"{record.id} 还没有报告：{record.status}。",
        )
    return report


def _first(wrong: ValidationError) -> str:
    error = wrong.errors()[0]
    return f"{'.'.join(map(str, error['loc'])) or 'it'}: {error['msg']}"


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
        return Report.model_validate_json(text).markdown if path.suffix.lower() == ".json" else text
    except (OSError, UnicodeDecodeError, ValidationError) as fault:
        why = _first(fault) if isinstance(fault, ValidationError) else str(fault)
        raise SettingWrong(
            f"{path} cannot be read as a report: {why}.", chinese=f"无法把 {path} 读作报告：{why}。"
        ) from fault


COMMAND = command(
    "audit",
    audit,
    click.Argument(["what"], metavar="RUN|FILE"),
    switch("--allow-weak", texts="flag.allow_weak"),
)
