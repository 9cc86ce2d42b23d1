import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.lib import pdfencrypt
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen import canvas

from moot.web.faults import Unreadable
from moot.web.readable import Readable, readable

Draw = Callable[[Any, int], None]  # reportlab has no types


def pdf(draw: Draw, *, pages: int = 1, **given: object) -> bytes:
    made = io.BytesIO()
    sheet = canvas.Canvas(made, pagesize=A4, invariant=1, **given)
    for number in range(1, pages + 1):
        draw(sheet, number)
        sheet.showPage()
    sheet.save()
    return made.getvalue()


def read(draw: Draw, *, pages: int = 1) -> Readable:
    return readable(pdf(draw, pages=pages), name="report.pdf")


def lines(*texts: str, at: int = 780, left: int = 72) -> Draw:
    def draw(sheet: Any, number: int) -> None:
        sheet.setFont("Helvetica", 11)
        for step, text in enumerate(texts):
            sheet.drawString(left, at - 14 * step, text)

    return draw


def test_a_paragraph_is_one_line_and_a_parted_word_is_whole() -> None:
    made = read(lines("It was counted in the year 2020 by the statis-", "tics office, and told in the year-", "book."))
    assert made.text == "It was counted in the year 2020 by the statistics office, and told in the yearbook.\n\n"


def test_pages_are_known_by_their_beginnings() -> None:
    def draw(sheet: Any, number: int) -> None:
        lines(f"Page {number} tells about dam {'abc'[number - 1]}.")(sheet, number)

    made = read(draw, pages=3)
    assert [number for number, _ in made.pages] == [1, 2, 3]
    assert [made.text[start : start + 6] for _, start in made.pages] == ["Page 1", "Page 2", "Page 3"]


def test_two_columns_are_read_one_after_the_other() -> None:
    def draw(sheet: Any, number: int) -> None:
        sheet.setFont("Helvetica", 10)
        for step in range(20):
            sheet.drawString(60, 760 - 14 * step, f"left {step} tells of the old dam in the north")
            sheet.drawString(320, 760 - 14 * step, f"right {step} tells of the new dam in the south")

    made = read(draw)
    assert made.text.index("left 19") < made.text.index("right 0")


def test_three_lined_up_columns_are_a_table() -> None:
    def draw(sheet: Any, number: int) -> None:
        lines("The table shows the population of three cities in millions, as it was counted.")(sheet, number)
        for step, row in enumerate(
            [("City", "Year", "Million"), ("Shanghai", "2020", "24.9"), ("Tokyo", "2020", "14.0")]
        ):
            for column, cell in enumerate(row):
                sheet.drawString(72 + 120 * column, 740 - 16 * step, cell)

    assert (
        "| City | Year | Million |\n| --- | --- | --- |\n| Shanghai | 2020 | 24.9 |\n| Tokyo | 2020 | 14.0 |"
        in read(draw).text
    )


def test_heads_and_feet_that_run_through_all_pages_are_dropped() -> None:
    def draw(sheet: Any, number: int) -> None:
        lines("Yearbook of Dams")(sheet, number)
        lines(f"Chapter {'abcdef'[number]} speaks of something else entirely.", at=700)(sheet, number)
        lines(f"Page {number} of 5", at=40)(sheet, number)

    made = read(draw, pages=5)
    assert "Yearbook" not in made.text
    assert "of 5" not in made.text
    assert made.text.count("speaks of something else") == 5


def test_blanks_between_han_go_and_those_beside_digits_stay() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def draw(sheet: Any, number: int) -> None:
        sheet.setFont("STSong-Light", 12)
        sheet.drawString(72, 780, "据最新 报告，水库 蓄水量为 四亿 吨，比 2020 年增加 12 万吨。")

    assert read(draw).text == "据最新报告，水库蓄水量为四亿吨，比 2020 年增加 12 万吨。\n\n"


def test_a_title_is_told_by_the_document_or_its_first_line() -> None:
    def draw(sheet: Any, number: int) -> None:
        sheet.setTitle("draft-7.docx" if number else "")
        lines("On the dams of the north")(sheet, number)

    assert read(draw).title == "On the dams of the north"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (pdf(lines("x"), encrypt=pdfencrypt.StandardEncryption("secret")), "encrypted"),
        (pdf(lambda sheet, number: sheet.rect(10, 10, 100, 100)), "no_text_layer"),
        (b"%PDF-1.4 nonsense", "broken"),
        (pdf(lines("x"))[:300], "broken"),
    ],
    ids=["encrypted", "a picture", "nonsense", "cut off"],
)
def test_a_pdf_without_readable_text_says_why(body: bytes, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        readable(body, name="a.pdf")
    assert caught.value.code == code


def test_bytes_of_a_pdf_are_a_pdf_whatever_its_name_says() -> None:
    assert readable(pdf(lines("Some words stand here.")), name="doc.html", content_type="text/html").kind == "pdf"
