"""Thinking written into the text: whatever way it is cut into chunks, the same two parts come out."""

import random

import pytest

from moot.text.thinking import Piece, ThinkingStream, Thought, joined, split_thinking

CASES = {
    "<think>a</think> b": Thought("a", " b"),
    "<think>maybe then": Thought("maybe then", ""),
    "maybe</think>yes": Thought("maybe", "yes"),
    "one</think>two</think>three": Thought("onetwo", "three"),
    "<thinking>a</thinking>b<reasoning>c</reasoning>d": Thought("ac", "bd"),
    "<THINK>a</Think>b": Thought("a", "b"),
    "◁think▷a◁/think▷b": Thought("a", "b"),
    "a < b and <thin> air": Thought("", "a < b and <thin> air"),
    "Write `<think>` to think.": Thought("", "Write `<think>` to think."),
    "no tag at all\n\n": Thought("", "no tag at all\n\n"),
    "ends in <thi": Thought("", "ends in <thi"),
    "": Thought("", ""),
}


@pytest.mark.parametrize("text", CASES)
def test_a_whole_text_is_parted(text: str) -> None:
    assert split_thinking(text) == CASES[text]


@pytest.mark.parametrize("text", CASES)
def test_a_stream_is_parted_like_the_whole_for_every_cut(text: str) -> None:
    for seed in range(64):
        chance, stream, pieces, rest = random.Random(seed), ThinkingStream(), list[Piece](), text
        while rest:
            size = chance.randint(1, 6)
            pieces += stream.feed(rest[:size])
            rest = rest[size:]
        assert joined([*pieces, *stream.end()]) == CASES[text]


def test_three_chunks_of_a_tag_give_a_thought_and_a_text() -> None:
    stream = ThinkingStream()
    pieces = [piece for chunk in ("<th", "ink>a</thi", "nk> b") for piece in stream.feed(chunk)]
    assert [*pieces, *stream.end()] == [Piece("thought", "a"), Piece("text", " b")]


def test_text_is_passed_on_as_soon_as_it_can_be_no_tag() -> None:
    stream = ThinkingStream()
    assert stream.feed("so 1 <") == [Piece("text", "so 1 ")]
    assert stream.feed(" 2 and") == [Piece("text", "< 2 and")]
