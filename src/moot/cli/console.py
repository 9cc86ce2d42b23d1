"""What a command knows of the terminal it stands at: language, colour, and what the console can show."""

import codecs
import io
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from moot.cli.texts import said

_PLAIN = {
    "·": "-", "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "→": "->", "≥": ">=", "≤": "<=",
    "×": "x", "÷": "/", "−": "-", "⟨": "<", "⟩": ">", "•": "*", "\u00a0": " ", "：": ":", "，": ",", "。": ".",
    "（": "(", "）": ")", "、": ",", "；": ";", "？": "?", "！": "!", "￥": "Y", "│": "|", "─": "-", "✓": "+", "✗": "x",
}  # fmt: skip
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CJK = re.compile(r"[\u3400-\u9fff]")
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Console:
    """How to speak to whoever called."""

    zh: bool = False
    colour: bool = False
    """True when stderr is a terminal and colour was not refused."""
    asks: bool = False
    """True when somebody can be asked: stdin and stderr are a terminal."""

    def say(self, key: str, **given: object) -> str:
        """The text under a key, in this console's language."""
        return said(key, zh=self.zh, **given)

    def about(self, words: str) -> "Console":
        """The console for whoever reads these words: Chinese where they are, as it was when they were typed."""
        return replace(self, zh=self.zh or _is_chinese(words))

    def print(self, text: str) -> None:
        """An answer, to stdout."""
        text = text if text.endswith("\n") else text + "\n"
        sys.stdout.write(harmless(text) if sys.stdout.isatty() else text)
        sys.stdout.flush()

    def tell(self, text: str) -> None:
        """All else, to stderr. Where that is full or its reader is gone, the run goes on untold."""
        with suppress(OSError):
            sys.stderr.write(harmless(text) + "\n")
            sys.stderr.flush()


def harmless(text: str) -> str:
    """The text with a sign in place of each control character: what was read must not command the terminal."""
    return _CONTROL.sub("\ufffd", text)


def speaks_chinese(words: Sequence[str], environ: Mapping[str, str]) -> bool:
    """`--locale` decides; else Chinese where the terminal's language is Chinese or the words typed are."""
    for word, following in zip(words, [*words, ""][1:], strict=True):
        if word == "--locale" or word.startswith("--locale="):
            return (word.partition("=")[2] or following).lower().startswith("zh")
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            if environ[name].lower().startswith("zh"):
                return True
            break
    return any(_is_chinese(word) for word in words)


def _is_chinese(word: str) -> bool:
    if _KANA_OR_HANGUL.search(word):
        return False
    return len(_CJK.findall(word)) > len(re.findall(r"[A-Za-z]+", word))


def console_of(words: Sequence[str], environ: Mapping[str, str]) -> Console:
    """The console of this process. The colour that a flag refuses is taken out by the command itself."""
    terminal = sys.stderr.isatty()
    return Console(
        zh=speaks_chinese(words, environ),
        colour=terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb",
        asks=terminal and sys.stdin is not None and sys.stdin.isatty(),
    )


def show_what_can_be_shown() -> None:
    """Makes a console that lacks a character show ASCII for it, where Python would end with an exception."""
    codecs.register_error("moot_plain", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="moot_plain")


def _plainly(wrong: UnicodeError) -> tuple[str, int]:
    if not isinstance(wrong, UnicodeEncodeError):
        raise wrong
    missing = wrong.object[wrong.start : wrong.end]
    return "".join(_PLAIN.get(sign, "?") for sign in missing), wrong.end


def open_what_is_closed() -> None:
    """Puts nothing in the place of a stream that the caller closed, so that no file of ours is opened in its place."""
    nothing = os.open(os.devnull, os.O_RDWR)
    while nothing <= 2:
        nothing = os.open(os.devnull, os.O_RDWR)
    os.close(nothing)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it ends with the process
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as above
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as above


def go_quiet() -> None:
    """Points stdout at nothing after its reader went away, so that the interpreter's last flush is silent too."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
