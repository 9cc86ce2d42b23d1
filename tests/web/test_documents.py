import asyncio
import os
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from moot.evidence.store import Store
from moot.values.errors import SettingWrong, ToolFailed
from moot.web.documents import in_thread, open_documents
from moot.web.refresh import Holding, Progress
from tests.web.conftest import Open

AT = datetime(2026, 11, 30, tzinfo=UTC)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


async def addresses(documents: object, query: str, n: int = 10) -> list[str]:
    return [found.address for found in await documents.find(query, n=n)]  # type: ignore[attr-defined]  # Collections


@pytest.mark.parametrize("query", ["水", "水库", "水库蓄水量", "蓄水量", "四亿", "水库的蓄水量是多少"])
async def test_a_chinese_word_is_found_in_running_text(folder: Path, opening: Open, query: str) -> None:
    write(folder, "a.md", "据报告，水库蓄水量为四亿。")
    write(folder, "b.md", "完全无关的内容在此。")
    assert await addresses(await opening([folder]), query) == ["docs://notes/a.md"]


@pytest.mark.parametrize(
    "query", ['foo" OR body:*', '"', "*", "NEAR(", "body:foo", "title : foo", "foo -bar", "^foo", "{foo}", "(foo"]
)
async def test_no_query_is_an_error_of_the_database(folder: Path, opening: Open, query: str) -> None:
    write(folder, "a.md", "Here is foo.")
    assert await addresses(await opening([folder]), query) in ([], ["docs://notes/a.md"])


async def test_a_document_is_read_as_evidence_with_its_passages(folder: Path, opening: Open, store: Store) -> None:
    write(folder, "dam.md", "---\ndate: 2024-03-05\nlang: en\n---\n# The dam\n\nIt holds water.\n\nIt is old.\n")
    page = await (await opening([folder])).read("docs://notes/dam.md", at=AT)
    assert (page.title, page.published, page.language, page.read_at) == ("The dam", "2024-03-05", "en", AT)
    assert [page.text[one.start : one.end] for one in page.passages] == ["It holds water.", "It is old."]
    assert await store.quote(page.text_hash, 2) == "It is old."
    assert (page.kind, page.content_type) == ("document", "text/markdown")


async def test_a_hit_is_a_lead_with_its_best_passages_and_a_snippet(folder: Path, opening: Open) -> None:
    write(folder, "dam.md", "# The dam\n\nNothing here.\n\nA turbine hall.\n\n" + "Long words about turbines. " * 60)
    (found,) = await (await opening([folder])).find("turbine", n=5)
    assert (found.title, found.rank, found.engine) == ("The dam", 1, "documents")
    assert found.best[0] in (2, 3)
    assert len(found.best) <= 3
    assert "urbine" in found.snippet
    assert len(found.snippet) <= 500


async def test_twelve_files_that_each_hold_a_fact_are_all_found_and_read(folder: Path, opening: Open) -> None:
    for number in range(12):
        write(folder, f"{number}.md", f"Town number {number} has {number}000 people.")
    documents = await opening([folder])
    found = await documents.find("people town", n=20)
    assert len(found) == documents.count == 12
    texts = {(await documents.read(one.address, at=AT)).text for one in found}
    assert len(texts) == 12


async def test_a_changed_document_is_never_served_stale(folder: Path, opening: Open) -> None:
    path = write(folder, "a.md", "The dam is 828 m tall.")
    documents = await opening([folder])
    before = await documents.read("docs://notes/a.md", at=AT)
    stat = path.stat()
    path.write_text("The dam is 829 m tall.", encoding="utf-8")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))  # size and time are what they were: only the hash tells
    after = await documents.read("docs://notes/a.md", at=AT)
    assert (before.text, after.text) == ("The dam is 828 m tall.", "The dam is 829 m tall.")
    assert before.text_hash != after.text_hash


async def test_a_search_sees_what_changed_and_what_is_gone(folder: Path, opening: Open) -> None:
    path = write(folder, "a.md", "Something about bridges.")
    write(folder, "b.md", "Another text on bridges.")
    documents = await opening([folder])
    path.write_text("Something about tunnels, longer than before.", encoding="utf-8")
    (folder / "b.md").unlink()
    assert await addresses(documents, "bridges") == []
    assert await addresses(documents, "tunnels") == ["docs://notes/a.md"]
    with pytest.raises(ToolFailed, match="not there any more") as caught:
        await documents.read("docs://notes/b.md", at=AT)
    assert caught.value.code == "gone"


