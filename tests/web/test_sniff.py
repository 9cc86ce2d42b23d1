import io
import zipfile

import pytest

from moot.web.sniff import separator, sniff

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def zipped(*names: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return made.getvalue()


@pytest.mark.parametrize(
    ("body", "name", "kind"),
    [
        (b"%PDF-1.7\n...", "report.html", "pdf"),
        (b"\n\njunk %PDF-1.4", "", "pdf"),
        (b"x" * 2_000 + b"%PDF-1.4", "", "text"),
        (zipped("word/document.xml"), "a.md", "docx"),
        (zipped("xl/workbook.xml"), "a.txt", "xlsx"),
        (zipped("ppt/presentation.xml"), "", "pptx"),
        (zipped("content.xml"), "", "odf"),
        (zipped("anything.md"), "bomb.md", "zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old.doc", "old_office"),
        (b"{\\rtf1 hello}", "a.txt", "rtf"),
        (PNG, "photo.txt", "image"),
        (b"\xff\xd8\xff\xe0", "a.html", "image"),
        (b"GIF89a....", "", "image"),
        (b"RIFF\x00\x00\x00\x00WEBP", "", "image"),
        (b"RIFF\x00\x00\x00\x00WAVE", "", "binary"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"></svg>', "a.html", "image"),
        (b"\x1f\x8b\x08\x00", "a.txt", "binary"),
        (b"\x7fELF\x02\x01", "a.txt", "binary"),
        (b"MZ\x90\x00\x03", "a.txt", "binary"),
        (b"MZ is short for a name", "a.txt", "text"),
        (b"text with a \x00 in it", "a.txt", "binary"),
        (bytes(range(1, 32)) * 10 + b"abc", "a.txt", "binary"),
        (b"<!DOCTYPE html><title>x</title>", "", "html"),
        (b"  <html lang=en>", "page", "html"),
        (b"Hello <p>one</p> <b>two</b>", "", "html"),
        (b"<p>tags in a text file</p><p>stay text</p><br>", "a.txt", "text"),
        (b"# Title\n\n<p>html in markdown</p><br><b>x</b>", "a.md", "markdown"),
        (b'<?xml version="1.0"?><rss><channel/></rss>', "", "feed"),
        (b'<feed xmlns="http://www.w3.org/2005/Atom"/>', "", "feed"),
        (b'<?xml version="1.0"?><parts/>', "", "xml"),
        (zipped("META-INF/container.xml"), "", "epub"),
        (b'{"a": 1}', "a.json", "json"),
        (b"[1, 2]", "", "json"),
        (b"[not json, but a text]", "notes.txt", "text"),
        (b"a,b,c\n1,2,3\n4,5,6\n", "", "csv"),
        (b"a;b\n", "a.csv", "csv"),
        (b"# One\n\n- two\n- three\n", "", "markdown"),
        (b"Title\n=====\n\nPart\n----\n\ntext\n", "", "rst"),
        (b"def f():\n    return 1\n", "a.py", "code"),
        ("水库蓄水量为四亿吨。".encode(), "", "text"),
        ("plain words, wide".encode("utf-16-le"), "", "text"),
        (b"", "", "text"),
    ],
)
def test_bytes_are_told_by_what_they_are_and_only_then_by_their_name(body: bytes, name: str, kind: str) -> None:
    assert sniff(body, name=name) == kind


def test_a_header_that_lies_changes_nothing() -> None:
    assert sniff(PNG, content_type="text/html") == "image"
    assert sniff(b"%PDF-1.4", content_type="text/html") == "pdf"


@pytest.mark.parametrize(
    ("head", "mark"),
    [("a\tb\tc\n" * 4, "\t"), ("a;b;c\nd;e;f\ng;h;i\n", ";"), ("one, two\nthree\nfour, five\n", ""), ("a,b\n" * 3, "")],
)
def test_a_separator_needs_three_lines_with_the_same_two_or_more(head: str, mark: str) -> None:
    assert separator(head) == mark
