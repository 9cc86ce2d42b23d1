"""The cap of an observation: both ends stay, the middle is counted, and the whole can be read elsewhere."""

import pytest

from moot.agents.observation import capped, observation, whole_path
from moot.values.messages import Image
from moot.values.value import Key

SEQ = "".join(f"{n}\n" for n in range(1, 40_001))


def test_a_long_text_keeps_both_ends_trimmed_to_line_ends() -> None:
    head, note, tail = capped(SEQ, 16_000, "/workspace/.moot/out/x.txt").partition(
        "[… 212,898 of 228,894 characters left out; all of it: /workspace/.moot/out/x.txt …]\n"
    )
    assert note
    assert (len(head), len(tail)) == (7_998, 7_998)
    assert head.endswith("1821\n")
    assert tail.endswith("40000\n")


@pytest.mark.parametrize("text", ["", "short", "x" * 16_000])
def test_a_text_within_the_cap_stays_as_it_is(text: str) -> None:
    assert capped(text, 16_000) == text


def test_a_text_without_lines_is_cut_at_the_half() -> None:
    text = capped("x" * 1_000_000, 16_000)
    assert text == f"{'x' * 8_000}\n[… 984,000 of 1,000,000 characters left out …]\n{'x' * 8_000}"


def test_nothing_is_said_to_be_nothing() -> None:
    assert observation("", (), remark="", most=100, whole="") == "(no output)"


def test_remark_comes_first_and_a_picture_is_named() -> None:
    picture = Image(media_type="image/png", base64="", width=1280, height=720)
    assert observation("text", [picture], remark="(left out: x)", most=1_000, whole="") == (
        "(left out: x)\ntext\n(a picture, 1280×720; ask about it with look)"
    )


def test_the_whole_is_kept_under_the_calls_key() -> None:
    assert whole_path(Key("investigate#1/2/tool#3")) == ".moot/out/investigate.1.2.tool.3.txt"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "[exit 0]"),
        ("a\n", "a\n[exit 0]"),
        ("a", "a\n[exit 0]"),
        ("x" * 300, f"{'x' * 50}\n[… 200 of 300 characters left out …]\n{'x' * 50}\n[exit 0]"),
    ],
)
def test_a_last_line_closes_the_observation_and_is_never_cut(text: str, shown: str) -> None:
    assert observation(text, (), remark="", most=100, whole="", last="[exit 0]") == shown
