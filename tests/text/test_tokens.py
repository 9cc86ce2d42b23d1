"""Token estimates: the formula, and that a megabyte costs no second."""

import time

import pytest

from moot.text.tokens import estimate, picture_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("word", 1),
        ("four score", 3),
        ("12345678", 4),
        ("量子计算的现状", 6),
        ("量子 computing", 4),
        ("\n\t  ", 0),
        ("(!)", 2),
        ("Größe", 2),
        ("привет", 3),
    ],
)
def test_an_estimate_is_rounded_up_from_the_formula(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


def test_a_megabyte_is_estimated_in_no_second() -> None:
    text = "The dam holds 4 billion cubic metres. " * 27_000
    begun = time.perf_counter()
    assert estimate(text) > 200_000
    assert time.perf_counter() - begun < 1


@pytest.mark.parametrize(
    ("width", "height", "tokens"), [(1024, 1024, 765), (512, 512, 765), (2048, 4096, 1105), (4096, 2048, 1105)]
)
def test_a_picture_costs_what_its_tiles_do(width: int, height: int, tokens: int) -> None:
    assert picture_tokens(width, height) == tokens
    assert picture_tokens(width, height, low=True) == 85


def test_a_picture_without_pixels_is_refused() -> None:
    with pytest.raises(ValueError, match="no pixels"):
        picture_tokens(0, 10)
