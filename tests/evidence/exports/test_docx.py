"""A report as a Word document, read back."""

import io
import zipfile
from typing import Any

import docx as reader
import pytest
from docx.oxml.ns import qn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from moot.evidence.exports.docx import docx
from moot.values.report import Report, Surroundings
from moot.values.value import RunId

_INERT = ("<script>alert(1)</script>", 'onerror="alert(2)"', "</style><style>", "👩‍👩‍👧", "&amp;", "e\u0301\u0323")


def opened(report: Report) -> Any:
    return reader.Document(io.BytesIO(docx(report)))


def text_of(file: Any) -> str:
    return "".join(node.text or "" for node in file.element.body.iter(qn("w:t")))


def anchors(file: Any) -> dict[str, str]:
    """Bookmark → the text of the paragraph it stands in."""
    marks = file.element.body.iter(qn("w:bookmarkStart"))
    return {m.get(qn("w:name")): "".join(t.text or "" for t in m.getparent().iter(qn("w:t"))) for m in marks}


async def test_each_citation_leads_to_its_exact_passage(report: Report) -> None:
    file = opened(report)
    places = anchors(file)
    cites = [link for link in file.element.body.iter(qn("w:hyperlink")) if link.get(qn("w:anchor"))]
    assert ["".join(t.text for t in link.iter(qn("w:t"))) for link in cites] == [
        report.markdown[r.start : r.end] for r in report.references
    ]
    words = {quote.citation: quote.words for quote in report.quotes}
    for link, reference in zip(cites, report.references, strict=True):
        assert words[reference.citations[0]] in places[link.get(qn("w:anchor"))]


async def test_headings_lists_tables_and_links_are_words_own(english: Report) -> None:
    file = opened(english)
    styles = [(p.style.name, p.text) for p in file.paragraphs]
    assert ("Title", "Two towers") in styles
    assert [text for style, text in styles if style == "Heading 1"] == [
        "Short answer", "Findings", "Gaps", "Coverage", "Sources",
    ]  # fmt: skip
    assert [[cell.text for cell in row.cells] for row in file.tables[0].rows] == [
        ["tower", "height"],
        ["Burj Khalifa", "828 m [1]"],
    ]
    assert ("List Bullet 2", "nested item") in styles
    assert any(text.startswith("1. Bold and code [1], and math $a_1 * b_2 * c$.") for _, text in styles)
    links = [rel.target_ref for rel in file.part.rels.values() if rel.is_external]
    assert "https://www.example.org/eiffel_tower" in links


async def test_chinese_letters_have_a_chinese_font_in_every_style(chinese: Report) -> None:
    file = opened(chinese)
    fonts = [fonts.get(qn("w:eastAsia")) for fonts in file.styles.element.iter(qn("w:rFonts"))]
    assert fonts
    assert set(fonts) == {"Microsoft YaHei"}
    assert not [name for fonts in file.styles.element.iter(qn("w:rFonts")) for name in fonts.attrib if "Theme" in name]
    assert "水库蓄水量为四亿立方米。" in text_of(file)
    assert file.core_properties.language == "zh-CN"


async def test_hebrew_stands_from_right_to_left(english: Report) -> None:
    (line,) = [p for p in opened(english).paragraphs if p.text.startswith("שלום")]
    assert line._p.pPr.find(qn("w:bidi")) is not None


async def test_a_hostile_report_is_words(hostile: Report) -> None:
    text = text_of(opened(hostile))
    for words in _INERT:
        assert words in text


async def test_the_same_report_gives_the_same_document(english: Report) -> None:
    def parts(body: bytes) -> dict[str, bytes]:
        file = zipfile.ZipFile(io.BytesIO(body))
        return {name: file.read(name) for name in file.namelist()}

    assert parts(docx(english)) == parts(docx(english))


@pytest.mark.parametrize("markdown", ["", "# Only a title\n"])
def test_an_empty_report_and_one_of_a_title_alone_are_documents(markdown: str) -> None:
    report = Report(title="", markdown=markdown, draft=markdown, surroundings=Surroundings(run=RunId("k3f9q2m8xz")))
    assert text_of(opened(report)) == ("Only a title" if markdown else "k3f9q2m8xz")


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(st.characters(), max_size=120))
def test_whatever_is_in_a_report_its_document_opens_and_holds_it(text: str) -> None:
    around = Surroundings(run=RunId("k3f9q2m8xz"))
    report = Report(title=text, markdown="Words: " + text, draft=text, surroundings=around)
    body = docx(report)
    for name in (archive := zipfile.ZipFile(io.BytesIO(body))).namelist():
        if name.endswith(".xml"):
            etree.fromstring(archive.read(name))
    kept = {sign for sign in " ".join(text.split()) if sign.isalnum()}
    assert kept <= set(text_of(reader.Document(io.BytesIO(body))))
