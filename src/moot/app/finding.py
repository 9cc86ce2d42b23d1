"""Finds a run by what a person calls it."""

from moot.journal.port import Journal
from moot.journal.records import RunRecord
from moot.values.errors import RunRefused
from moot.values.value import RunId

SHORTEST = 4


async def found(journal: Journal, name: str) -> RunRecord:
    """The run of that id, the one whose id begins so (4 characters or more), or the `last`.

    Raises RunRefused: run_unknown naming the newest, run_ambiguous naming the candidates, run_forgotten.
    """
    named = await journal.named(name)
    if len(named) > 1 and name not in named:
        raise RunRefused(
            f"run_ambiguous: {len(named)} runs begin with {name}: {', '.join(named[:8])}.",
            code="run_ambiguous",
            chinese=f"run_ambiguous：有 {len(named)} 次运行以 {name} 开头：{'、'.join(named[:8])}。",
        )
    if not named or (len(name) < SHORTEST and name not in named):
        raise await _unknown(journal, name)
    record = await journal.run(RunId(name) if name in named else named[0])
    if record.forgotten:
        raise RunRefused(
            f"run_forgotten: {record.id} was deleted.",
            code="run_forgotten",
            chinese=f"run_forgotten：{record.id} 已被删除。",
        )
    return record


async def _unknown(journal: Journal, name: str) -> RunRefused:
    newest = await journal.named("last")
    short = 0 < len(name) < SHORTEST
    hint = (
        f" Give {SHORTEST} characters of its id or more." if short else f" The newest is {newest[0]}." if newest else ""
    )
    zh = f"请至少写出编号的前 {SHORTEST} 个字符。" if short else f"最新一次是 {newest[0]}。" if newest else ""
    return RunRefused(
        f"run_unknown: there is no run {name}.{hint}", code="run_unknown", chinese=f"run_unknown：没有运行 {name}。{zh}"
    )
