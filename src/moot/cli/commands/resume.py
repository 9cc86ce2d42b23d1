"""Answers what a run waits for, and goes on with one that waited, was stopped, failed, or spent a limit."""

import click

from moot.app.asked import now
from moot.app.service import Service, opened
from moot.app.setting import MOST
from moot.cli.command import FOLLOWING, RUN, Called, command
from moot.cli.follow import follow
from moot.cli.helping import flag, switch
from moot.cli.outputs import check_outs
from moot.cli.review import plan_from
from moot.journal.records import RunRecord
from moot.patterns.answers import PlanFile, Unclear, read_answer
from moot.values.errors import RunRefused, SettingWrong
from moot.values.questions import Accept, Answer, Edit, Question, Refuse
from moot.values.usage import Dimension

_MORE: tuple[Dimension, ...] = ("tokens", "usd", "seconds", "calls")
_HOWS = ("accept", "edit", "replace", "refuse", "answer")


async def resume(called: Called) -> int:
    check_outs(called.texts("out"), force=called.on("force"))
    hows = [how for how in _HOWS if called.was_given(how)]
    if len(hows) > 1:
        raise click.UsageError(called.console.say("usage.one_answer"))
    async with opened(called.text("home")) as service:
        record = await service.take_due(await service.find(called.text("run")), now().timestamp())
        if hows:
            await _answered(service, record, hows[0], called=called)
        if record.status == "finished" or (record.status == "waiting" and not hows and not _more(called)):
            return await follow(service, record.id, called)
        await service.resume(record.id, more=_more(called), again=called.on("again"))
        return await follow(service, record.id, called)


async def _answered(service: Service, record: RunRecord, how: str, *, called: Called) -> None:
    question = _chosen(await service.questions(record.id), record, called)
    answer = _answer(question, how, called)
    await service.answer(question.id, answer, digest=question.digest, by="command line")


def _chosen(questions: list[Question], record: RunRecord, called: Called) -> Question:
    """The question that is answered: the one named, or the only one that is open."""
    wanted = called.text("question")
    of_interest = [one for one in questions if one.state == "open" or one.id == wanted]
    found = [one for one in of_interest if not wanted or one.id == wanted]
    if len(found) == 1:
        return found[0]
    answered = [one for one in questions if one.state == "answered"]
    if not found and not wanted and answered:
        return answered[-1]  # the journal tells by whom and when it was answered
    if not found and record.status == "finished":
        raise RunRefused(
            f"already_finished: {record.id} is finished and waits for no answer; fork it to go on otherwise.",
            code="already_finished",
            chinese=f"already_finished：{record.id} 已结束，不再等待答复；如需另走一路请用 fork。",
        )
    if not found:
        said = (
            f"question_gone: {record.id} has no open question{f' {wanted}' if wanted else ''}; it is {record.status}."
        )
        raise RunRefused(said, code="question_gone", chinese=f"question_gone：{record.id} 没有待答的提问。")
    ids = ", ".join(one.id for one in found)
    raise SettingWrong(
        f"{record.id} has {len(found)} open questions: say which with --question: {ids}.",
        chinese=f"{record.id} 有 {len(found)} 个待答的提问，请用 --question 指明：{ids}。",
    )


def _answer(question: Question, how: str, called: Called) -> Answer:
    match how:
        case "accept":
            return Accept(later=called.on("later"))
        case "edit":
            return _edit(called.text("edit"))
        case "refuse":
            return Refuse(reason=called.text("refuse"))
        case "replace":
            return _clear(plan_from(called.text("replace"), called.console))
        case _:
            return _clear(read_answer(question.body, called.text("answer")))


def _edit(text: str) -> Answer:
    if not text.strip():
        raise SettingWrong("--edit: say what to change.", chinese="--edit：请写明要改什么。")
    return Edit(text=text)


def _clear(read: Answer | Unclear | PlanFile) -> Answer:
    if isinstance(read, Unclear | PlanFile):
        why = read.why if isinstance(read, Unclear) else f"give the file with --replace {read.path}."
        raise RunRefused(f"question_unreadable: {why}", code="question_unreadable")
    return read


def _more(called: Called) -> dict[Dimension, float]:
    more: dict[Dimension, float] = {}
    for dimension in _MORE:
        amount = called.measure(f"more_{dimension}")
        if amount is not None and not 0 < amount <= MOST:
            raise SettingWrong(
                f"--more-{dimension} {amount:g}: must be more than 0, and {MOST:,} at most.",
                chinese=f"--more-{dimension} {amount:g}：应大于 0，且不超过 {MOST:,}。",
            )
        if amount is not None:
            more[dimension] = amount
    return more


COMMAND = command(
    "resume",
    resume,
    RUN,
    switch("--accept", texts="flag.accept"),
    switch("--later", texts="flag.later"),
    flag("--edit", texts="flag.edit"),
    flag("--replace", texts="flag.replace", metavar="FILE"),
    flag("--refuse", texts="flag.refuse", metavar="[TEXT]", unnamed=""),
    flag("--answer", texts="flag.answer"),
    flag("--question", texts="flag.question", metavar="ID"),
    flag("--more-tokens", texts="flag.more_tokens", type=click.INT, metavar="N"),
    flag("--more-usd", texts="flag.more_usd", type=click.FLOAT, metavar="N"),
    flag("--more-seconds", texts="flag.more_seconds", type=click.FLOAT, metavar="N"),
    flag("--more-calls", texts="flag.more_calls", type=click.INT, metavar="N"),
    switch("--again", texts="flag.again"),
    *FOLLOWING,
)
