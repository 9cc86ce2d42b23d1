import io
from collections.abc import Callable
from typing import Any

import pptx
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from moot.web.prepared import prepare
from moot.web.readable import Readable, readable
from tests.web.packed import changed

Draw = Callable[[Any], object]  # python-pptx has no types
TITLE_AND_TEXT, TITLE_ONLY = 1, 5


def slides(*draws: Draw, layout: int = TITLE_ONLY) -> bytes:
    """A presentation with a slide for each of these."""
    made = pptx.Presentation()
    for number, draw in enumerate(draws, 1):
        slide = made.slides.add_slide(made.slide_layouts[layout])
        slide.shapes.title.text = f"Slide {number}"
        draw(slide)
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def read(*draws: Draw, layout: int = TITLE_ONLY) -> Readable:
    return readable(slides(*draws, layout=layout), name="a.pptx")


def box(text: str, *, left: float, top: float) -> Draw:
    def draw(slide: Any) -> None:
        slide.shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(1)).text_frame.text = text

    return draw


def test_each_slide_is_a_page_with_its_title_points_and_notes() -> None:
    def points(slide: Any) -> None:
        frame = slide.placeholders[1].text_frame
        frame.text = "蓄水量四亿吨"
        line = frame.add_paragraph()
        line.text, line.level = "In May", 1
        slide.notes_slide.notes_text_frame.text = "Say it slowly."

    made = read(points, points, layout=TITLE_AND_TEXT)
    one = "## Slide {}\n\n- 蓄水量四亿吨\n  - In May\n\nNotes: Say it slowly.\n\n"
    assert made.text == one.format(1) + one.format(2)
    assert made.pages == ((1, 0), (2, len(one.format(1))))
    assert (made.title, made.kind) == ("Slide 1", "pptx")


def test_text_comes_from_top_to_bottom_and_from_left_to_right() -> None:
    def draw(slide: Any) -> None:
        for text, left, top in (("d", 5, 4), ("b", 5, 2.05), ("c", 1, 4), ("a", 1, 2.1)):
            box(text, left=left, top=top)(slide)

    assert read(draw).text.split()[3:] == ["a", "b", "c", "d"]


def test_tables_and_charts_are_tables() -> None:
    def draw(slide: Any) -> None:
        table = slide.shapes.add_table(3, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
        for at, text in enumerate(("Dam", "n", "North", "1", "", "2 | 3")):
            table.cell(at // 2, at % 2).text = text
        table.cell(1, 0).merge(table.cell(2, 0))
        data = CategoryChartData()  # type: ignore[no-untyped-call]  # python-pptx has no types
        data.categories = ["2023", "2024"]
        data.add_series("Rain", (1.5, None))  # type: ignore[no-untyped-call]  # the same
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(3), data)

    made = read(draw)
    assert "| Dam | n |\n| --- | --- |\n| North | 1 |\n| North | 2 \\| 3 |" in made.text
    assert "|  | Rain |\n| --- | --- |\n| 2023 | 1.5 |\n| 2024 |  |" in made.text


def test_hidden_slides_are_left_out_and_named() -> None:
    def hide(slide: Any) -> None:
        slide._element.set("show", "0")

    made = read(box("Seen", left=1, top=2), hide, box("Last", left=1, top=2))
    assert "Slide 2" not in made.text
    assert [page for page, _ in made.pages] == [1, 3]
    assert made.notes == ("hidden_slides: 1 left out: 2",)


def test_media_and_embedded_files_are_never_opened() -> None:
    body = changed(
        slides(box("Words", left=1, top=2)), {"ppt/media/film.mp4": b"x" * 900_000, "ppt/embeddings/a.xlsx": b"?"}
    )
    assert "Words" in readable(body, name="a.pptx").text


def test_passages_know_their_slide() -> None:
    made = prepare(slides(box("One", left=1, top=2), box("Two", left=1, top=2)), name="a.pptx")
    assert [(passage.heading, passage.page) for passage in made.passages] == [("Slide 1", 1), ("Slide 2", 2)]
