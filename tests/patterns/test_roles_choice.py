"""A choice by number, in whatever a model wrote."""

import pytest

from moot.patterns.roles_choice import read_choice

UNREADABLE = None


@pytest.mark.parametrize(
    ("reply", "of_three", "of_thirteen"),
    [
        ("-1", -1, -1),
        (" 0\n", 0, 0),
        ("2", 2, 2),
        ("none", -1, -1),
        ("**1**", 1, 1),
        ("Final: -1", -1, -1),
        ("12", UNREADABLE, 12),
        ("10", UNREADABLE, 10),
        ("-12", UNREADABLE, UNREADABLE),
        ("", UNREADABLE, UNREADABLE),
        ("I choose 0-2", UNREADABLE, UNREADABLE),
        ("return -1. (stage 0 finished)", UNREADABLE, UNREADABLE),
        ("−1", -1, -1),
        ("２", 2, 2),
        ("`1`.", 1, 1),
        ("“2”", 2, 2),
        ("Done.", -1, -1),
        ("无", -1, -1),
        ("完成。", -1, -1),
        ("2\nbecause 1 was done", 2, 2),
        ("Since 1 was done:\n2", 2, 2),
        ("1\nor rather\n2", UNREADABLE, UNREADABLE),
        ("I take action 2, yes, 2.", 2, 2),
        ("version 1.2 of v2", UNREADABLE, UNREADABLE),
        ("选择2吧", 2, 2),
        ("1.", 1, 1),
        ("1.5", UNREADABLE, UNREADABLE),
    ],
)
def test_a_reply_gives_one_number_or_is_unreadable(reply: str, of_three: int | None, of_thirteen: int | None) -> None:
    assert chosen(reply, 3) == of_three
    assert chosen(reply, 13) == of_thirteen


@pytest.mark.parametrize("n", [1, 10, 11, 30])
def test_every_action_can_be_reached(n: int) -> None:
    assert [chosen(str(at), n) for at in range(n)] == list(range(n))


def test_what_is_wanted_is_said_of_an_unreadable_reply() -> None:
    with pytest.raises(ValueError, match="from 0 to 2, or -1"):
        read_choice("I choose 0-2", 3)


def chosen(reply: str, n: int) -> int | None:
    try:
        return read_choice(reply, n)
    except ValueError:
        return UNREADABLE
