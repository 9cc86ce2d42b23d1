"""Cuts a query to what an engine takes: from the end, at a word's border; what names the thing is kept."""

import re

from moot.text.names import named_things
from moot.text.scripts import is_cjk

_QUOTED = re.compile(r"\"[^\"\n]{1,100}\"|“[^”\n]{1,100}”|「[^」\n]{1,100}」")
_NAMES_KEPT = 3
_READ = 10_000
"""Of a query, so many characters are looked at: a model may write a book."""


def cut(query: str, *, longest: int, most_words: int | None = None) -> str:
    """The query in one line, at most so many characters and words. What fits is only put in one line."""
    query = " ".join(query[: 4 * _READ].split())[:_READ]
    if _fits(query, longest, most_words):
        return query
    kept: list[str] = []
    for name in dict.fromkeys([*_QUOTED.findall(query), *named_things(query)[:_NAMES_KEPT]]):
        if _fits(" ".join((*kept, name)), longest // 2, most_words and most_words // 2):
            kept.append(name)
    query = _begun(query, longest)
    while True:
        missing = [name for name in kept if name not in query]
        whole = " ".join((query, *missing)).strip()
        if _fits(whole, longest, most_words) or not query:
            return whole
        query = _shorter(query)


def _fits(text: str, longest: int, most_words: int | None) -> bool:
    return len(text) <= longest and (most_words is None or len(text.split()) <= most_words)


def _begun(query: str, longest: int) -> str:
    """The beginning that could fit: one cut, where going back word by word takes the square of the length."""
    head, following = query[:longest], query[longest : longest + 1]
    breaks_a_word = following not in ("", " ") and not is_cjk(following) and " " in head
    return _shorter(head) if breaks_a_word else head


def _shorter(text: str) -> str:
    """Without its last word; of running Chinese without its last character."""
    if is_cjk(text[-1]):
        return text[:-1].rstrip()
    head, _, last = text.rpartition(" ")
    if any(map(is_cjk, last)) or not head:
        return text[:-1].rstrip()
    return head.rstrip()
