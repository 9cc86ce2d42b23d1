"""Secrets are covered wherever they stand, and nothing else is touched."""

import json

import pytest

from moot.text.redact import COVER, secrets_of, without_headers

KEY, ODD = "sk-0123456789abcdef", 'se"cr\\et/пароль+1'
SECRETS = secrets_of([KEY, ODD, "short", ""])


def test_a_secret_is_covered_in_a_text_and_a_short_one_is_not() -> None:
    assert SECRETS.covered(f"a {KEY} b short c {ODD}") == f"a {COVER} b short c {COVER}"
    assert secrets_of(["short"]).forms == ()


def test_of_two_secrets_one_within_the_other_nothing_is_left() -> None:
    assert secrets_of(["sk-01234", "sk-01234567"]).covered("sk-01234567 sk-01234") == f"{COVER} {COVER}"


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("secret", [KEY, ODD])
def test_a_secret_is_found_in_json_within_json(secret: str, depth: int) -> None:
    text = secret
    for _ in range(depth):
        text = json.dumps({"text": f"<{text}>"})
    covered = SECRETS.covered_bytes(text.encode())
    inner = json.loads(covered)
    for _ in range(depth - 1):
        inner = json.loads(inner["text"][1:-1])
    assert inner == {"text": f"<{COVER}>"}


def test_json_stays_json_where_a_number_is_a_secret_too() -> None:
    covered = secrets_of(["12345678"]).covered_bytes(b'{"n":12345678,"12345678":["12345678"]}')
    assert json.loads(covered) == {"n": 12345678, COVER: [COVER]}


def test_bytes_without_a_secret_are_the_very_same() -> None:
    body = b'{"a":  1, "b": "\\u00e9"}'
    assert SECRETS.covered_bytes(body) is body


def test_bytes_that_are_no_json_are_covered_too() -> None:
    assert SECRETS.covered_bytes(f"# Report\n\n{KEY} {ODD}".encode()) == f"# Report\n\n{COVER} {COVER}".encode()


def test_a_secret_written_as_an_address_does_is_covered() -> None:
    assert (
        SECRETS.covered("https://h/?q=se%22cr%5Cet%2F%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C%2B1")
        == f"https://h/?q={COVER}"
    )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Authorization: Bearer abc.def", "Authorization: Bearer •••"),
        ("{'authorization': 'Basic YWJj', 'a': 1}", "{'authorization': 'Basic •••', 'a': 1}"),
        ('"x-api-key":"abc","b":1', '"x-api-key":"•••","b":1'),
        ("api-key: abc; b", "api-key: •••; b"),
        ("OPENAI_API_KEY=abc is set", "OPENAI_API_KEY=••• is set"),
        ("https://h/v1?key=abc&b=1", "https://h/v1?key=•••&b=1"),
        ("https://me:pass@h/v1", "https://me:•••@h/v1"),
        (
            "Set OPENAI_API_KEY or api_key_env; a monkey=1 is none",
            "Set OPENAI_API_KEY or api_key_env; a monkey=1 is none",
        ),
        ("https://127.0.0.1:8000/v1 at 10:30", "https://127.0.0.1:8000/v1 at 10:30"),
    ],
)
def test_what_looks_like_a_key_is_covered_in_an_error(text: str, left: str) -> None:
    assert without_headers(text) == left
    assert without_headers(left) == left
    assert SECRETS.covered_error(f"{text} {KEY}") == f"{left} {COVER}"
