"""Asks questions of documents, and measures how often the words that answer them are quoted. Printing is the CLI's."""

import time
import unicodedata
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from moot.app.service import Service
from moot.app.starting import New
from moot.values.errors import SettingWrong
from moot.values.runs import Ending
from moot.values.value import RunId, Value


class Case(Value):
    """A question, and what must be quoted in its report."""

    question: str = Field(min_length=1)
    quote: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)] | None
    """One of these must be quoted; None: nothing must be found."""


class Judged(Value):
    """What came of one case."""

    question: str
    hit: bool
    why: str = ""
    """Of a miss: what came instead."""
    run: RunId
    ending: Ending | None
    seconds: float


def read_cases(lines: Iterable[str]) -> list[Case]:
    """Cases from JSON lines. Raises SettingWrong naming the line that is none."""
    cases = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                cases.append(Case.model_validate_json(line))
            except ValidationError as wrong:
                fault = wrong.errors()[0]
                where = ".".join(map(str, fault["loc"])) or "it"
                raise SettingWrong(
                    f'line {number}: {where}: {fault["msg"]}. A line is {{"question": "…", "quote": ["…"] or null}}.',
                    chinese=f"第 {number} 行：{where}：{fault['msg']}。"
                    '每行应为 {"question": "…", "quote": ["…"] 或 null}。',
                ) from wrong
    if not cases:
        raise SettingWrong("there is no case in the file.", chinese="文件中没有任何用例。")
    return cases


async def asked(
    service: Service, cases: Sequence[Case], flags: dict[str, JsonValue], *, team: str = "research"
) -> AsyncIterator[Judged]:
    """Asks a team one case after another, plans taken as they come, and judges each report."""
    for case in cases:
        begun_at = time.monotonic()
        run = await service.start(New(team, case.question, {**flags, "yes": True}))
        record = await service.settled(run)
        why = missed(case, await service.report(run), record.ending)
        seconds = round(time.monotonic() - begun_at, 2)
        yield Judged(question=case.question, hit=not why, why=why, run=run, ending=record.ending, seconds=seconds)


def missed(case: Case, report: str, ending: Ending | None) -> str:
    """Why a report is a miss; `` for a hit."""
    if case.quote is None:
        return "" if ending == "nothing_found" else f"{ending}: something was found"
    if any(_plain(quote) in _plain(report) for quote in case.quote):
        return ""
    return f"{ending}: not quoted"


def _plain(text: str) -> str:
    """Words alone: without case, Markdown's backslashes, kinds of quotation marks and of blanks."""
    for written, plain in (("“", '"'), ("”", '"'), ("‘", "'"), ("’", "'"), ("\\", "")):
        text = text.replace(written, plain)
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
