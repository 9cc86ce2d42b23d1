"""Tables of words, English and Chinese, out of `text/data/`: what denies, doubts, rises, counts, names.

A file is TOML: each key a list of words in one string, with commas between them. What they mean is not told here.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files


@lru_cache
def word_table(name: str) -> Mapping[str, tuple[str, ...]]:
    """Every list of one file, by its key: `word_table("polarity")["negators"]`."""
    read = tomllib.loads((files("moot.text") / "data" / f"{name}.toml").read_text(encoding="utf-8"))
    return {key: _listed(value) for key, value in read.items()}


def _listed(value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for part in value.split(",") if (word := " ".join(part.split()))))


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, longest first: Latin ones whole, with any blanks inside; others anywhere."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(_pattern(word) for word in ordered) or r"(?!)"


def _pattern(word: str) -> str:
    escaped = r"\s+".join(re.escape(part) for part in word.split(" "))
    if not word.isascii():
        return escaped
    before = r"(?<![A-Za-z])" if word[0].isalpha() else ""
    after = r"(?![A-Za-z])" if word[-1].isalpha() else ""
    return f"{before}{escaped}{after}"


@lru_cache
def pattern(name: str, *keys: str) -> re.Pattern[str]:
    """A pattern for the words of some lists of a file (all of them when none is named), in any case."""
    table = word_table(name)
    return re.compile(any_of(word for key in keys or table for word in table[key]), re.IGNORECASE)
