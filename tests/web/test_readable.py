"""Kinds of files to Markdown. HTML and PDF have files of their own beside this one."""

import io
import zipfile

import pytest

from moot.web.faults import Unreadable
from moot.web.readable import readable


def test_markdown_stays_as_it_is_and_gives_its_title() -> None:
    made = readable(b"# The dam\n\nIt holds  water.\n", name="dam.md")
    assert (made.text, made.title, made.kind) == ("# The dam\n\nIt holds  water.\n", "The dam", "markdown")


def test_front_matter_is_read_and_not_shown() -> None:
    made = readable(
        b"---\ntitle: 'The dam'\ndate: 2024-03-05\nauthor: Ann Lee, Bo\nlang: en\n---\nIt holds.\n", name="a.md"
    )
    assert (made.text, made.title, made.published) == ("It holds.\n", "The dam", "2024-03-05")
    assert (made.authors, made.language) == (("Ann Lee", "Bo"), "en")


def test_a_rule_at_the_beginning_is_no_front_matter() -> None:
    assert readable(b"---\nNot a field\n---\nText.\n", name="a.md").text == "---\nNot a field\n---\nText.\n"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        (b"A short heading\n\nText.\n", "A short heading"),
        (b"A whole sentence stands here.\n", "n.txt"),
        (b"x" * 300, "n.txt"),
    ],
)
def test_a_text_is_called_by_its_first_line_when_that_is_a_heading(body: bytes, title: str) -> None:
    assert readable(body, name="n.txt").title == title


def test_a_table_with_separators_becomes_rows_with_its_bars_escaped() -> None:
    made = readable(b'city;note;n\nParis;"a | b\nc";2\n;;\nRome;"x";3;4\n', name="t.csv")
    assert made.text == "| city | note | n |\n| --- | --- | --- |\n| Paris | a \\| b c | 2 |\n| Rome | x | 3 | 4 |\n"


def test_a_table_of_too_many_rows_is_cut_and_says_so() -> None:
    made = readable(b"a,b,c\n" + b"1,2,3\n" * 20_005, name="t.csv")
    assert made.text.count("\n") == 20_002
    assert made.notes == ("rows_left_out: 5 beyond the first 20000",)


def test_json_is_indented_and_its_numbers_stay_as_written() -> None:
    made = readable(b'{"a":1.10,"b":[1e400,12345678901234567890,{}],"c":"\\u6c34 \\"q\\" , [x]"}', name="x.json")
    assert made.text == (
        '```json\n{\n  "a": 1.10,\n  "b": [\n    1e400,\n    12345678901234567890,\n    {}\n  ],\n'
        '  "c": "水 \\"q\\" , [x]"\n}\n```\n'
    )


@pytest.mark.parametrize("body", [b'{"a": NaN}', b"{broken", b"[" * 100_000])
def test_what_is_no_strict_json_is_read_as_text(body: bytes) -> None:
    assert readable(body, name="x.json").kind == "text"


def test_code_stands_in_a_fence_that_it_cannot_close() -> None:
    made = readable(b'"""Doc\n```\nx\n````\n"""\n', name="x.py")
    assert made.text == '`````py\n"""Doc\n```\nx\n````\n"""\n`````\n'


def test_restructured_text_becomes_headings_and_one_line_paragraphs() -> None:
    body = b"Title\n=====\n\nA paragraph that\ngoes on.\n\nPart\n----\n\n* one\n* two that\n  goes on\n"
    body += b"\n.. code-block:: py\n\n   x = 1\n"
    made = readable(body, name="a.rst")
    assert made.title == "Title"
    assert (
        made.text == "# Title\n\nA paragraph that goes on.\n\n## Part\n\n- one\n- two that goes on\n\n```\nx = 1\n```\n"
    )


def bomb() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", b"\0" * 20_000_000)
    return made.getvalue()


@pytest.mark.parametrize(
    ("body", "name", "code"),
    [
        (b"", "a.md", "empty"),
        (b" \n\t\n", "a.md", "empty"),
        (bomb(), "bomb.md", "binary"),
        (b"abc\x00def", "a.txt", "binary"),
        (b"\x7fELF" + b"\0" * 50, "a.txt", "binary"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "a.md", "image"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 50, "a.doc", "old_office"),
        (b"{\\rtf1 x}", "a.rtf", "rtf"),
        (b"%PDF-1.4 and nothing more", "a.pdf", "broken"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, name: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        readable(body, name=name)
    assert caught.value.code == code
    assert caught.value.reason


def test_one_line_of_a_million_characters_is_read() -> None:
    assert len(readable(b"word " * 200_000, name="a.txt").text) == 1_000_000
