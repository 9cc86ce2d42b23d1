"""How long is waited: 1, 2 and 4 seconds by chance of the call's own, or what the server asks for."""

from datetime import UTC, datetime

import pytest

from moot.models.retry import Patience, asked_wait

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def test_three_waits_and_no_fourth_attempt_after_them() -> None:
    patience = Patience("key")
    waits = [patience.wait_s(None) for _ in range(4)]
    assert waits[3] is None
    assert all(wait and 0.75 * own <= wait <= 1.25 * own for own, wait in zip((1, 2, 4), waits[:3], strict=True))
    assert patience.attempts == 4


def test_chance_is_the_call_s_so_that_it_waits_the_same_in_every_run() -> None:
    assert Patience("a").wait_s(None) == Patience("a").wait_s(None)
    assert len({Patience(str(key)).wait_s(None) for key in range(20)}) == 20


def test_what_a_server_asks_for_is_waited_up_to_two_minutes_and_three_in_all() -> None:
    patience = Patience("key")
    assert patience.wait_s(120.0) == 120.0
    assert patience.wait_s(61.0) is None
    assert Patience("key").wait_s(120.5) is None


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None), ({"retry-after": "2"}, 2.0), ({"retry-after": "0.2"}, 0.2), ({"retry-after": "soon"}, None),
        ({"retry-after": "-1"}, None), ({"retry-after": "nan"}, None), ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"x-ratelimit-reset-requests": "1m6s", "x-ratelimit-remaining-requests": "0"}, 66.0),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "9",
          "x-ratelimit-reset-tokens": "120ms", "x-ratelimit-remaining-tokens": "0"}, 0.12),
        ({"x-ratelimit-reset": "1796040000"}, None), ({"x-ratelimit-reset-tokens": "3"}, 3.0),
        ({"x-ratelimit-reset": ".s"}, None), ({"x-ratelimit-reset": "²s"}, None), ({"x-ratelimit-reset": ".5s"}, 0.5),
        ({"retry-after": "Mon, 01 Jan 99999999999 00:00:00 GMT"}, None),
        ({"retry-after": "Mon, 01 Jan 2026 99999999999999999999:00:00 GMT"}, None),
    ],
)  # fmt: skip
def test_what_a_server_asks_for_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers, NOW) == (seconds if seconds is None else pytest.approx(seconds))
