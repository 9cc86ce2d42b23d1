"""Checks a report again: a run's, a copy of it, or another system's against a folder of saved pages."""

import json
from collections.abc import Iterator

import click

from moot.app.auditing import Given, audited, is_file, read_file, read_run
from moot.app.home import typed_path
from moot.app.saved_pages import Saved, saved_pages
from moot.app.service import opened
from moot.app.wiring import home_here
from moot.cli.command import Called, command
from moot.cli.console import Console
from moot.cli.helping import flag, switch
from moot.evidence.audit.linked import LinkedAudit, audit_linked
from moot.evidence.audit.own import AuditResult
from moot.values.errors import SettingWrong
from moot.values.evidence import Checked

NOT_ALL = 6


async def audit(called: Called) -> int:
    """Exit 0 when all is verified, 6 when something fails, 2 when there is no evidence to be found."""
    if called.text("pages"):
        return await _linked(called)
    result = await _result(called)
    failing = [one for one in result.failing if not (called.on("allow_weak") and one.status == "weak")]
    passed = not result.problems and not failing
    if called.on("json"):
        called.console.print(json.dumps({"ok": passed, **result.model_dump(mode="json")}, ensure_ascii=False))
    else:
        called.console.print("\n".join(_lines(result, failing, called.console.about(result.line))))
    return 0 if passed else NOT_ALL


async def _result(called: Called) -> AuditResult:
    what, home = called.text("what"), called.text("home")
    given = read_file(what) if is_file(what) else None
    if given is not None and given.beside is not None and not home_here(home).evidence.exists():
        return await audited(given, None)
    async with opened(home) as service:
        return await audited(given or await read_run(service, what), service)


def _lines(result: AuditResult, failing: list[Checked], console: Console) -> Iterator[str]:
    for problem in result.problems:
        yield " · ".join(part for part in (problem.what, problem.where, problem.detail) if part)
    yield from map(_line, failing)
    if result.line:
        yield console.say("audit.kept", line=result.line) if result.problems else result.line
    if result.against == "file":
        yield console.say("audit.against_file")
    n = len(result.problems) + len(failing)
    yield console.say("audit.failed" if n else "audit.ok", n=n)


def _line(claim: Checked) -> str:
    return " · ".join(part for part in (claim.status, claim.reason, claim.detail, claim.claim) if part)


# another system's report


async def _linked(called: Called) -> int:
    what, console = called.text("what"), called.console
    if not is_file(what):
        raise SettingWrong(
            f"--pages goes with a report's file, and {what} is none.",
            chinese=f"--pages 只用于报告文件，{what} 不是文件。",
        )
    given, saved = read_file(what), saved_pages(typed_path(called.text("pages")))
    found = await audit_linked(_markdown(given), saved.pages)
    if not found.claims and not found.not_checkable:
        raise SettingWrong(
            f"{what} has no sentence with a link: there is nothing to check.",
            chinese=f"{what} 中没有带链接的陈述，无从核验。",
        )
    if not found.claims:
        raise SettingWrong(
            f"no link of {what} leads to a page in {called.text('pages')}: no evidence is to be found.",
            chinese=f"{what} 的链接在 {called.text('pages')} 中都找不到对应的网页，没有证据可查。",
        )
    allowed = ("verified", "weak") if called.on("allow_weak") else ("verified",)
    passed = all(one.status in allowed for one in found.claims) and not found.not_checkable and not found.uncited
    if called.on("json"):
        told = {"ok": passed, **found.model_dump(mode="json"), "unread": [list(one) for one in saved.unread]}
        console.print(json.dumps(told, ensure_ascii=False))
    else:
        console.print("\n".join(_linked_lines(found, saved, console)))
    return 0 if passed else NOT_ALL


def _markdown(given: Given) -> str:
    if given.copy.form != "md":
        raise SettingWrong(
            "--pages reads reports in Markdown: save this one as .md.",
            chinese="--pages 只读 Markdown 报告，请另存为 .md。",
        )
    return given.copy.text


def _linked_lines(found: LinkedAudit, saved: Saved, console: Console) -> Iterator[str]:
    for claim, works in zip(found.claims, found.works, strict=True):
        yield " · ".join((_line(claim), ", ".join(found.pages[work] for work in works)))
    for one in found.not_checkable:
        yield " · ".join((console.say("audit.not_checkable"), one.claim, ", ".join(one.links)))
    yield from (" · ".join((console.say("audit.uncited"), claim)) for claim in found.uncited)
    yield from (" · ".join((console.say("audit.unread"), name, why)) for name, why in saved.unread)
    statuses = [one.status for one in found.claims]
    yield console.say(
        "audit.linked", verified=statuses.count("verified"), n=len(statuses), rate=found.rate,
        weak=statuses.count("weak"), unsupported=statuses.count("unsupported"), out=len(found.not_checkable),
        missing=len(found.missing), uncited=len(found.uncited), pages=len(set(found.pages.values())),
    )  # fmt: skip


COMMAND = command(
    "audit",
    audit,
    click.Argument(["what"], metavar="RUN|FILE"),
    switch("--allow-weak", texts="flag.allow_weak"),
    flag("--pages", texts="flag.pages", metavar="DIR"),
)
