import pytest

from moot.patterns.understudies.parts import leans


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("When was it built?", True),
        ("Who designed them and why?", True),
        ("What is its height?", True),
        ("何时建成？", True),
        ("又是什么时候建成的？", True),
        ("它有多高？", True),
        ("多高？", True),
        ("为什么？", True),
        ("When was the dam built?", False),
        ("What is a closure?", False),
        ("How does split work?", False),
        ("奥萨大坝有多高？", False),
        ("大坝何时建成？", False),
        ("服务器质保期多长？", False),
        ("如何在两年内降低服务器的耗电量？", False),
    ],
)
def test_a_part_that_names_nothing_leans_on_what_stood_before(part: str, expected: bool) -> None:
    assert leans(part) is expected
