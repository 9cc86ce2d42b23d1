"""Edits of a text: one place changes, and every other character stays as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.editing import Edit, insertion, line_count, numbered, replacement, shown_around


def replaced(text: str, old: str, new: str) -> str:
    return replacement(text, old, new).apply(text)


def inserted(text: str, line: int, words: str) -> str:
    return insertion(text, line, words).apply(text)


def test_a_tab_is_still_a_tab() -> None:
    assert replaced("all:\n\techo hi\n", "hi", "ho") == "all:\n\techo ho\n"


def test_line_ends_of_windows_are_matched_and_kept() -> None:
    assert replaced("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz") == "x\r\ny\r\nz\r\nc\r\n"
    assert replaced("a\r\nb\r\nc", "\nc", "\nd\n") == "a\r\nb\r\nd\r\n"
    assert replaced("a\nb\n", "a\r\nb", "x") == "x\n"


def test_a_mark_of_byte_order_and_a_missing_last_line_end_stay() -> None:
    assert replaced("\ufeffone\ntwo", "one", "1") == "\ufeff1\ntwo"
    assert inserted("\ufeffone", 0, "zero") == "\ufeffzero\none"
    assert inserted("one\ntwo", 2, "three") == "one\ntwo\nthree"


@pytest.mark.parametrize(
    ("text", "line", "words", "then"),
    [
        ("a\nb\n", 0, "x", "x\na\nb\n"),
        ("a\nb\n", 1, "x\ny\n", "a\nx\ny\nb\n"),
        ("a\nb\n", 2, "x", "a\nb\nx\n"),
        ("a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"),
        ("", 0, "x", "x\n"),
        ("a\n", 1, "", "a\n\n"),
    ],
)
def test_whole_lines_are_inserted(text: str, line: int, words: str, then: str) -> None:
    assert inserted(text, line, words) == then


@pytest.mark.parametrize("line", [-1, 3])
def test_a_line_that_is_not_there_is_named(line: int) -> None:
    with pytest.raises(ValueError, match=f"insert_line {line}: must be 0 to 2"):
        insertion("a\nb\n", line, "x")


@pytest.mark.parametrize(
    ("text", "old", "new", "why"),
    [
        ("a\nb\na\n", "a", "c", r"found at lines \[1, 3\]; make it unique."),
        ("aaa", "aa", "b", r"found at lines \[1, 1\]; make it unique."),
        ("a", "", "b", "old_str is empty"),
        ("a", "a", "a", "the same"),
        ("x\n\tif  a:\n", "if a:", "b", "It differs in blanks only at line 2."),
        ("x\nfoo(1,\n    2)\n", "foo(1, 2)", "b", "It differs in blanks only at line 2."),
    ],
)
def test_what_cannot_be_replaced_is_told(text: str, old: str, new: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        replacement(text, old, new)


def test_what_is_not_there_at_all_has_no_hint() -> None:
    with pytest.raises(ValueError, match=r"^$"):
        replacement("abc", "xyz", "b")


def test_four_lines_on_either_side_are_shown() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 21))
    edit = replacement(text, "line 10\n", "ten\nmore\n")
    shown = shown_around(edit.apply(text), edit).splitlines()
    assert shown[0] == "     6\tline 6"
    assert shown[4:6] == ["    10\tten", "    11\tmore"]
    assert shown[-1] == "    15\tline 14"


def test_numbers_stand_before_lines_without_their_ends() -> None:
    assert numbered("a\r\n\tb\nc") == "     1\ta\n     2\t\tb\n     3\tc"
    assert numbered("a\nb\nc\n", 2, 9) == "     2\tb\n     3\tc"
    assert [line_count(text) for text in ("", "a", "a\n", "a\nb")] == [0, 1, 1, 2]


_TEXT = st.text(st.sampled_from("ab \t\n\r\u0085\u2028é中"), max_size=40)


@given(_TEXT, _TEXT, _TEXT, st.text(st.sampled_from("xyz\n"), min_size=1, max_size=8))
def test_what_is_around_a_replacement_stays(before: str, after: str, new: str, old: str) -> None:
    text = before + old + after
    plain = text.replace("\r\n", "\n")
    once = sum(plain.startswith(old, at) for at in range(len(plain))) == 1
    if not once or old == new:
        with pytest.raises(ValueError, match=r"found at|the same|^$"):
            replacement(text, old, new)
        return
    edit = replacement(text, old, new)
    end = edit.start + len(edit.out)
    assert edit.out.replace("\r\n", "\n") == old
    assert edit.apply(text) == text[: edit.start] + edit.put + text[end:]
    assert Edit(edit.start, edit.put, edit.out).apply(edit.apply(text)) == text


@given(_TEXT, st.text(st.sampled_from("xyz"), min_size=1, max_size=5), st.data())
def test_an_insertion_adds_one_line_and_changes_none(text: str, words: str, data: st.DataObject) -> None:
    line = data.draw(st.integers(0, line_count(text)))
    edit = insertion(text, line, words)
    after = edit.apply(text)
    assert line_count(after) == line_count(text) + 1
    assert after.removeprefix("\ufeff").split("\n")[line].rstrip("\r") == words
    assert Edit(edit.start, edit.put, "").apply(after) == text
