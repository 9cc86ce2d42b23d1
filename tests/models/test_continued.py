"""Replies that ran into the output limit: joined where they overlap, cut back where they end."""

import pytest

from moot.models.continued import CUT_MARK, continued, cut_back

LONG = "The dam was built in 1976 and holds four billion cubic metres of water. "


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("The dam holds", " four billion.", "The dam holds four billion."),
        (LONG + "It feeds three", "It feeds three", LONG + "It feeds threeIt feeds three"),
        (LONG + "It feeds three big canals", "feeds three big canals, and", LONG + "It feeds three big canals, and"),
        ("So. " + LONG, LONG + "It feeds", "So. " + LONG + "It feeds"),
    ],
)
def test_a_continuation_is_joined_at_an_overlap_of_twenty_characters_or_more(
    before: str, after: str, joined: str
) -> None:
    assert continued(before, after) == joined


@pytest.mark.parametrize("before", [LONG * 3, "\n" + LONG.replace("dam", "wall") + LONG * 3])
def test_a_continuation_whose_first_two_hundred_characters_are_the_beginning_anew_is_dropped(before: str) -> None:
    assert continued(before, LONG * 4) is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("One is done. Two is not", "One is done."),
        ("He said “no.” And th", "He said “no.”"),
        ("第一句。第二", "第一句。"),
        ("# Title\n\nno end", "# Title"),
        ("3.14 is no", "3.14 is no"),
    ],
)
def test_a_text_is_cut_back_to_its_last_whole_sentence_and_marked(text: str, whole: str) -> None:
    assert cut_back(text) == f"{whole}\n\n{CUT_MARK}"
