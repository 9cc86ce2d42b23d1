"""The ranker, the digester and the merger without a model."""

import pytest

from moot.patterns.brief.values import Point
from moot.patterns.understudies.pages import digest, matter_of, ranked, score
from moot.values.evidence import SourceClass
from moot.values.ports import Found

QUESTION = "Tesla FSD vs Huawei ADS safety"


def found(title: str, snippet: str = "") -> Found:
    return Found(address=f"//example.org/{title}", url="", title=title, snippet=snippet)


def test_a_result_is_weighed_by_words_and_by_its_kind_of_source() -> None:
    wanted = matter_of(QUESTION)
    assert len(wanted) == 5
    assert score(wanted, found("Huawei ADS 2.0 vs Tesla Autopilot"), "press") == pytest.approx(0.8)
    assert score(wanted, found("Tesla FSD vs Huawei ADS"), "video") == pytest.approx(0.5)
    assert score(wanted, found("A test", "Tesla on safety"), "unknown") == pytest.approx(0.2)
    assert score(wanted, found("Tesla", "Tesla on safety"), "official") == pytest.approx(0.6)


def test_results_without_a_word_of_the_question_are_left_out() -> None:
    results = [found("Tesla FSD vs Huawei ADS"), found("Cooking"), found("Huawei ADS 2.0 vs Tesla Autopilot")]
    classes: list[SourceClass] = ["video", "press", "press"]
    assert ranked(QUESTION, results, classes) == (2, 0)


def test_where_no_result_holds_a_word_all_stay_in_the_order_of_the_search() -> None:
    assert ranked(QUESTION, [found("Cooking"), found("Sewing")]) == (0, 1)


def test_equal_results_stay_in_the_order_of_the_search() -> None:
    assert ranked("lighthouse height", [found("A lighthouse"), found("The lighthouse")]) == (0, 1)


PAGE = [
    "[S1.1] Lighthouses stand on many coasts of the world.",
    "[S1.2] The height of the first lighthouse is 40 m. It was built by hand in 1820. A lighthouse keeper lived there.",
    "[S1.3] ```\nheight = lighthouse * 2\n```",
    "[S1.4] | lighthouse | height |",
    "[S1.5] The second lighthouse has a height of 50 m, measured from the rock.",
    "[S1.6] Nobody knows the height of the third lighthouse.",
]


def test_the_best_three_sentences_are_quoted_word_for_word_in_page_order() -> None:
    made = digest("How high is the lighthouse: height", "lighthouse", PAGE)
    assert made.relevant
    assert made.points == (
        Point(text="The height of the first lighthouse is 40 m.", marks=("S1.2",)),
        Point(text="The second lighthouse has a height of 50 m, measured from the rock.", marks=("S1.5",)),
        Point(text="Nobody knows the height of the third lighthouse.", marks=("S1.6",)),
    )


def test_a_page_with_one_word_of_several_is_not_relevant() -> None:
    assert not digest("oil price of lighthouses", "oil price", PAGE).relevant


def test_words_of_the_question_alone_without_the_topics_do_not_make_a_page_relevant() -> None:
    assert not digest("zzqx: height of lighthouses", "zzqx", PAGE).relevant


def test_the_only_word_of_a_question_is_enough() -> None:
    assert digest("lighthouses", "lighthouses", PAGE).relevant
