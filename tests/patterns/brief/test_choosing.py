"""A ranking in whatever a ranker wrote, addresses dealt out among questions, and a page that is not relevant."""

import pytest

from moot.patterns.brief.choosing import dealt, distinct, ranking, read_order, says_irrelevant


@pytest.mark.parametrize(
    ("reply", "n", "chosen"),
    [
        ("[1, 4, 2, 6, 3, 7, 0]\nThe first is an authority, the second [9] is newer.", 8, (1, 4, 2, 6)),
        ("```json [2, 0]```", 3, (2, 0)),
        ("[0, 1,]", 3, (0, 1)),
        ("[0, 1, 3, 4, ...]", 8, (0, 1, 3, 4)),
        ("[True, 0]", 3, (0,)),
        ("[null, 0, 1.5, \"2\", '1']", 3, (0, 2, 1)),
        ("[9, 1, 1, -1, 0]", 5, (1, 0)),
        ("[1,2] see [3]", 8, (1, 2)),
        ("[3] see [1,2]", 8, (1, 2)),
        ("[[2, 1], [0]]", 3, (2, 1)),
        ("In this order:\n2, 0, 1\nThe rest is 7.", 3, (2, 0, 1)),
        ("【0】，最好的是 [1，0]", 3, (1, 0)),
    ],
)
def test_numbers_of_results_are_taken_in_their_order(reply: str, n: int, chosen: tuple[int, ...]) -> None:
    found = ranking(read_order(reply, n), n)
    assert found.how == "ranked"
    assert found.order[:4] == chosen


@pytest.mark.parametrize(("reply", "n"), [("no list here", 3), ("[]", 5), ("[7, 8]", 5), ("the 1st and the 2nd", 3)])
def test_without_a_number_of_a_result_the_order_of_the_search_stays(reply: str, n: int) -> None:
    found = ranking(read_order(reply, n), n)
    assert found.how == "original order"
    assert found.order == tuple(range(n))


def test_numbers_of_no_result_are_left_out_of_a_typed_answer_too() -> None:
    assert ranking((9, 1, 1, -1, 0), 5).order == (1, 0)


def test_each_question_takes_its_best_and_leaves_what_an_earlier_one_has() -> None:
    candidates = {"q1": ["//a/1", "//a/2", "//a/3"], "q2": ["//a/1", "//a/4", "//a/2", "//a/5"]}
    assert dealt(candidates, 2) == {"q1": ("//a/1", "//a/2"), "q2": ("//a/4", "//a/5")}


def test_a_taken_address_is_shared_only_where_nothing_else_is_left() -> None:
    candidates = {"q1": ["//a/1", "//a/2"], "q2": ["//a/2", "//a/1", "//a/3"], "q3": []}
    assert dealt(candidates, 2) == {"q1": ("//a/1", "//a/2"), "q2": ("//a/2", "//a/3"), "q3": ()}


def test_two_spellings_of_one_address_are_one() -> None:
    candidates = {"q1": ["https://example.org/a?utm_source=x", "http://example.org/a"], "q2": ["https://EXAMPLE.org/a"]}
    links = dealt(candidates, 4)
    assert links["q1"] == ("https://example.org/a?utm_source=x",)
    assert links["q2"] == ("https://EXAMPLE.org/a",)


def test_equal_questions_are_one() -> None:
    assert distinct(["How  high?", "how high", "How high？", "  ", "How old?"]) == ("How high?", "How old?")


@pytest.mark.parametrize(
    "reply", ["Not relevant", "NOT RELEVANT.", "irrelevant!", "Not relevant to the question.", "不相关。", "无关"]
)
def test_a_reply_that_only_says_so_is_not_relevant(reply: str) -> None:
    assert says_irrelevant(reply)


@pytest.mark.parametrize("reply", ["Not relevant in 2023, but since …", "relevant", "", "不相关的是第二段"])
def test_a_reply_that_says_more_is_a_digest(reply: str) -> None:
    assert not says_irrelevant(reply)
