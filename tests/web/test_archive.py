import io
import struct
import sys
import zipfile
from collections.abc import Callable, Mapping

import pytest

from moot.web.archive import Archive
from moot.web.beside import Beside
from moot.web.faults import Unreadable
from moot.web.prepared import prepare
from moot.web.readable import readable
from tests.web.packed import changed, packed
from tests.web.test_books import BOOK
from tests.web.test_sheets import book, fill
from tests.web.test_slides import box, slides
from tests.web.test_word import word

XML = {"word/document.xml": "<a/>"}


def locked() -> bytes:
    """An archive whose members say that they are encrypted."""
    body = bytearray(packed(XML))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = body.index(sign) + at
        body[place : place + 2] = struct.pack("<H", 1)
    return bytes(body)


def lying() -> bytes:
    """A bomb whose directory says that it is small."""
    body = bytearray(packed({"word/document.xml": b"\0" * 3_000_000}))
    place = body.index(b"PK\x01\x02") + 24
    body[place : place + 4] = struct.pack("<I", 1_000)
    return bytes(body)


def odd_packing() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("word/document.xml", "<a/>")
    return made.getvalue()


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        (packed({"word/document.xml": b"\0" * 120_000_000}), "too_large", "packed more than 100 to 1"),
        (packed({f"word/{n}.xml": "" for n in range(2_001)}), "too_large", "2,001 members"),
        (packed({**XML, "../../etc/cron.d/x": "x"}), "broken", "named '../../etc/cron.d/x'"),
        (packed({**XML, "/etc/passwd": "x"}), "broken", "named '/etc/passwd'"),
        (packed({**XML, "C:\\x": "x"}), "broken", "named"),
        (locked(), "encrypted", "password"),
        (lying(), "broken", "broken"),
        (odd_packing(), "broken", "packed in a way"),
        (packed(XML)[:-30], "broken", "no docx file that can be opened"),
        (packed(XML)[:40] + b"\0" * 400 + packed(XML)[40:], "broken", ""),
    ],
    ids=["bomb", "many", "dots", "absolute", "drive", "locked", "lying", "lzma", "cut", "shifted"],
)
def test_an_archive_that_is_no_document_is_refused(body: bytes, code: str, words: str) -> None:
    with pytest.raises(Unreadable) as caught:
        readable(body, name="a.docx")
    assert caught.value.code == code
    assert words in caught.value.reason


def test_what_opens_to_too_much_in_all_is_refused_before_it_is_opened() -> None:
    members = {f"word/{n}.xml": bytes(range(256)) * 4_000 for n in range(200)}
    with pytest.raises(Unreadable, match="more than 200 MB"):
        Archive(packed(members), kind="docx")


def test_an_archive_in_an_archive_stays_shut() -> None:
    inner = packed({"zeros": b"\0" * 900_000})
    made = readable(packed({**BOOK, "OPS/inner.zip": inner}), name="b.epub")
    assert "Chapter 1" in made.text


MADE: Mapping[str, Callable[[], bytes]] = {
    "a.docx": lambda: word(lambda d: d.add_paragraph("Words.")),
    "a.xlsx": lambda: book(fill(("a", "b"), (1, 2))),
    "a.pptx": lambda: slides(box("Words", left=1, top=2)),
}


@pytest.mark.parametrize("name", MADE)
def test_a_missing_package_is_named_with_what_to_type(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body = MADE[name]()
    for package in ("mammoth", "openpyxl", "pptx"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Unreadable) as caught:
        readable(body, name=name)
    assert caught.value.code == "extra_missing"
    assert 'pip install "moot[office]"' in caught.value.reason
    assert "./moot --with office" in caught.value.reason


ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
PARTS = (
    ("a.docx", "word/styles.xml"), ("a.xlsx", "xl/styles.xml"), ("a.xlsx", "xl/worksheets/sheet1.xml"),
    ("a.pptx", "ppt/slides/slide1.xml"), ("a.pptx", "ppt/_rels/presentation.xml.rels"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "part"), PARTS)
@pytest.mark.parametrize(
    "xml",
    [ENTITY.encode(), ("\ufeff" + ENTITY).encode("utf-16-le"), f"<!--<a>{'x' * 300_000}-->{ENTITY}".encode()],
    ids=["plain", "wide", "behind a comment"],
)
def test_a_part_that_declares_entities_of_its_own_is_refused(name: str, part: str, xml: bytes) -> None:
    with pytest.raises(Unreadable, match="declares a document type"):
        readable(changed(MADE[name](), {part: xml}), name=name)


def test_a_process_beside_reads_all_of_them_alike() -> None:
    bodies = {**{name: make() for name, make in MADE.items()}, "b.epub": packed(BOOK)}
    reader = Beside()
    assert reader.is_ready()
    try:
        for name, body in bodies.items():
            assert reader.send(body, name=name)
            made = reader.take()
            assert made == prepare(body, name=name)
            assert made.passages
    finally:
        reader.close()
