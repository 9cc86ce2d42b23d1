"""Texts from outside, cleaned at the door."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.clean import clean, clean_json


def test_nul_and_lone_surrogates_become_the_replacement_character() -> None:
    assert clean("a\x00b\ud800c\udfffd") == "a\ufffdb\ufffdc\ufffdd"


def test_a_good_text_is_the_same_text() -> None:
    text = "naïve 水库 👩‍👩‍👧"
    assert clean(text) == text


@given(st.text(st.characters(codec=None)))
def test_a_cleaned_text_can_be_encoded_and_keeps_its_length(text: str) -> None:
    cleaned = clean(text)
    assert "\x00" not in cleaned
    assert len(cleaned.encode("utf-8").decode("utf-8")) == len(text)


def test_escapes_in_large_letters_are_escapes_too() -> None:
    assert json.loads(clean_json('["\\uD83D\\uDE00", "\\uD83D", "\\uDE00\\u0041"]')) == ["😀", "\ufffd", "\ufffdA"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("a\x00b", "a\ufffdb"),
        ("a\ud800", "a\ufffd"),
        ("\udc00\ud83d", "\ufffd\ufffd"),
        ("😀 \\u0000 \\\\ud800", "😀 \\u0000 \\\\ud800"),
        ("\ud800😀", "\ufffd😀"),
    ],
)
def test_what_a_string_of_json_hides_behind_escapes_is_replaced_too(said: str, kept: str) -> None:
    assert json.loads(clean_json(json.dumps({said: [said]}))) == {kept: [kept]}
