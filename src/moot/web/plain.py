"""Kinds that are text already: plain, Markdown, reStructuredText, code, JSON and tables with separators."""

import csv
import io
import json
import re
from itertools import islice

from moot.web.charset import Decoded, decode
from moot.web.outline import outline
from moot.web.readable import Given, Readable
from moot.web.sniff import HEAD, separator

MAX_ROWS = 20_000
_FRONT = re.compile(r"\A---[ \t]*\n(.{1,8000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
_FIELD = re.compile(r"^(title|date|published|author|authors|lang|language)[ \t]*:[ \t]*(.+?)[ \t]*$", re.I | re.M)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.M)
_SETEXT = re.compile(r"^(\S.{0,200})\n(?:=+|-{3,})[ \t]*$", re.M)
_DAY = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_FENCE = re.compile(r"^ {0,3}(`{3,})", re.M)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')


def read_text(given: Given) -> Readable:
    """The text as it is. Its title is a short first line, else the file's name."""
    decoded = decode(given.body, header=given.charset)
    first = next((line.strip() for line in decoded.text.splitlines() if line.strip()), "")
    short = len(first) <= 100 and not first.endswith((".", "。", ",", "，", ";", "；"))
    return _made(given, decoded, decoded.text, title=first if short else "")


def read_markdown(given: Given) -> Readable:
    """The text as it is, without its front matter, of which title, date, authors and language are kept."""
    decoded = decode(given.body, header=given.charset)
    text = decoded.text
    fields: dict[str, str] = {}
    front = _FRONT.match(text)
    if front:
        fields = {name.lower(): value.strip("\"'") for name, value in _FIELD.findall(front[1])}
    if front and fields:
        text = text[front.end() :]
    heading = _HEADING.search(text[:20_000]) or _SETEXT.search(text[:20_000])
    day = _DAY.search(fields.get("published", "") or fields.get("date", ""))
    authors = re.split(r"\s*[,;]\s*", (fields.get("authors") or fields.get("author") or "").strip("[]"))
    made = _made(given, decoded, text, title=fields.get("title", "") or (heading[1] if heading else ""))
    return made._replace(
        published=day[1] if day else "",
        authors=tuple(author for author in authors if author),
        language=fields.get("language", "") or fields.get("lang", ""),
    )


def read_rst(given: Given) -> Readable:
    """reStructuredText with its headings, lists, tables and literal blocks as Markdown's."""
    decoded = decode(given.body, header=given.charset)
    text = outline(decoded.text)
    heading = _HEADING.search(text)
    return _made(given, decoded, text, title=heading[1] if heading else "")


def read_code(given: Given) -> Readable:
    """The source in one fence, so that its lines stay lines."""
    decoded = decode(given.body, header=given.charset)
    suffix = given.name.rpartition(".")[2].lower() if "." in given.name else ""
    return _made(given, decoded, _fenced(decoded.text, "xml" if given.kind == "xml" else suffix))


def read_json(given: Given) -> Readable:
    """JSON, indented, every number as it was written; what is no strict JSON is read as text."""
    decoded = decode(given.body, header=given.charset)
    try:
        json.loads(decoded.text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return read_text(given)._replace(kind="text")
    return _made(given, decoded, _fenced(_indented(decoded.text), "json"))


def read_csv(given: Given) -> Readable:
    """A Markdown table; the first row is its header. At most 20,000 rows."""
    decoded = decode(given.body, header=given.charset)
    first = decoded.text.partition("\n")[0]
    mark = separator(decoded.text[:HEAD]) or max(",;\t|", key=first.count)
    csv.field_size_limit(1_000_000)
    rows = csv.reader(io.StringIO(decoded.text), delimiter=mark)
    lines: list[str] = []
    width = 0
    for row in islice(rows, MAX_ROWS + 1):
        if not any(cell.strip() for cell in row):
            continue
        width = width or len(row)
        cells = [_cell(cell) for cell in row] + [""] * (width - len(row))
        lines.append("| " + " | ".join(cells) + " |")
        if len(lines) == 1:
            lines.append("|" + " --- |" * width)
    more = sum(1 for row in rows if row)
    notes = (f"rows_left_out: {more} beyond the first {MAX_ROWS}",) if more else ()
    made = _made(given, decoded, "\n".join(lines) + "\n")
    return made._replace(notes=made.notes + notes)


def _made(given: Given, decoded: Decoded, text: str, *, title: str = "") -> Readable:
    return Readable(text, given.kind, title.strip()[:200] or given.name, charset=decoded.charset, notes=decoded.notes)


def _cell(cell: str) -> str:
    return " ".join(cell.split()).replace("|", "\\|")


def _fenced(text: str, language: str) -> str:
    """One fenced block, its fence longer than any within."""
    longest = max((len(fence) for fence in _FENCE.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}\n"


def _indented(text: str) -> str:
    """JSON laid out a value a line. Works on its tokens, so that 1.10 stays 1.10 and nothing recurses."""
    lines: list[str] = [""]
    depth = 0
    before = ""
    for token in _TOKEN.findall(text):
        if token in "}]":
            depth -= 1
            if before not in ("{", "["):
                lines.append("  " * depth)
        elif before in ("{", "[", ","):
            lines.append("  " * depth)
        if token[0] == '"' and "\\u" in token:
            token = json.dumps(json.loads(token), ensure_ascii=False)
        lines[-1] += token + (" " if token == ":" else "")
        depth += token in "{["
        before = token
    return "\n".join(lines)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")
