"""English words by their stem: `employs` and `employed` are one."""

import importlib
from collections.abc import Callable
from functools import lru_cache


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a word in lower case."""
    return _stemmer()(word) if word.isascii() and word.isalpha() else word


@lru_cache
def _stemmer() -> Callable[[str], str]:
    """Loaded with the first word that is stemmed: reading in all of Snowball's languages takes 60 ms."""
    return importlib.import_module("snowballstemmer").stemmer("english").stemWord  # type: ignore[no-any-return]  # no types
