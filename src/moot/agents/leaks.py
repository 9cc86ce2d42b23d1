"""What an address that a model composed would carry out of a run: a secret, a person's words, an own document's."""

from collections.abc import AsyncIterator, Collection

from moot.run.ask import AnswerGiven
from moot.run.kept import outcome
from moot.run.run import Run
from moot.text.addresses import canonical, openable
from moot.text.carried import carries, decoded

_PUBLIC = ("//", "calc:")
"""Pages of the web, and what code printed: these are nobody's own."""


async def leak(run: Run, given: Collection[str], address: str) -> str:
    """What of this run the address carries, for a sentence; `` when nothing.

    `given`: canonical addresses that the person, a search or a page wrote, which a model may pass on word for word.
    """
    if _is_given(address, given):
        return ""
    secrets = run.doors.secrets
    if any(secrets.covered(form) != form for form in decoded(address)):
        return "a secret"
    async for whose, text in _own(run):
        if carries(address, text):
            return f"words of {whose}"
    return ""


def _is_given(address: str, given: Collection[str]) -> bool:
    """True for a given address with nothing added that its canonical form leaves out."""
    try:
        return canonical(address) in given and openable(address) == address.strip()
    except ValueError:
        return False


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
