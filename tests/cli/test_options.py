"""Settings as flags: what a command line hands on, before one place says what is wrong with it."""

import click
import pytest

from moot.app.gather import Gathering
from moot.app.home import home_of
from moot.app.settings import Settings
from moot.cli.options import flags_of
from moot.patterns.options import ResearchOptions
from moot.values.value import Value


def given(words: list[str], of: type[Value]) -> dict[str, object]:
    command = click.Command("x", params=list(flags_of(of)))
    return {name: value for name, value in command.make_context("x", words).params.items() if value not in (None, ())}


def read(words: list[str]) -> ResearchOptions:
    nowhere = home_of("/nowhere", {}).settings
    return Gathering({}, {}, nowhere).gather(ResearchOptions, given(words, ResearchOptions), team="research")


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        (["--docs", "a", "--docs", "b"], {"docs": ("a", "b")}),
        (["-y"], {"yes": True}),
        (["--no-web"], {"web": False}),
        (["--web"], {"web": True}),
        (["--max-usd", "nan"], {"max_usd": "nan"}),
        ([], {}),
    ],
)
def test_a_flag_hands_on_what_was_typed(words: list[str], flags: dict[str, object]) -> None:
    assert given(words, Settings) == flags


def test_a_flag_turns_off_what_is_on_by_itself_and_takes_no_value() -> None:
    assert read(["--no-background"]).enable_background is False
    assert read([]).enable_background is True
    with pytest.raises(click.UsageError):
        given(["--no-background", "x"], ResearchOptions)


@pytest.mark.parametrize(
    ("words", "rounds"),
    [([], 0), (["--clarify"], 3), (["--clarify", "2"], 2), (["--clarify=1"], 1), (["--clarify=0"], 0)],
)
def test_a_number_may_be_left_out_where_it_has_a_usual_value(words: list[str], rounds: int) -> None:
    assert read(words).max_clarification_rounds == rounds
