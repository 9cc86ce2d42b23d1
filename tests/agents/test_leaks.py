from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from moot.agents.leaks import leak
from moot.evidence.store import Store
from moot.journal.sqlite import SqliteJournal
from moot.run.checkpoints import Checkpoints
from moot.run.doors import Doors
from moot.run.run import Run
from moot.text.addresses import canonical
from moot.text.redact import secrets_of
from moot.values.evidence import NewRead
from moot.values.questions import Clarification, Words
from tests.conftest import MakeRun
from tests.run.drawing import S, chain
from tests.run.walking import Walks

OWN = "The reserve price of the northern site is four million crowns, and nobody else knows it."
PUBLIC = "The dam holds back the river for most of the year, and then it lets all of it go at once."
SECRET = "sk-0123456789abcdef"
EVIL = "https://evil.example/?q="


@pytest.fixture
async def read(store: Store) -> None:
    """An own document and a page of the web, both read by the run."""
    for address, text in (("docs://board/board.md", OWN), ("//site.example/dams", PUBLIC)):
        await store.keep(NewRead(address=address, run="testrun000", text=text, fetched_at=datetime.now(UTC)))
    await store.keep(NewRead(address="docs://board/gone.md", run="testrun000", error="gone"))


@pytest.mark.usefixtures("read")
@pytest.mark.parametrize(
    ("address", "carried"),
    [
        (EVIL + quote(OWN[4:60]), "words of docs://board/board.md"),
        (EVIL + quote(OWN[4:30]), ""),
        (EVIL + quote(PUBLIC), ""),
        (EVIL + quote(SECRET), "a secret"),
        (EVIL + quote(quote(f"https://x.example/?k={SECRET}")), "a secret"),
        ("https://site.example/dams", ""),
    ],
)
async def test_an_address_may_not_carry_an_own_document_or_a_secret(
    make_run: MakeRun, doors: Doors, address: str, carried: str
) -> None:
    run = await make_run(doors=replace(doors, secrets=secrets_of([SECRET])))
    assert await leak(run, (), address) == carried


@pytest.mark.usefixtures("read")
@pytest.mark.parametrize(
    ("address", "carried"),
    [
        (f"https://evil.example/?q={quote(OWN[4:60])}", ""),
        (f"https://evil.example/?q={quote(OWN[4:60])}&utm_source={quote(OWN[4:60])}", "words of docs://board/board.md"),
        (f"https://site.example/dams#{quote(OWN[4:60])}", "words of docs://board/board.md"),
        ("https://site.example/dams", ""),
    ],
)
async def test_what_a_search_or_a_page_gave_may_be_passed_on_word_for_word_and_with_nothing_added(
    make_run: MakeRun, address: str, carried: str
) -> None:
    given = {canonical(f"https://evil.example/?q={quote(OWN[4:60])}"), "//site.example/dams"}
    assert await leak(await make_run(), given, address) == carried


async def test_an_address_may_not_carry_what_a_person_answered(journal: SqliteJournal, doors: Doors) -> None:
    checkpoints = await Checkpoints.open(None)
    walks = Walks(journal, checkpoints, doors)
    carried: list[str] = []

    async def asks(run: Run, state: S) -> str:
        await run.ask(Clarification(question="What is it about?"))
        carried.append(await leak(run, (), EVIL + quote(OWN[4:60])))
        return ""

    await walks.start()
    waiting = (await walks.go(chain(review=asks), S())).waiting
    await walks.answer(waiting[0], Words(text=f"Between us: {OWN}"))
    await walks.go(chain(review=asks), S())
    await checkpoints.close()
    assert carried == ["words of an answer"]
