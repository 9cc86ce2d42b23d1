import sqlite3
from pathlib import Path

import pytest

from moot.web.index import Index, peek
from moot.web.prepared import CHUNK, Prepared, prepare
from moot.web.shelf import Entry


def put(index: Index, path: str, text: str) -> None:
    with index.change():
        index.put(Entry(path, len(text), 1), f"hash of {text[:20]}", prepare(text.encode(), name=path))


def found(index: Index, match: str) -> int:
    return int(index.db.execute("SELECT count(*) FROM words WHERE words MATCH ?", (match,)).fetchone()[0])


def vocabulary(index: Index) -> set[str]:
    return {row[0] for row in index.db.execute("SELECT term FROM temp.vocabulary")}


def put_twice(index: Index) -> None:
    index.put(Entry("a.md", 1, 1), "x", prepare(b"New words.", name="a.md"))
    index.db.execute("INSERT INTO file (path, size, mtime_ns, sha256, status) VALUES ('a.md', 1, 1, 'x', 'ok')")


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return Index(tmp_path / "index" / "x.db", place="here")


def test_words_are_found_with_their_heading_title_and_characters(index: Index) -> None:
    put(index, "a.md", "# The Dam\n\n## Häuser\n\nWater runs.\n\n水库蓄水量为四亿。\n\nx == y\n")
    assert found(index, "water") == 1
    assert found(index, "title : dam") == 1
    assert found(index, "heading : hauser") == 3
    assert found(index, '"蓄水"') == 1
    assert found(index, '"四"*') == 1
    assert found(index, "xop3d3d") == 1


def test_what_is_taken_out_leaves_no_word_behind(index: Index) -> None:
    put(index, "a.md", "# Title A\n\n| city | n |\n| --- | --- |\n| Paris | 2 |\n\n水库 only here.\n")
    put(index, "b.md", "Other words.\n")
    with index.change():
        assert index.drop("a.md")
        assert not index.drop("a.md")
    assert vocabulary(index) == {"other", "words", "b", "md"}
    index.db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    assert index.db.execute("SELECT count(*) FROM passage").fetchone() == (1,)
    assert index.db.execute("SELECT count(*) FROM body").fetchone() == (1,)


def test_a_document_put_again_stands_in_the_place_of_the_old(index: Index) -> None:
    put(index, "a.md", "Old words.")
    put(index, "a.md", "New words.")
    assert (found(index, "old"), found(index, "new")) == (0, 1)
    assert index.totals().files == 1


def test_a_change_that_fails_is_taken_back_whole(index: Index) -> None:
    put(index, "a.md", "Old words.")
    with pytest.raises(sqlite3.IntegrityError), index.change():
        put_twice(index)
    assert (found(index, "old"), found(index, "new")) == (1, 0)


def test_any_part_of_a_long_text_is_given_without_the_rest(index: Index) -> None:
    text = "".join(f"{number:06d} 水 " for number in range(4_000))
    put(index, "a.txt", text)
    kept = index.file("a.txt")
    assert kept is not None
    assert index.text(kept.id) == text
    spans = [(0, 5), (CHUNK - 3, CHUNK + 3), (CHUNK, 2 * CHUNK), (len(text) - 4, len(text)), (7, 7)]
    assert index.slices([(kept.id, *span) for span in spans]) == [text[start:end] for start, end in spans]


def test_a_heading_stands_with_the_first_passage_under_it(index: Index) -> None:
    put(index, "a.md", "# A\n\none\n\ntwo\n\n## B\n\nthree\n")
    rows = index.db.execute("SELECT n, heading FROM passage ORDER BY n").fetchall()
    assert rows == [(1, "A"), (2, None), (3, "A › B")]


def test_an_index_opened_again_knows_what_it_held(index: Index, tmp_path: Path) -> None:
    put(index, "a.md", "Words.")
    index.close()
    again = Index(tmp_path / "index" / "x.db", place="here")
    assert again.digests() == {"a.md": "hash of Words."}
    assert again.known() == {"a.md": (6, 1)}


@pytest.mark.parametrize("how", ["another place", "another format", "rebuild"])
def test_an_index_of_something_else_is_made_anew(index: Index, tmp_path: Path, how: str) -> None:
    put(index, "a.md", "Words.")
    if how == "another format":
        with index.change():
            index.set_meta("format", "0/0")
        assert peek(index.path) is None
    index.close()
    place = "there" if how == "another place" else "here"
    again = Index(tmp_path / "index" / "x.db", place=place, rebuild=how == "rebuild")
    assert again.totals().files == 0
    assert found(again, "words") == 0
    put(again, "b.md", "Words.")
    assert found(again, "words") == 1


def test_a_file_that_is_no_database_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    index = Index(path, place="here")
    put(index, "a.md", "Words.")
    assert found(index, "words") == 1


def test_a_peek_tells_name_place_and_totals_and_touches_nothing(index: Index, tmp_path: Path) -> None:
    put(index, "a.md", "Words.")
    with index.change():
        index.put(Entry("b.png", 1, 1), "x", Prepared(reason="image: a picture"))
        index.set_meta("name", "mine")
    index.close()
    seen = peek(tmp_path / "index" / "x.db")
    assert seen is not None
    assert (seen.name, seen.place, seen.totals[:3]) == ("mine", "here", (1, 1, 1))
    assert peek(tmp_path / "nothing.db") is None


def test_the_words_are_a_contentless_table(index: Index) -> None:
    put(index, "a.md", "Words.")
    assert index.db.execute("SELECT body FROM words").fetchone() == (None,)
    assert sqlite3.sqlite_version_info >= (3, 9)


def test_a_document_that_lacked_a_package_is_looked_at_again(index: Index) -> None:
    put(index, "a.md", "Words.")
    with index.change():
        index.put(Entry("b.docx", 9, 1), "its hash", Prepared(reason="extra_missing: docx files need a package"))
        index.put(Entry("c.docx", 9, 1), "another hash", Prepared(reason="broken: no docx file"))
    assert index.known() == {"a.md": (6, 1), "b.docx": (-1, 1), "c.docx": (9, 1)}
    assert set(index.digests()) == {"a.md", "c.docx"}
