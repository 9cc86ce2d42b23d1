"""The page of a report: one file that asks nothing of anybody, in which nothing of a report comes alive."""

import base64
import hashlib
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import html as pages

from moot.evidence.exports.html import html
from moot.values.report import Report, Surroundings
from moot.values.value import RunId

_INERT = ("<script>alert(1)</script>", 'onerror="alert(2)"', "</style><style>", "👩‍👩‍👧", "e\u0301\u0323", "&amp;")
_PIECES = [
    *("<script>", "</script>", "<!--", "-->", "<img onerror=x>", "[a](javascript:x)", "<a href=javascript:x>", "]]>"),
    *("</style>", "</title>", "```", "`", "$", "|a|\n|-|\n", "\n\n", "> ", "- ", "# ", "&#60;script&#62;", "⟨", "⟩"),
]
_ACTS = re.compile(r"^\s*(?:javascript|data|vbscript):", re.IGNORECASE)


def page_of(report: Report) -> pages.HtmlElement:
    return pages.document_fromstring(html(report), parser=pages.HTMLParser(encoding="utf-8"))


def assert_nothing_is_alive(report: Report) -> None:
    page = page_of(report)
    assert len(page.xpath("//script")) == 1
    assert len(page.xpath("//style")) == 1
    assert not page.xpath("//img|//iframe|//svg|//object|//embed|//form|//base|//link|//input|//body//meta|//template")
    for element in page.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on"), f"<{element.tag} {name}={value}>"
            assert name not in ("style", "src", "srcset", "srcdoc", "background", "formaction"), (name, value)
            assert not (name == "href" and _ACTS.match(value)), value
    shown = page.text_content()
    assert "alert(1)" not in "".join(page.xpath("//script/text()"))
    assert shown


async def test_each_number_leads_to_its_exact_passage_among_the_sources(report: Report) -> None:
    page = page_of(report)
    cites = page.xpath("//a[contains(@class,'cite')]")
    assert [cite.text for cite in cites] == [report.markdown[r.start : r.end] for r in report.references]
    words = {quote.citation: quote.words for quote in report.quotes}
    for cite, reference in zip(cites, report.references, strict=True):
        names = cite.get("data-passages").split()
        shown = [page.get_element_by_id(name).find("blockquote").text_content() for name in names]
        assert shown == [words[citation] for citation in reference.citations]
        assert page.get_element_by_id(cite.get("href")[1:]) is not None
    assert page.xpath("//section[@id='notes']//li[contains(@id,'p-')]//a[@class='back']")


async def test_the_policy_lets_in_this_style_and_script_and_nothing_else(english: Report) -> None:
    page = page_of(english)
    policy = page.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    for tag in ("style", "script"):
        body = page.xpath(f"//{tag}")[0].text
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert parts.pop(f"{tag}-src") == f"'sha256-{digest}'"
    assert parts == {"default-src": "'none'", "base-uri": "'none'", "form-action": "'none'"}
    assert not re.search(r"url\(|@import", html(english).decode())


async def test_the_contents_are_the_headings(english: Report) -> None:
    page = page_of(english)
    listed = [(link.text, link.get("href")) for link in page.xpath("//nav//a")]
    headings = [(h.text_content(), f"#{h.get('id')}") for h in page.xpath("//article//*[self::h2 or self::h3]")]
    assert listed == headings
    assert [words for words, _ in listed] == ["Short answer", "Findings", "Gaps", "Coverage", "Sources"]


async def test_what_did_not_pass_is_seen_and_spoken(english: Report) -> None:
    page = page_of(english)
    notes = [note.text for note in page.xpath("//span[@class='note']")]
    assert any(note.startswith("⟨not supported") for note in notes)
    assert "⟨no source⟩" in notes
    wrong = page.xpath("//a[@class='cite unsupported']")
    assert [link.get("aria-label") for link in wrong] == ["Source 1: Burj & <b>more</b>, not supported"]


async def test_a_chinese_report_speaks_chinese_and_says_so(chinese: Report) -> None:
    page = page_of(chinese)
    assert (page.get("lang"), page.get("dir")) == ("zh-CN", "ltr")
    assert page.xpath("//nav/@aria-label") == ["目录"]
    assert "来源 1" in page.xpath("//a[contains(@class,'cite')]/@aria-label")[0]
    assert page.xpath("//h2[@id='sources']")[0].text == "来源"


async def test_hebrew_and_arabic_reports_are_written_from_right_to_left(english: Report) -> None:
    for locale in ("he-IL", "ar"):
        around = english.surroundings.model_copy(update={"locale": locale})
        assert page_of(english.model_copy(update={"surroundings": around})).get("dir") == "rtl"
    assert all(p.get("dir") == "auto" for p in page_of(english).xpath("//article//p[not(@class)]"))


async def test_code_math_and_tables_stand_as_they_were_written(english: Report) -> None:
    page = page_of(english)
    assert [math.text for math in page.xpath("//span[@class='math']")] == ["$a_1 * b_2 * c$"]
    assert 'print("[9] <b>")' in page.xpath("//pre/code/text()")
    assert page.xpath("//td[@class='right']/a[contains(@class,'cite')]")
    assert page.xpath("//th[@scope='col']")


async def test_nothing_of_a_hostile_report_comes_alive_and_its_words_are_there(hostile: Report) -> None:
    assert_nothing_is_alive(hostile)
    shown = page_of(hostile).xpath("//main")[0].text_content()
    for words in _INERT:
        assert words in shown


async def test_a_report_gives_the_same_bytes_each_time(english: Report) -> None:
    assert html(english) == html(english)


@pytest.mark.parametrize("markdown", ["", "# Only a title\n"])
def test_an_empty_report_and_one_of_a_title_alone_are_pages(markdown: str) -> None:
    report = Report(title="", markdown=markdown, draft=markdown, surroundings=Surroundings(run=RunId("k3f9q2m8xz")))
    assert page_of(report).xpath("//h1")[0].text == ("Only a title" if markdown else "k3f9q2m8xz")


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.one_of(st.text(max_size=20), st.sampled_from(_PIECES)), max_size=30).map("".join), st.text(max_size=30)
)
def test_whatever_is_in_a_report_its_page_asks_nothing_and_runs_nothing(text: str, title: str) -> None:
    around = Surroundings(run=RunId("k3f9q2m8xz"))
    assert_nothing_is_alive(Report(title=title, markdown=text, draft=text, surroundings=around))
