"""What an address that a model composed would carry out of a run: a secret, a person's words, an own document's."""

from collections.abc import AsyncIterator

from moot.run.ask import AnswerGiven
from moot.run.kept import outcome
from moot.run.run import Run
from moot.text.carried import carries, decoded

_PUBLIC = ("//", "calc:")
"""Pages of the web, and what code printed: these are nobody's own."""


async def leak(run: Run, address: str) -> str:
    """What of this run the address carries, for a sentence; `` when nothing."""
    secrets = run.doors.secrets
    if any(secrets.covered(form) != form for form in decoded(address)):
        return "a secret"
    async for whose, text in _own(run):
        if carries(address, text):
            return f"words of {whose}"
    return ""


async def _own(run: Run) -> AsyncIterator[tuple[str, str]]:
    """The texts that are a person's own, each with what it is."""
    for entry in tuple(run.kept.entries.values()):
        if entry.kind == "ask" and entry.state == "kept":
            answer = outcome(entry, AnswerGiven).root
            yield "an answer", " ".join(value for value in answer.model_dump().values() if isinstance(value, str))
    seen: set[str] = set()
    for read in await run.doors.store.reads(run.id):
        if read.text and not read.error and read.text not in seen and not read.address.startswith(_PUBLIC):
            seen.add(read.text)
            yield read.address, await run.doors.store.text(read.text)
