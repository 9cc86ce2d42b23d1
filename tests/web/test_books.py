import pytest

from moot.web.faults import Unreadable
from moot.web.readable import readable
from tests.web.packed import packed

CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/b.opf"/>'
    "</rootfiles></container>"
)
PACKAGE = (
    '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>水库'
    "</dc:title><dc:creator>Ann Lee</dc:creator><dc:language>zh</dc:language><dc:date>2023-04-05T00:00Z</dc:date>"
    "<dc:identifier>urn:isbn:978-0-306-40615-7</dc:identifier></metadata><manifest>"
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    '<item id="a" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/>'
    '<item id="c" href="../../etc/passwd" media-type="application/xhtml+xml"/></manifest>'
    '<spine><itemref idref="b"/><itemref idref="a"/><itemref idref="c"/><itemref idref="?"/></spine></package>'
)
NAV = (
    '<html><body><nav><ol><li><a href="text/two.xhtml">Chapter 1</a><li><a href="text/one%20a.xhtml#x">Chapter 2</a>'
    "</ol></nav>"
)
PAGE = (
    '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>{}'
    "</body></html>"
)
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "OPS/b.opf": PACKAGE,
    "OPS/nav.xhtml": NAV,
    "OPS/text/one a.xhtml": PAGE.format("<h2>Own name</h2><p>Later words.</p>"),
    "OPS/text/two.xhtml": PAGE.format(
        "<p>蓄水量为四亿吨。</p><p hidden>SECRET</p><table><tr><th>a<th>b</tr><tr><td>1<td>2</tr></table>"
    ),
}


def test_chapters_come_in_the_order_of_reading_each_under_its_name() -> None:
    made = readable(packed(BOOK), name="b.epub")
    assert made.text == (
        "# Chapter 1\n\n蓄水量为四亿吨。\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## Own name\n\nLater words.\n"
    )
    assert (made.title, made.authors, made.language, made.published) == ("水库", ("Ann Lee",), "zh", "2023-04-05")
    assert made.declared == ("isbn:9780306406157",)
    assert made.notes == ("chapter_missing: ../etc/passwd",)


def test_an_older_table_of_contents_names_chapters_too() -> None:
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>第一章</text></navLabel>'
        '<content src="text/two.xhtml"/></navPoint></navMap></ncx>'
    )
    package = PACKAGE.replace(
        '"nav.xhtml" media-type="application/xhtml+xml" properties="nav"',
        '"t.ncx" media-type="application/x-dtbncx+xml"',
    )
    made = readable(packed({**BOOK, "OPS/t.ncx": ncx, "OPS/b.opf": package}), name="b.epub")
    assert made.text.startswith("# 第一章\n\n蓄水量为四亿吨。")


LOCK = (
    '<encryption><EncryptedData><CipherData><CipherReference URI="OPS/{}"/></CipherData></EncryptedData></encryption>'
)


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"META-INF/encryption.xml": LOCK.format("text/two.xhtml")}, "encrypted"),
        ({"META-INF/container.xml": "<container/>"}, "broken"),
        ({"OPS/b.opf": "<!DOCTYPE p [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><package>&x;</package>"}, "broken"),
        ({"OPS/b.opf": "<package/>"}, "empty"),
    ],
)
def test_a_book_that_cannot_be_read_says_why(members: dict[str, str], code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        readable(packed({**BOOK, **members}), name="b.epub")
    assert caught.value.code == code


def test_a_book_whose_fonts_alone_are_locked_is_read() -> None:
    assert readable(packed({**BOOK, "META-INF/encryption.xml": LOCK.format("font.otf")}), name="b.epub").text


def test_entities_of_a_chapter_open_no_file() -> None:
    page = "<!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><html><body><p>Words &x; go on.</p></body></html>"
    made = readable(packed({**BOOK, "OPS/text/two.xhtml": page}), name="b.epub")
    assert "root:" not in made.text
