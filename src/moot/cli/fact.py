"""`moot eval fact`: what reports cite, measured in two columns, with every count. Measuring is evals/fact.py's."""

from collections.abc import Iterator

from moot.app.asked import of_row
from moot.app.auditing import is_file, read_file, read_run
from moot.app.home import typed_path
from moot.app.reports import evidence_of
from moot.app.saved_pages import saved_pages
from moot.app.service import Service, opened
from moot.cli.command import Called
from moot.cli.console import Console
from moot.cli.width import padded
from moot.evals.fact import Cited, Fact, Rate, Writer, cited_in, cited_in_linked, measured
from moot.evidence.audit.bundle import BundleTexts
from moot.evidence.audit.linked import audit_linked
from moot.evidence.audit.saved import SavedPage
from moot.evidence.finish import COMMENT
from moot.journal.records import RunRecord
from moot.values.errors import SettingWrong

_AT, _NEXT = 26, 58


async def fact(called: Called) -> int:
    """Prints both columns over all that was named."""
    pages = saved_pages(typed_path(called.text("pages"))).pages if called.text("pages") else None
    async with opened(called.text("home")) as service:
        found = measured([await _cited(service, what, pages) for what in called.texts("what")])
    if called.on("json"):
        called.console.print(found.model_dump_json())
    else:
        called.console.print("\n".join(_lines(found, called.console)))
    return 0


async def _cited(service: Service, what: str, pages: tuple[SavedPage, ...] | None) -> Cited:
    if not is_file(what):
        record = await service.find(what)
        return await _of_run(service, record)
    given = read_file(what)
    named = COMMENT.search(given.copy.text)
    if given.beside is not None and named is not None and given.beside.sha256 == named["evidence"]:
        report = given.beside.report
        writer: Writer = "understudy" if report.surroundings.by == "understudy" else "model"
        return await cited_in(report, BundleTexts(given.beside), name=what, writer=writer)
    if named is not None:
        return await _of_run(service, await service.find(named["run"]))
    if pages is None:
        raise SettingWrong(
            f"{what} names no evidence of a run: give --pages DIR with the saved pages that its links lead to.",
            chinese=f"{what} 没有写明任何运行的证据：请用 --pages 目录 给出其链接所指网页的存档。",
        )
    return cited_in_linked(await audit_linked(given.copy.text, pages), name=what)


async def _of_run(service: Service, record: RunRecord) -> Cited:
    given = await read_run(service, record.id)
    report = await evidence_of(service.house.journal, given.copy.text)
    models = of_row(record.settings).models
    scripted = any(name.model.startswith("scripted:") for name in models.values())
    writer: Writer = "scripted" if scripted else "model" if models else "understudy"
    if report is None:
        return Cited(name=record.id, writer=writer)
    return await cited_in(report, await service.house.store(), name=record.id, writer=writer)


def _lines(found: Fact, console: Console) -> Iterator[str]:
    def row(name: str, compatible: str, strict: str) -> str:
        return f"{padded(console.say(f'fact.{name}'), _AT)}{padded(compatible, _NEXT - _AT)}{strict}".rstrip()

    def said(key: str, n: int) -> str:
        return console.say(f"fact.{key}", n=n)

    yield row("measure", console.say("fact.compatible"), console.say("fact.strict"))
    yield row("supported", said("n_supported", found.supported), said("n_verified", found.verified))
    yield row("unknown", said("n_left_out", found.unknown), said("n_unsupported", found.unknown))
    yield row("reports", said("n_citing", found.reports_citing), said("n_all", len(found.reports)))
    yield row("accuracy", _percent(found.accuracy), _percent(found.strict_accuracy))
    mean = "–" if found.mean_accuracy is None else f"{100 * found.mean_accuracy:.1f} %"
    yield row("mean", mean, "")
    yield row("effective", _number(found.effective), _number(found.strict_effective))
    yield row("quotes", "", _percent(found.quote_match))
    yield row("known", "", _percent(found.address_in_ledger))
    yield row("coverage", "", _percent(found.coverage))
    yield row("works", "", _number(found.works_per_report))
    for writer in sorted(found.writers - {"model"}):
        names = ", ".join(one.name for one in found.reports if one.writer == writer)
        yield console.say(f"fact.by_{writer}", names=names)
    if found.judged:
        yield console.say("fact.judged", n=found.judged)


def _percent(rate: Rate) -> str:
    return "–" if rate.value is None else f"{100 * rate.value:.1f} % ({rate.part}/{rate.whole})"


def _number(rate: Rate) -> str:
    return "–" if rate.value is None else f"{rate.value:.2f} ({rate.part}/{rate.whole})"
