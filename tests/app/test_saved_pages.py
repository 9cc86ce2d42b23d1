"""A folder of saved pages: read by kind, each with the addresses it tells of itself."""

from pathlib import Path

import pytest

from moot.app.saved_pages import saved_pages
from moot.values.errors import SettingWrong

BODY = "<body><h1>Dam</h1><p>The Halden Dam holds 340 million cubic metres of water.</p></body>"


@pytest.mark.parametrize(
    "head",
    [
        "<!-- saved from url=(0027)https://example.org/dam?utm_source=x -->",
        "<link rel='canonical' href='https://example.org/dam'>",
        '<meta property="og:url" content="http://example.org/dam#top">',
        '<meta content="https://EXAMPLE.org/dam" property="og:url">',
        "<!--\n Page saved with SingleFile \n url: https://example.org/dam \n-->",
    ],
)
def test_a_page_says_where_it_was(head: str, tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text(f"<!doctype html>{head}<html><head><title>Dam</title></head>{BODY}</html>")
    (page,) = saved_pages(tmp_path).pages
    assert page.addresses == ("//example.org/dam",)
    assert page.title == "Dam"
    assert "340 million" in page.text


def test_texts_say_it_in_a_field_and_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text(
        "---\ntitle: A\nsource: https://example.org/a\n---\n\n文字。\n", encoding="utf-8"
    )
    (tmp_path / "b.txt").write_text("Words alone.")
    (tmp_path / "c.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (tmp_path / ".hidden").write_text("no")
    found = saved_pages(tmp_path)
    assert [(page.name, page.addresses) for page in found.pages] == [("b.txt", ()), ("a.md", ("//example.org/a",))]
    assert [name for name, _ in found.unread] == ["c.png"]


def test_a_path_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingWrong, match="is no folder"):
        saved_pages(tmp_path / "none")


def test_a_link_that_leads_out_of_the_folder_is_no_page(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (tmp_path / "private.txt").write_text("The dam holds 340 million cubic metres.")
    (folder / "dam.html").write_text(BODY)
    (folder / "dam.html.txt").symlink_to(tmp_path / "private.txt")
    (folder / "again.html").symlink_to("dam.html")
    (folder / "loop").symlink_to(".")
    found = saved_pages(folder)
    assert sorted(page.name for page in found.pages) == ["again.html", "dam.html"]
    assert found.unread == (("dam.html.txt", "it leads out of the folder"),)
