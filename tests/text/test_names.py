"""What a question names."""

import pytest

from moot.text.names import named_things


@pytest.mark.parametrize(
    "text, names",
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
def test_names_are_what_is_capitalised_past_a_start_or_quoted(text: str, names: list[str]) -> None:
    assert named_things(text) == names
