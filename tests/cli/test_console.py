"""What a terminal can show, and which language it speaks."""

import io

import pytest

from moot.cli.console import Console, show_what_can_be_shown, speaks_chinese
from moot.cli.width import cut, padded, width


@pytest.mark.parametrize(
    ("words", "environ", "chinese"),
    [
        ([], {"LANG": "C.UTF-8"}, False),
        ([], {"LANG": "zh_CN.UTF-8"}, True),
        (["research", "What is it?"], {"LANG": "C.UTF-8"}, False),
        (["research", "What is it?"], {"LANG": "zh_CN.UTF-8"}, True),
        (["research", "What is it?"], {"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, False),
        (["research", "什么是GIL？"], {"LANG": "C.UTF-8"}, True),
        (["research", "什么是GIL？", "--locale", "en-US"], {"LANG": "zh_CN.UTF-8"}, False),
        (["research", "What is it?", "--locale=zh"], {}, True),
        (["research", "Pythonのデコレータとは何ですか"], {}, False),
        (["research", "What does 道 mean in Taoism?"], {}, False),
    ],
)
def test_the_language_is_the_flags_else_the_terminals_else_the_questions(
    words: list[str], environ: dict[str, str], chinese: bool
) -> None:
    assert speaks_chinese(words, environ) is chinese


def test_a_console_without_a_character_gets_ascii_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding="ascii", errors="strict"))
    show_what_can_be_shown()
    print("route · “quote” … ⟨no source⟩ 中", flush=True)
    assert written.getvalue() == b'route - "quote" ... <no source> ?\n'


@pytest.mark.parametrize(
    ("at_a_terminal", "shown"), [(True, "\ufffd[31mred\ufffd\n\tend\n"), (False, "\x1b[31mred\x9b\n\tend\n")]
)
def test_what_was_read_never_commands_the_terminal_and_a_file_gets_it_as_it_is(
    at_a_terminal: bool, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: at_a_terminal)
    Console().print("\x1b[31mred\x9b\n\tend")
    Console().tell("\x1b]0;title\x07")
    assert capsys.readouterr() == (shown, "\ufffd]0;title\ufffd\n")


def test_chinese_characters_take_two_columns() -> None:
    assert width("计划 1/2") == 8
    assert padded("波次 1", 12) == "波次 1      "
    assert cut("a  b\nc", 10) == "a b c"
    assert cut("什么是全局解释器锁", 9) == "什么是全…"
