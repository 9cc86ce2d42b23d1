"""How alike two texts are."""

import random
import time

import pytest

from moot.evidence.works.shingles import NEAR, Sketcher, alike, pairs_worth_comparing


def words(n: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return ["".join(chance.choices("abcdefghij", k=5)) for _ in range(n)]


def characters(n: int, seed: int) -> str:
    chance = random.Random(seed)
    return "".join(chr(chance.randrange(0x4E00, 0x6000)) for _ in range(n))


def test_equal_texts_are_wholly_alike_and_others_are_not() -> None:
    sketcher = Sketcher()
    one, other = (" ".join(words(300, seed)) for seed in (1, 2))
    assert alike(sketcher.shingles(one), sketcher.shingles(one.upper().replace(" ", ",\n"))) == 1.0
    assert alike(sketcher.shingles(one), sketcher.shingles(other)) == 0.0


def test_chinese_is_compared_by_characters() -> None:
    sketcher = Sketcher()
    one = characters(900, 1)
    assert alike(sketcher.shingles(one), sketcher.shingles("，\n".join(one))) == 1.0
    assert alike(sketcher.shingles(one), sketcher.shingles(characters(900, 2))) == 0.0


@pytest.mark.parametrize("changed", [0, 1, 2, 3])
def test_near_texts_are_always_worth_comparing(changed: int) -> None:
    sketcher = Sketcher()
    for seed in range(40):
        one = words(400, seed)
        other = list(one)
        for place in range(changed):
            other[50 + 100 * place] = "other"
        texts = [" ".join(one), " ".join(other)]
        assert alike(*map(sketcher.shingles, texts)) >= NEAR
        assert list(pairs_worth_comparing([sketcher.sketch(text) for text in texts])) == [(0, 1)]


def test_texts_that_share_a_half_are_not_worth_comparing() -> None:
    sketcher = Sketcher()
    shared = words(300, 1)
    texts = [" ".join(shared + words(300, seed)) for seed in (2, 3, 4)]
    assert list(pairs_worth_comparing([sketcher.sketch(text) for text in texts])) == []


def test_short_texts_have_no_sketch() -> None:
    assert Sketcher().sketch("It is dry. " * 72) is None
    assert Sketcher().sketch("It is dry. " * 73) is not None


def test_a_hundred_kilobytes_are_sketched_within_a_tenth_of_a_second() -> None:
    sketcher = Sketcher()
    texts = [" ".join(words(16_700, seed)) for seed in range(3)]
    began = time.process_time()
    assert len(list(map(sketcher.sketch, texts))) == 3
    assert (time.process_time() - began) / 3 < 0.1
