"""What a question names."""

import pytest

from moot.text.names import capitalised_inside, named_things, names


@pytest.mark.parametrize(
    "text, found",
    [
        ("How many times taller is the Burj Khalifa than the Eiffel Tower?", ["Burj Khalifa", "Eiffel Tower"]),
        ("Compare the GDP of Japan and Germany", ["GDP", "Japan", "Germany"]),
        ("Who invented Python and in which year?", ["Python"]),
        ("How does the Rust borrow checker work?", ["Rust"]),
        ("What is the capital of France?", ["France"]),
        ("GDP fell. Prices rose in Berlin.", ["GDP", "Berlin"]),
        ("什么是GIL？", ["GIL"]),
        ("《红楼梦》是谁写的？", ["红楼梦"]),
        ('What is the difference between "is" and "==" for objects?', ["=="]),
        ("What does “insertion order” mean for Python's dict?", ["insertion order", "Python"]),
        ("What is C++ and what is Node.js?", ["C++", "Node.js"]),
        ("Is it so? The and Of", []),
        ("how is a class in school organised?", []),
        ("Why do I think so?", []),
    ],
)
def test_names_are_what_is_capitalised_past_a_start_or_quoted(text: str, found: list[str]) -> None:
    assert named_things(text) == found


@pytest.mark.parametrize(
    "text, found",
    [
        ("Castor Bank bought the insurer.", [("Castor Bank", "organisation")]),
        ("Professor Lindqvist led the dig at Morvane.", [("Lindqvist", "person"), ("Morvane", "place")]),
        ("The Bank of England raised rates in May.", [("Bank of England", "organisation")]),
        ("Today Norvale said so on Friday.", [("Norvale", "other")]),
        ("Revenue rose to 5 MWh.", []),
        ("林远舟教授主持发掘。", [("林远舟教授", "person")]),
        ("收购北岭银行的股份", [("北岭银行", "organisation")]),
        ("改造可节省能耗", []),
        ("《红楼梦》出版", [("《红楼梦》", "work")]),
    ],
)
def test_the_names_of_a_claim_have_a_kind(text: str, found: list[tuple[str, str]]) -> None:
    assert [(name.written, name.kind) for name in names(text)] == found


def test_a_sentences_first_word_alone_is_a_name_where_texts_show_it_inside_a_sentence() -> None:
    assert names("Solvik grew.") == []
    inside = capitalised_inside("It is known that Solvik grew.")
    assert [name.written for name in names("Solvik grew.", inside)] == ["Solvik"]
