"""Slides (.pptx) as Markdown, page by page: title, text in reading order, tables, charts' figures, notes."""

from collections.abc import Iterable, Iterator
from typing import Protocol

from moot.web.archive import ARCHIVE_FAULTS, Archive
from moot.web.faults import Unreadable
from moot.web.office import extractor, office
from moot.web.readable import Given, Readable
from moot.web.tables import cell_of, table_of

MAX_SLIDES = 2_000
_LINE = 300_000
"""Shapes whose tops differ by less (a third of an inch, in EMU) stand beside each other."""
_DEEPEST = 8


class _Paragraph(Protocol):
    level: int
    text: str


class _Frame(Protocol):
    text: str
    paragraphs: Iterable[_Paragraph]


class _Cell(Protocol):
    text: str
    is_spanned: bool
    is_merge_origin: bool
    span_height: int
    span_width: int


class _Shape(Protocol):
    """A shape as python-pptx hands it over; which of these it has, its `has_…` say."""

    top: int | None
    left: int | None
    has_text_frame: bool
    has_table: bool
    has_chart: bool
    is_placeholder: bool
    text_frame: _Frame
    shape_id: int


def read_pptx(given: Given) -> Readable:
    """The slides' text, each a page. Raises Unreadable(extra_missing, encrypted, too_large, broken)."""
    pptx = office("pptx", "pptx")
    faults = (*ARCHIVE_FAULTS, office("pptx.exc", "pptx").PythonPptxError)
    archive = Archive(given.body, kind="pptx")
    archive.read("ppt/presentation.xml")
    text, starts, hidden = "", [], []
    try:
        slides = list(pptx.Presentation(archive.xml_only({})).slides)
        if len(slides) > MAX_SLIDES:
            raise Unreadable("too_large", f"{len(slides)} slides, at most {MAX_SLIDES}")
        for number, slide in enumerate(slides, 1):
            if slide._element.get("show") in ("0", "false"):
                hidden.append(number)
            elif written := "\n\n".join(_slide(slide)):
                starts.append((number, len(text)))
                text += written + "\n\n"
    except faults as fault:
        raise Unreadable("broken", f"the pptx reader failed: {type(fault).__name__}: {str(fault)[:100]}") from fault
    notes = [f"hidden_slides: {len(hidden)} left out: {', '.join(map(str, hidden))[:200]}"] if hidden else []
    if any(name.endswith("vbaProject.bin") for name in archive.names):
        notes.append("macros: left alone")
    about = archive.about()
    title = about.title if about.title not in ("", "PowerPoint Presentation", "PowerPoint 演示文稿") else ""
    return Readable(
        text, "pptx", title or text.partition("\n")[0].lstrip("# ").strip()[:300] or given.name,
        extractor("python-pptx"), published=about.published, authors=about.authors, pages=tuple(starts),
        notes=tuple(notes),
    )  # fmt: skip


def _slide(slide: object) -> Iterator[str]:
    shapes = slide.shapes  # type: ignore[attr-defined]  # python-pptx has no types
    title = shapes.title
    if title is not None and title.text_frame.text.strip():
        yield "## " + " ".join(title.text_frame.text.split())
    for shape in _in_order(shapes, 0):
        if title is None or shape.shape_id != title.shape_id:
            yield from filter(None, (_shape(shape),))
    if slide.has_notes_slide:  # type: ignore[attr-defined]  # the same
        frame = slide.notes_slide.notes_text_frame  # type: ignore[attr-defined]  # the same
        if frame is not None and frame.text.strip():
            yield f"Notes: {' '.join(frame.text.split())}"


def _in_order(shapes: Iterable[_Shape], deep: int) -> Iterator[_Shape]:
    """From top to bottom, and from left to right; a group's shapes together."""
    for shape in sorted(shapes, key=lambda shape: ((shape.top or 0) // _LINE, shape.left or 0)):
        inner = getattr(shape, "shapes", None)
        if inner is not None and deep < _DEEPEST:
            yield from _in_order(inner, deep + 1)
        else:
            yield shape


def _shape(shape: _Shape) -> str:
    if getattr(shape, "has_table", False):
        return table_of(_cells(shape.table))  # type: ignore[attr-defined]  # python-pptx has no types
    if getattr(shape, "has_chart", False):
        return _chart(shape.chart)  # type: ignore[attr-defined]  # the same
    if not shape.has_text_frame:
        return ""
    lines = [(line.level, " ".join(line.text.split())) for line in shape.text_frame.paragraphs if line.text.strip()]
    if len(lines) > 1 and shape.is_placeholder:
        return "\n".join(f"{'  ' * level}- {line}" for level, line in lines)
    return "\n\n".join(line for _, line in lines)


def _cells(table: object) -> list[list[str]]:
    """A table's texts; a merged cell's stands in each of its places."""
    cells: list[list[_Cell]] = [list(row.cells) for row in table.rows]  # type: ignore[attr-defined]  # the same
    grid = [[cell_of(cell.text) for cell in row] for row in cells]
    for down, row in enumerate(cells):
        for right, cell in enumerate(row):
            if cell.is_merge_origin:
                _spread(grid, down, right, cell=cell)
    return grid


def _spread(grid: list[list[str]], down: int, right: int, *, cell: _Cell) -> None:
    for row in grid[down : down + cell.span_height]:
        row[right : right + cell.span_width] = [grid[down][right]] * len(row[right : right + cell.span_width])


def _chart(chart: object) -> str:
    """The figures that a chart draws, as a table: its categories by its series."""
    plot = next(iter(chart.plots), None)  # type: ignore[attr-defined]  # the same
    if plot is None or not list(plot.categories):
        return ""
    titled = chart.has_title and chart.chart_title.has_text_frame  # type: ignore[attr-defined]  # the same
    title = " ".join(chart.chart_title.text_frame.text.split()) if titled else ""  # type: ignore[attr-defined]  # the same
    series = list(plot.series)
    rows = [[""] + [cell_of(str(one.name or "")) for one in series]]
    for at, category in enumerate(plot.categories):
        values = [one.values[at] if at < len(one.values) else None for one in series]
        rows.append([cell_of(str(category)), *("" if value is None else f"{value:.15g}" for value in values)])
    return f"{title}\n\n{table_of(rows)}" if title else table_of(rows)
