"""What every journal promises of the contents of workspaces: many at once, and shared by runs."""

from moot.journal.port import Journal
from tests.journal.samples import a_run

MANY = [b"", b"small", b"small", bytes(200_000), b"x" * 70_000]


async def test_many_bytes_at_once_come_back_each_by_its_hash(journal: Journal) -> None:
    run = (await journal.start(a_run("many000000"))).id
    hashes = await journal.put_all(run, MANY)
    assert [await journal.get(sha256) for sha256 in hashes] == MANY
    assert hashes == [await journal.put(run, body) for body in MANY]
    assert await journal.put_all(run, []) == []


async def test_shared_bytes_outlive_the_run_that_brought_them(journal: Journal) -> None:
    first = (await journal.start(a_run("first00000"))).id
    second = (await journal.start(a_run("second0000"))).id
    shared, own = await journal.put_all(first, [b"shared" * 40_000, b"own" * 40_000])
    await journal.share(second, {shared})
    await journal.forget(first)
    assert (await journal.get(shared), await journal.get(own)) == (b"shared" * 40_000, None)
    await journal.forget(second)
    assert await journal.get(shared) is None


async def test_bytes_that_are_not_there_cannot_be_shared(journal: Journal) -> None:
    run = (await journal.start(a_run("alone00000"))).id
    await journal.share(run, {"0" * 64})
    assert await journal.get("0" * 64) is None
