"""The text layer of a PDF, page by page: without running heads, each page laid out by layout.py."""

import importlib
import re
import threading
import unicodedata
from typing import Protocol

from moot.text.scripts import CJK_SET
from moot.web.declared import declared_by_pdf
from moot.web.faults import Unreadable
from moot.web.layout import Piece, laid_out, without_running_lines
from moot.web.readable import Given, Readable

MAX_PAGES = 2_000
_LOCK = threading.Lock()
"""PDFium is not made for threads."""
_HAN_BLANK = re.compile(rf"(?<=[{CJK_SET}，。、；：？！）」』”]) +(?=[{CJK_SET}，。、；：？！（「『“])")
_DAY = re.compile(r"D?:?(\d{4})(\d{2})(\d{2})")


class _Text(Protocol):
    """PDFium's text of a page."""

    def count_rects(self) -> int: ...
    def get_rect(self, index: int) -> tuple[float, float, float, float]: ...
    def get_text_bounded(self, *, left: float, bottom: float, right: float, top: float) -> str: ...
    def close(self) -> None: ...


def read_pdf(given: Given) -> Readable:
    """The pages' text as Markdown, with where each begins. Raises Unreadable(encrypted, no_text_layer, too_large)."""
    pdfium = importlib.import_module("pypdfium2")
    with _LOCK:
        try:
            document = pdfium.PdfDocument(given.body)
        except pdfium.PdfiumError as fault:
            if "password" in str(fault).lower() or "encrypt" in str(fault).lower():
                raise Unreadable("encrypted", "it can be opened with a password only") from fault
            raise Unreadable("broken", f"no PDF that can be opened: {fault}") from fault
        try:
            if len(document) > MAX_PAGES:
                raise Unreadable("too_large", f"{len(document)} pages, at most {MAX_PAGES}")
            pages = [_page(document, number) for number in range(len(document))]
            about = {name: str(value) for name, value in document.get_metadata_dict().items()}
        finally:
            document.close()
    _check("".join(piece.text for page in pages for piece in page))
    written = [_tidy(laid_out(page)) for page in without_running_lines(pages)]
    text = ""
    starts: list[tuple[int, int]] = []
    for number, page in enumerate(written, 1):
        if page.strip():
            starts.append((number, len(text)))
            text += page.strip() + "\n\n"
    made = _DAY.match(about.get("CreationDate", ""))
    author = about.get("Author", "").strip()
    return Readable(
        text, "pdf", _title(about.get("Title", ""), text) or given.name, f"pypdfium2 {pdfium.version.PYPDFIUM_INFO}",
        published="-".join(made.groups()) if made else "", authors=(author,) if author else (), pages=tuple(starts),
        declared=declared_by_pdf(about, given.body),
    )  # fmt: skip


def _page(document: "object", number: int) -> list[Piece]:
    page = document[number]  # type: ignore[index]  # pypdfium2 has no types
    text: _Text = page.get_textpage()
    try:
        pieces = []
        for at in range(text.count_rects()):
            left, bottom, right, top = text.get_rect(at)
            words = text.get_text_bounded(left=left, bottom=bottom, right=right, top=top)
            words = " ".join(words.replace("\ufffe", "\u00ad").replace("\x02", "\u00ad").split())
            if words:
                pieces.append(Piece(left, bottom, right, top, words))
        return pieces
    finally:
        text.close()
        page.close()


def _tidy(text: str) -> str:
    text = unicodedata.normalize("NFC", text)
    return _HAN_BLANK.sub("", "".join(char for char in text if char >= " " or char == "\n"))


def _check(whole: str) -> None:
    """Raises Unreadable when the text layer is missing or made of signs that mean nothing."""
    solid = [char for char in whole if not char.isspace()]
    odd = sum(1 for char in solid if char in "\ufffd\x00" or "\ue000" <= char <= "\uf8ff")
    if not solid:
        raise Unreadable("no_text_layer", "its pages are pictures; there is no text in it")
    if odd > 0.2 * len(solid):
        raise Unreadable("no_text_layer", "its text is in a private code; no character of it can be told")


def _title(told: str, text: str) -> str:
    """The title it gives itself, unless that is a file's name; else its first line."""
    told = " ".join(told.split())
    if told and not re.search(r"\.(?:docx?|pdf|tex|indd|dvi|pptx?|xlsx?)$|^(?:untitled|microsoft word)", told, re.I):
        return told[:300]
    first = next((line.strip(" #|") for line in text.split("\n") if line.strip(" #|")), "")
    return first if len(first) <= 150 else ""
