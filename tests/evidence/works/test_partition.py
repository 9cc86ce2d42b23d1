"""Which sources are one work."""

import random
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from moot.evidence.classes import class_of
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.evidence.works.partition import works_of
from moot.text.marks import mark_of
from moot.values.evidence import NewRead, Shown, Work

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
TITLE = "How old dams of the north fail in winter"
LONG_TITLE_ZH = "关于北方老旧水坝冬季溃坝机理的研究"
Read = Callable[..., Awaitable[Shown]]


def prose(seed: int, words: int = 300) -> str:
    chance = random.Random(seed)
    return " ".join("".join(chance.choices("abcdefghij", k=5)) for _ in range(words))


@pytest.fixture
def read(store: Store) -> Read:
    async def kept(address: str, text: str = "", *, declared: tuple[str, ...] = (), **about: Any) -> Shown:
        words = text or f"It holds water. {address}"
        new = NewRead(address=address, run="r1", text=words, declared=declared, **about)
        stored = await store.keep(new)
        return Shown(
            mark=mark_of(address), address=address, title=new.title, source_class=class_of(address, declared),
            text_hash=stored.text_hash, passages=len(stored.passages), read_at=AT,
        )  # fmt: skip

    return kept


async def partition(store: Store, *sources: Shown) -> tuple[Work, ...]:
    return await works_of(Ledger(sources), store)


async def test_one_doi_at_four_addresses_is_one_work(store: Store, read: Read) -> None:
    works = await partition(
        store,
        await read("//doi.org/10.1234/dam.5"),
        await read("//arxiv.org/abs/2101.00001v2", declared=("doi:10.1234/dam.5", "publisher:arXiv.org")),
        await read(
            "//publisher.example/articles/77", declared=("doi:10.1234/DAM.5",), title=TITLE, authors=("A. Lee",)
        ),
        await read("docs://papers/dam.pdf", f"# {TITLE}\n\nhttps://doi.org/10.1234/dam.5\n\nDams fail."),
        await read("//other.example/dams"),
    )
    assert [len(work.addresses) for work in works] == [4, 1]
    paper = works[0]
    assert paper.id == "doi:10.1234/dam.5"
    assert paper.keys[:2] == ("doi:10.1234/dam.5", "arxiv:2101.00001")
    assert (paper.title, paper.authors, paper.publisher) == (TITLE, ("A. Lee",), "arXiv.org")
    assert paper.source_class == "research"
    assert works[1].id == "link://other.example/dams"


async def test_versions_at_arxiv_are_one_work(store: Store, read: Read) -> None:
    addresses = ("//arxiv.org/abs/2101.00001v1", "//arxiv.org/pdf/2101.00001v2", "//doi.org/10.48550/arXiv.2101.00001")
    (work,) = await partition(store, *[await read(address) for address in addresses])
    assert work.id == "arxiv:2101.00001"


async def test_a_copy_with_a_canonical_link_is_the_page_it_names(store: Store, read: Read) -> None:
    saved = await read("docs://saved/a.html", declared=("canonical:https://example.org/a",))
    mobile = await read("//m.example.org/a", declared=("canonical:https://example.org/a",))
    (work,) = await partition(store, saved, mobile, await read("//example.org/a"))
    assert work.id == "link://example.org/a"


async def test_two_versions_of_a_manual_with_one_canonical_page_stay_apart(store: Store, read: Read) -> None:
    declared = ("canonical:https://docs.example/3/dam",)
    pages = [await read(f"//docs.example/{version}/dam", prose(1), declared=declared) for version in ("3.11", "3.12")]
    assert len(await partition(store, *pages)) == 2


@pytest.mark.parametrize(
    ("title", "author", "published", "together"),
    [
        (TITLE, "Lee, Ann", "2021-02-01", True),
        (f"{TITLE} | example.org", "A. Lee", "2020", True),
        (TITLE, "Bob Lee", "2020", False),
        (TITLE, "Ann Lee", "2022", False),
        (TITLE, "Ann Lee", "", False),
        (TITLE, "", "2020", False),
        (f"{TITLE}, 2nd edition", "Ann Lee", "2020", False),
        (TITLE.replace("old", "new"), "Ann Lee", "2020", False),
    ],
)
async def test_a_title_with_its_author_and_year_makes_one_work(
    store: Store, read: Read, title: str, author: str, published: str, together: bool
) -> None:
    first = await read("docs://a/1.pdf", title=TITLE, authors=("Ann Lee",), published="2020-12-01")
    second = await read("//example.org/2", title=title, authors=(author,) if author else (), published=published)
    works = await partition(store, first, second)
    assert (len(works) == 1) is together
    if together:
        assert works[0].id == "link://example.org/2"


