"""What a person asked for, as it is kept: the question, the links cut out of it, the places it names."""

from pathlib import Path

import pytest

from moot.app.asked import absolute_docs, checked_question, links_in


@pytest.mark.parametrize(
    ("question", "links"),
    [
        ("What does https://example.org/a?x=1#b say?", ("https://example.org/a?x=1#b",)),
        ("See http://example.org/a, and https://example.org/b.", ("http://example.org/a", "https://example.org/b")),
        ("Twice: https://example.org https://example.org!", ("https://example.org",)),
        (
            "见https://example.org/水。还有（https://example.org/b）",
            ("https://example.org/水", "https://example.org/b"),
        ),
        ("Read <https://example.org/a> (https://example.org/b)", ("https://example.org/a", "https://example.org/b")),
        ("ftp://example.org, example.org and no link", ()),
    ],
)
def test_links_are_cut_out_of_a_question_by_code(question: str, links: tuple[str, ...]) -> None:
    assert links_in(question) == links


def test_a_question_is_kept_as_typed_but_for_what_no_database_holds() -> None:
    assert checked_question("  What, \n\n really? ") == "  What, \n\n really? "
    assert checked_question("a\x00b\ud800") == "a\ufffdb\ufffd"
    assert len(checked_question("x" * 20_000)) == 20_000


def test_paths_are_made_absolute_and_nothing_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    given = ("python", "notes", "docs://notes/a.md", " ")
    assert absolute_docs(given) == ("python", str(tmp_path / "notes"), "docs://notes/a.md", " ")