async def test_a_document_is_read_even_while_another_process_holds_the_index(
    folder: Path, opening: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(folder, "a.md", "Old words.")
    documents = await opening([folder])
    monkeypatch.setattr("moot.web.documents._BRIEFLY_S", 0.0)
    index = documents._collections[0].index
    path.write_text("New words, another length.", encoding="utf-8")
    with Holding(index, stop=threading.Event(), wait_s=1, told=lambda who: None):
        assert (await documents.read("docs://notes/a.md", at=AT)).text == "New words, another length."
    assert (await documents.read("docs://notes/a.md", at=AT)).text == "New words, another length."


async def test_a_file_that_cannot_be_read_says_why_and_is_kept_as_a_failed_read(folder: Path, opening: Open) -> None:
    write(folder, "good.md", "Words.")
    (folder / "bad.pdf").write_bytes(b"%PDF-1.4 broken")
    documents = await opening([folder])
    assert [path for path, _ in documents.skipped] == ["bad.pdf"]
    with pytest.raises(ToolFailed, match=r"broken: docs://notes/bad.pdf: no PDF") as caught:
        await documents.read("docs://notes/bad.pdf", at=AT)
    assert caught.value.code == "broken"


@pytest.mark.parametrize(
    "address",
    [
        "docs://other/a.md",
        "docs://notes",
        "docs://notes/",
        "https://example.org/a.md",
        "docs://notes/../a.md",
        "a.md",
        "",
    ],
)
async def test_an_address_of_no_collection_is_refused(folder: Path, opening: Open, address: str) -> None:
    write(folder, "a.md", "Words.")
    write(folder.parent, "a.md", "Not given.")
    with pytest.raises(ToolFailed):
        await (await opening([folder])).read(address, at=AT)


async def test_an_address_is_the_same_however_it_is_escaped(folder: Path, opening: Open) -> None:
    write(folder, "水库 1.md", "水库蓄水量。")
    documents = await opening([folder])
    (found,) = await documents.find("水库", n=1)
    assert found.address == "docs://notes/%E6%B0%B4%E5%BA%93%201.md"
    for address in (found.address, "docs://notes/水库 1.md", found.address + "#line=1"):
        assert documents.holds(address)
        assert (await documents.read(address, at=AT)).address == found.address


async def test_two_folders_with_a_file_of_one_name_are_two_addresses(tmp_path: Path, opening: Open) -> None:
    write(tmp_path / "a" / "notes", "x.md", "The first dam.")
    write(tmp_path / "b" / "notes", "x.md", "The second dam.")
    documents = await opening([tmp_path / "a" / "notes", tmp_path / "b" / "notes"])
    found = await addresses(documents, "dam")
    assert len(set(found)) == 2
    texts = {(await documents.read(address, at=AT)).text for address in found}
    assert texts == {"The first dam.", "The second dam."}


async def test_several_collections_are_searched_as_one(folder: Path, tmp_path: Path, opening: Open) -> None:
    write(folder, "a.md", "The turbine of the northern dam.")
    write(tmp_path / "more", "b.md", "The turbine of the southern dam.")
    documents = await opening([folder, tmp_path / "more", "python"])
    assert set(await addresses(documents, "turbine dam", 5)) >= {"docs://notes/a.md", "docs://more/b.md"}
    assert documents.described() == ("docs://python", "docs://notes", "docs://more")
    assert documents.lines()[1:] == ("docs notes (1 document)", "docs more (1 document)")


async def test_a_single_file_is_all_that_is_given(folder: Path, opening: Open) -> None:
    write(folder, "a.md", "The dam.")
    write(folder, "b.md", "Another dam.")
    documents = await opening([folder / "a.md"])
    assert await addresses(documents, "dam") == ["docs://notes/a.md"]
    with pytest.raises(ToolFailed, match="gone"):
        await documents.read("docs://notes/b.md", at=AT)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ('"northern dam"', ["a.md"]),
        ("dam path:sub", ["sub/c.csv"]),
        ("dam kind:csv", ["sub/c.csv"]),
        ("dam since:2025", ["b.md"]),
        ('"dam northern"', []),
        ("kind:pdf dam", []),
    ],
)
async def test_a_search_is_narrowed_by_phrases_and_filters(
    folder: Path, opening: Open, query: str, names: list[str]
) -> None:
    os.utime(write(folder, "a.md", "The northern dam is old."), (1_000_000_000, 1_000_000_000))
    write(folder, "b.md", "---\ndate: 2025-06-01\n---\nThe southern dam of the northern lake.")
    os.utime(write(folder, "sub/c.csv", "name,n,x\ndam,1,2\nb,2,3\n"), (1_000_000_000, 1_000_000_000))
    assert await addresses(await opening([folder]), query) == [f"docs://notes/{name}" for name in names]


async def test_a_folder_in_which_nothing_can_be_read_is_refused_with_the_reasons(folder: Path, opening: Open) -> None:
    (folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    with pytest.raises(SettingWrong, match=r"no document to read(?s:.*)a.png: image") as caught:
        await opening([folder])
    assert caught.value.code == "docs_missing"


async def test_a_home_that_cannot_hold_an_index_is_named(folder: Path, home: Path, opening: Open) -> None:
    write(folder, "a.md", "Words.")
    (home / "index").write_text("in the way")
    with pytest.raises(SettingWrong, match="cannot be kept at"):
        await opening([folder])


async def test_progress_is_told_on_the_loop(folder: Path, home: Path, store: Store) -> None:
    write(folder, "a.md", "Words.")
    told: list[Progress] = []
    here = threading.get_ident()
    threads: set[int] = set()

    def tell(progress: Progress) -> None:
        told.append(progress)
        threads.add(threading.get_ident())

    documents = await open_documents([str(folder)], home=home, store=store, run="r", progress=tell)
    await asyncio.sleep(0)
    assert told == [Progress("notes", 1, 1, "a.md")]
    assert threads == {here}
    await documents.close()


async def test_work_that_is_cancelled_is_told_to_stop_and_waited_for() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work(stop: threading.Event) -> None:
        begun.set()
        stop.wait(10)
        ended.set()

    task = asyncio.ensure_future(in_thread(work))
    await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_nothing_asked_is_nothing_found(folder: Path, opening: Open) -> None:
    write(folder, "a.md", "Words.")
    documents = await opening([folder])
    assert await documents.find("  ?! ", n=5) == []
    assert await documents.find("words", n=0) == []
    assert await documents.find("absent", n=5) == []
