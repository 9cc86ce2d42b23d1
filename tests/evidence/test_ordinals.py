import pytest

from moot.evidence.verdicts.case import Case, Held
from moot.evidence.verdicts.ordinals import test as ordinals
from moot.values.evidence import Citation
from moot.values.value import Mark


def detail(claim: str, passage: str, title: str = "") -> str:
    """What the test says; `` when the claim passes it."""
    found = ordinals(Case(claim, (Held(Citation(mark=Mark("S7f3a"), n=1), passage, title=title),)))
    assert found is None or (found.hard and found.reason == "number_differs")
    return found.detail if found else ""


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("The second edition appeared in May.", "The first edition appeared in May.", "second edition · first edition"),
        ("The 2nd edition appeared.", "The second edition appeared.", ""),
        ("It was the third-largest port.", "It was the second-largest port.", "third-largest · second-largest"),
        ("The first editions sold out.", "The first edition, and the second edition, sold out.", ""),
        ("The 21st congress met.", "The 22nd congress met.", "21st congress · 22nd congress"),
        ("教材第二版于五月出版。", "教材第一版于五月出版。", "第二版 · 第一版"),
        ("第十二届大会召开。", "第12届大会召开。", ""),
        ("这是第3次会议。", "这是第二次会议。", "第3次 · 第二次"),
        ("The second edition appeared.", "The book appeared in May.", ""),
        ("The second quarter was good.", "The first quarter was good.", ""),
        ("第二季度增长。", "第一季度增长。", ""),
        ("A 30-second delay was seen.", "The first delay was seen.", ""),
        ("One of the first of them.", "The second of them.", ""),
        ("第二版出版。", "本书第三章介绍出版过程。", ""),
    ],
)
def test_which_of_a_row_is_told_as_the_passage_tells_it(claim: str, passage: str, expected: str) -> None:
    assert detail(claim, passage) == expected


def test_the_title_may_tell_which_it_is() -> None:
    assert detail("The second edition has maps.", "The first edition had none.", title="Atlas, second edition") == ""
