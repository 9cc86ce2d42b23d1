"""Writes a run's report in the forms that people take it in, or prints all that was kept of the run."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from moot.app.exporting import FORMS, check_forms, write_exported, write_file
from moot.app.home import typed_path
from moot.app.service import Service, opened
from moot.cli.command import FORCE, RUN, Called, command
from moot.cli.helping import flag, switch
from moot.values.value import RunId


async def export(called: Called) -> int:
    forms, out = _wanted(called)
    if called.on("journal") and (forms or called.text("out")):
        raise click.UsageError(called.console.say("export.one"))
    if not called.on("journal"):
        if not forms:
            raise click.UsageError(called.console.say("export.choose", forms=", ".join(FORMS)))
        check_forms(forms)
    async with opened(called.text("home")) as service:
        record = await service.find(called.text("run"))
        if called.on("journal"):
            sys.stdout.writelines(await service.cassette(record.id))
            sys.stdout.flush()
            return 0
        paths = await _written(service, record.id, forms, out=out, over=called.on("force"))
    if called.on("json"):
        called.console.print(json.dumps({"files": [str(path) for path in paths]}, ensure_ascii=False))
    else:
        called.console.print("\n".join(str(path) for path in paths))
    return 0


def _wanted(called: Called) -> tuple[list[str], Path]:
    """The forms, each once, and where to: a folder, or the one file whose suffix is the form."""
    given = called.text("format").lower().replace("，", ",").replace("、", ",")
    forms = list(dict.fromkeys(form.strip().lstrip(".") for form in given.split(",") if form.strip()))
    out = typed_path(called.text("out") or ".")
    suffix = out.suffix.lower().lstrip(".")
    if not forms and suffix in FORMS and not out.is_dir():
        forms = [suffix]
    return forms, out


async def _written(service: Service, run: RunId, forms: Sequence[str], *, out: Path, over: bool) -> list[Path]:
    made = await service.export(run, forms)
    if out.is_dir() or [out.suffix.lower().lstrip(".")] != list(forms):
        return write_exported(made, out, over=over)
    paths = [out if suffix in forms else out.with_suffix(f".{suffix}") for suffix in made.files]
    for path, body in zip(paths, made.files.values(), strict=True):
        write_file(path, body, over=over)
    return paths


COMMAND = command(
    "export",
    export,
    RUN,
    flag("--format", texts="flag.format", metavar="FORMS"),
    flag("--out", texts="flag.export_out", metavar="PATH"),
    FORCE,
    switch("--journal", texts="flag.journal"),
)
