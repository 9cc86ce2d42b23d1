import pytest

from moot.web.outline import outline


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("Title\n*****\n\nText that\ngoes  on.\n", "# Title\n\nText that goes on.\n"),
        ("A\n***\n\nB\n===\n\nC\n---\n\nD\n===\n", "# A\n\n## B\n\n### C\n\n## D\n"),
        ("====\nOver\n====\n\nText.\n", "# Over\n\nText.\n"),
        ("Say:\n\n   x = 1\n\n   y = 2\n\nDone.\n", "Say:\n\n```\nx = 1\n\ny = 2\n```\n\nDone.\n"),
        ("Say::\n\n   x = 1\n", "Say:\n\n```\nx = 1\n```\n"),
        ("   a ::= b\n   c ::= d\n", "```\na ::= b\nc ::= d\n```\n"),
        (">>> 1 + 1\n2\n", "```\n>>> 1 + 1\n2\n```\n"),
        ("Note:\n\n  It is so\n  and so.\n\n  More.\n", "Note: It is so and so.\n\nMore.\n"),
        (
            "str.find(sub[, start])\n\n   Return it.\n\n   Or not.\n",
            "##### str.find(sub[, start])\n\nReturn it.\n\nOr not.\n",
        ),
        ("* one\n  goes on\n\n  more\n\n* two\n", "- one goes on\n\n  more\n\n- two\n"),
        ("1. one\n\n2. two\n", "1. one\n\n2. two\n"),
        ("* one\n* two\n", "- one\n- two\n"),
        ("Big term here\n   Its meaning\n   goes on.\n", "Big term here: Its meaning goes on.\n"),
        ("[1] A footnote that\n    goes on.\n", "[1] A footnote that goes on.\n"),
        ("-[ Footnotes ]-\n\nText.\n", "# Footnotes\n\nText.\n"),
        (
            "+----+----+\n| a  | b  |\n+====+====+\n| 1  | 2  |\n|    | x  |\n+----+----+\n",
            "| a | b |\n| --- | --- |\n| 1 | 2 x |\n",
        ),
        ("===  ===\na    b\n===  ===\n1    2\n===  ===\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("Plain text only.\n", "Plain text only.\n"),
    ],
)
def test_an_underlined_indented_text_becomes_markdown(text: str, markdown: str) -> None:
    assert outline(text) == markdown


def test_a_text_indented_without_end_is_no_matter_of_depth() -> None:
    text = "\n\n".join("   " * depth + "word" for depth in range(400))
    assert outline(text).count("word") == 400
