"""A model that goes round in circles is stopped, at the same place however its text is cut."""

import random

import pytest

from moot.models.wire.looping import Loop

LINE = "This line is said again and again.\n"
BLOCK = "".join(f"Sentence {n} of a long paragraph that comes again.\n" for n in range(12)) + "\n"
TEXTS = {
    "one line": "So:\n" + LINE * 30,
    "with blank lines": "So:\n" + (LINE + "\n") * 30,
    "a block": "So:\n" + BLOCK * 8,
    "words": "Well, " + "round and " * 300,
    "no loop": "".join(f"{n}. This is a line of a list.\n" for n in range(60)),
    "seven times": "So:\n" + LINE * 7 + "Done.\n",
    "short lines": "- a\n" * 60,
    "a table": "| a | b |\n|---|---|\n" + "".join(f"| {n} | {n * n} |\n" for n in range(80)),
}
CAUGHT = {"one line", "with blank lines", "a block", "words"}


def heard(text: str, cuts: int | None = None) -> tuple[str, bool, int]:
    loop, out = Loop(), ""
    chance = random.Random(cuts)
    while text:
        at = chance.choice((1, 2, 5, 13, 40, 300)) if cuts is not None else len(text)
        out, text = out + loop.feed(text[:at]), text[at:]
    return out + loop.end(), loop.caught, loop.surplus


@pytest.mark.parametrize("name", TEXTS)
def test_a_loop_is_caught_and_nothing_else(name: str) -> None:
    out, caught, _ = heard(TEXTS[name])
    assert caught == (name in CAUGHT)
    if not caught:
        assert out == TEXTS[name]


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_let_through_is_the_same_for_every_cut(name: str) -> None:
    assert len({heard(TEXTS[name]), *(heard(TEXTS[name], seed) for seed in range(40))}) == 1


def test_a_line_that_repeats_is_let_through_once() -> None:
    assert heard(TEXTS["one line"])[0] == "So:\n" + LINE


def test_of_a_block_that_repeats_it_is_known_how_much_is_too_much() -> None:
    out, _, surplus = heard(TEXTS["a block"])
    assert out[:-surplus].count("Sentence 5") == 1
