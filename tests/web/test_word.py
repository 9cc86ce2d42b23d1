import io
from collections.abc import Callable
from typing import Any

import docx
import pytest

from moot.web.faults import Unreadable
from moot.web.readable import Readable, readable
from tests.web.packed import changed, members_of, packed

Write = Callable[[Any], object]  # python-docx's types are its own affair

FOOTNOTES = (
    '<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:footnote w:id="2"><w:p>'
    "<w:r><w:t>Measured in May.</w:t></w:r></w:p></w:footnote></w:footnotes>"
)


def word(*writes: Write) -> bytes:
    """A Word file, written by these steps."""
    document = docx.Document()
    for write in writes:
        write(document)
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def read(*writes: Write) -> Readable:
    return readable(word(*writes), name="a.docx")


def table(*rows: tuple[str, ...]) -> Write:
    def write(document: Any) -> None:
        made = document.add_table(rows=len(rows), cols=len(rows[0]))
        for down, row in enumerate(rows):
            for right, text in enumerate(row):
                made.cell(down, right).text = text

    return write


def test_headings_paragraphs_and_lists_become_markdown() -> None:
    made = read(
        lambda d: d.add_heading("The dam", 1),
        lambda d: d.add_paragraph("It holds 400 million tonnes."),
        lambda d: d.add_heading("水库", 2),
        lambda d: d.add_paragraph("蓄水量为四亿吨。"),
        lambda d: d.add_paragraph("First", style="List Bullet"),
        lambda d: d.add_paragraph("Second", style="List Bullet"),
    )
    assert made.text == (
        "# The dam\n\nIt holds 400 million tonnes.\n\n## 水库\n\n蓄水量为四亿吨。\n\n- First\n- Second\n"
    )
    assert (made.title, made.kind, made.extractor.split()[0]) == ("The dam", "docx", "mammoth")


def test_a_table_has_its_first_row_as_header_and_its_merged_cells_filled() -> None:
    def merge(document: Any) -> None:
        document.tables[0].cell(1, 0).merge(document.tables[0].cell(2, 0))

    made = read(table(("Dam", "Name"), ("North", "a | b"), ("", "c")), merge)
    assert made.text == "| Dam | Name |\n| --- | --- |\n| North | a \\| b |\n| North | c |\n"


def test_what_the_file_says_of_itself_is_kept() -> None:
    def say(document: Any) -> None:
        told = document.core_properties
        told.title, told.author = "Water report", "Ann Lee; Bo Chen"

    made = read(say, lambda d: d.add_paragraph("Words."))
    assert (made.title, made.authors) == ("Water report", ("Ann Lee", "Bo Chen"))


def test_text_that_word_does_not_show_is_dropped_and_counted() -> None:
    def hide(document: Any) -> None:
        paragraph = document.add_paragraph("Seen. ")
        paragraph.add_run("IGNORE ALL").font.hidden = True

    made = read(hide)
    assert made.text == "Seen.\n"
    assert made.notes == ("hidden_text: 1 runs",)


def test_a_footnote_stands_at_the_end_under_its_number() -> None:
    body = word(lambda d: d.add_paragraph("It holds water."))
    document = members_of(body)["word/document.xml"]
    assert isinstance(document, bytes)
    document = document.replace(b"water.</w:t></w:r>", b'water.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>')
    made = readable(changed(body, {"word/document.xml": document, "word/footnotes.xml": FOOTNOTES}), name="a.docx")
    assert made.text == "It holds water.[1]\n\n[1] Measured in May.\n"


def test_macros_are_left_alone_and_said() -> None:
    body = changed(word(lambda d: d.add_paragraph("Words.")), {"word/vbaProject.bin": b"\0" * 2_000})
    assert readable(body, name="a.docm").notes == ("macros: left alone",)


def test_a_picture_is_read_by_its_words_and_one_from_elsewhere_is_not_fetched() -> None:
    body = word(lambda d: d.add_paragraph("Before."))
    document = members_of(body)["word/document.xml"]
    assert isinstance(document, bytes)
    drawing = (
        b'<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        b'<wp:docPr id="1" name="p" descr="A dam from above"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/'
        b'drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/'
        b'picture"><pic:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
        b'r:link="rId99"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
    )
    links = members_of(body)["word/_rels/document.xml.rels"]
    assert isinstance(links, bytes)
    link = (
        b'<Relationship Id="rId99" TargetMode="External" Target="file:///etc/passwd" '
        b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"/></Relationships>'
    )
    body = changed(body, {
        "word/document.xml": document.replace(b"Before.</w:t></w:r>", b"Before.</w:t></w:r>" + drawing),
        "word/_rels/document.xml.rels": links.replace(b"</Relationships>", link),
    })  # fmt: skip
    assert readable(body, name="a.docx").text == "Before. A dam from above\n"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"word/other.xml": "<a/>"}, "broken"),
        ({"word/document.xml": "no xml"}, "broken"),
        ({"word/document.xml": "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>"}, "broken"),
        ({"word/document.xml": "<w>" * 5_000 + "</w>" * 5_000}, "broken"),
    ],
)
def test_a_file_that_is_none_says_so(members: dict[str, str], code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        readable(packed(members), name="a.docx")
    assert caught.value.code == code


def test_a_locked_office_file_is_told_from_an_old_one() -> None:
    for inside, code in (("EncryptedPackage", "encrypted"), ("WordDocument", "old_office")):
        with pytest.raises(Unreadable) as caught:
            readable(b"\xd0\xcf\x11\xe0" + b"\0" * 600 + inside.encode("utf-16-le"), name="a.docx")
        assert caught.value.code == code
