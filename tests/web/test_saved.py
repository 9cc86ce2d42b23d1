"""Saved pages to golden Markdown: review its diff like code. What is no page is told to be none."""

import contextlib
import time

import pytest

from bench.readable import recalled
from moot.web.charset import decode
from moot.web.faults import Unreadable
from moot.web.readable import Readable, readable
from moot.web.walls import wall
from tests.golden import assert_golden
from tests.web.saved import Saved, saved_pages

PAGES = saved_pages()
READ = [page for page in PAGES if page.text or page.cells]


def read(page: Saved) -> Readable:
    return readable(page.body, name=page.name, content_type=page.content_type)


def test_there_are_forty_of_them_in_five_languages() -> None:
    assert len(PAGES) >= 40
    assert {page.name[:2] for page in PAGES} == {"en", "zh", "ja", "ko", "ru"}


@pytest.mark.parametrize("page", READ, ids=lambda page: page.name)
def test_a_saved_page_reads_as_its_golden(page: Saved) -> None:
    made = read(page)
    told = (made.title, made.published, ", ".join(made.authors), made.language, made.charset, *made.notes)
    links = [f"- {text}: {href}" for text, href in made.links]
    assert_golden(
        f"pages/{page.name}.md", "\n".join([*filter(None, told), "", "---", "", made.text, *links]).rstrip() + "\n"
    )
    assert page.title in ("", made.title)
    assert not [part for part in page.absent if part in made.text]


@pytest.mark.parametrize("page", READ, ids=lambda page: page.name)
def test_what_a_reader_sees_of_an_article_and_its_tables_is_read(page: Saved) -> None:
    begun = time.process_time()
    found = recalled(page, read(page).text)
    assert time.process_time() - begun < 1
    assert found.text >= 0.95
    assert found.cells >= 0.95


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_wall_is_told_from_a_page(page: Saved) -> None:
    text = title = ""
    with contextlib.suppress(Unreadable):  # a shell has no text
        made = read(page)
        text, title = made.text, made.title
    found = wall(decode(page.body).text, text, title=title)
    assert (found.code if found else "") == page.wall
    assert found is None or found.partial == (page.wall == "paywall")