async def test_a_chinese_title_with_its_author_and_year_makes_one_work(store: Store, read: Read) -> None:
    about = {"title": LONG_TITLE_ZH, "authors": ("张伟",), "published": "2020"}
    (work,) = await partition(store, await read("docs://a/1.pdf", **about), await read("docs://b/2.pdf", **about))
    assert work.id == f"title:{LONG_TITLE_ZH}"


async def test_other_dois_keep_equal_titles_apart_and_a_preprint_does_not(store: Store, read: Read) -> None:
    about = {"title": TITLE, "authors": ("Ann Lee",), "published": "2020"}
    journal = await read("//doi.org/10.1234/dam.5", **about)
    reprint = await read("//doi.org/10.1234/dam.6", **about)
    preprint = await read("//doi.org/10.1101/2020.01.01.1", **about)
    works = await partition(store, journal, reprint, preprint)
    assert [work.addresses for work in works] == [(journal.address, preprint.address), (reprint.address,)]


async def test_syndicated_news_is_one_work_whatever_its_title(store: Store, read: Read) -> None:
    text = prose(1)
    first = await read("//news.example/a", text, title="Dam fails in the north")
    second = await read("//post.example/b", f"{text} Reporting by A. Lee.", title="12 villages under water")
    other = await read("//mail.example/c", prose(2))
    works = await partition(store, first, second, other)
    assert [work.addresses for work in works] == [(first.address, second.address), (other.address,)]


@pytest.mark.parametrize(
    ("one", "other"), [("Water report 2022", "Water report 2023"), ("Dam manual v1", "Dam manual v2")]
)
async def test_two_of_a_row_with_nearly_one_text_are_two_works(store: Store, read: Read, one: str, other: str) -> None:
    text = prose(1)
    sources = await read("docs://d/a.md", f"{text} 1", title=one), await read("docs://d/b.md", f"{text} 2", title=other)
    assert len(await partition(store, *sources)) == 2


async def test_short_equal_texts_are_no_one_work(store: Store, read: Read) -> None:
    pages = [await read(f"//{host}.example/", "Please enable scripts.") for host in ("a", "b")]
    assert len(await partition(store, *pages)) == 2


async def test_computations_are_works_of_their_own(store: Store, read: Read) -> None:
    calc = [(await read(f"calc:process#1/{n}", prose(1))).model_copy(update={"kind": "computation"}) for n in (1, 2)]
    works = await partition(store, *calc)
    assert [work.id for work in works] == ["link:calc:process#1/1", "link:calc:process#1/2"]


async def test_two_texts_of_one_address_are_one_work(store: Store, read: Read) -> None:
    first = await read("//example.org/a", "It is dry.")
    second = (await read("//example.org/a", "It is wet.")).model_copy(update={"version": 2})
    (work,) = await partition(store, first, second)
    assert work.addresses == ("//example.org/a",)


async def test_the_partition_does_not_depend_on_the_order(store: Store, read: Read) -> None:
    text = prose(1)
    sources = [
        await read("//doi.org/10.1234/dam.5", text),
        await read("//arxiv.org/abs/2101.00001", declared=("doi:10.1234/dam.5",)),
        await read("//mirror.example/1", declared=("arxiv:2101.00001",)),
        await read("//news.example/a", f"{text} More."),
        await read("//example.org/x", declared=("pmid:7",)),
        await read("//pubmed.ncbi.nlm.nih.gov/7/"),
    ]
    expected = {frozenset(work.addresses) for work in await partition(store, *sources)}
    assert sorted(map(len, expected)) == [2, 4]
    for seed in range(20):
        random.Random(seed).shuffle(sources)
        assert {frozenset(work.addresses) for work in await partition(store, *sources)} == expected
