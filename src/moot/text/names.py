"""What a question names: words capitalised past a sentence's start, acronyms, and what stands in quotation marks.

Whether a passage names the same is the claims check's business.
"""

import re

from moot.text.words import FUNCTION_WORDS, is_function_word

_QUOTED = re.compile(
    r"\"([^\"\n]{1,80})\"|“([^”\n]{1,80})”|「([^」\n]{1,80})」|『([^』\n]{1,80})』|《([^》\n]{1,80})》|`([^`\n]{1,80})`"
    r"|(?<!\w)‘([^’\n]{1,80})’(?!\w)|(?<![\w'])'([^'\n]{1,80})'(?![\w'])"
)
_WORD = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ0-9_]+(?:[.&/+-][A-Za-zÀ-ɏЀ-ӿ0-9_]+|[+#]+)*")
_START = re.compile(r"(?:\A|[.!?。！？\n…]|[.!?][\"”’)])[\s\"“‘'(*_>#-]*\Z")
_BETWEEN = re.compile(r"[ \u00a0]")


def named_things(text: str) -> list[str]:
    """The things a text names, in order, each once: `Burj Khalifa`, `GIL`, what is quoted. Function words aside."""
    found: list[tuple[int, str]] = []
    covered: list[tuple[int, int]] = []
    for match in _QUOTED.finditer(text):
        inner = next(group for group in match.groups() if group is not None).strip()
        covered.append(match.span())
        if inner and not is_function_word(inner):
            found.append((match.start(), inner))
    run: list[str] = []
    run_start = end = -1
    for match in _WORD.finditer(text):
        if any(low <= match.start() < high for low, high in covered):
            continue
        if run and not _BETWEEN.fullmatch(text[end : match.start()]):
            found.append((run_start, " ".join(run)))
            run = []
        if is_name(match.group(), at_start=_START.search(text[max(0, match.start() - 12) : match.start()]) is not None):
            run_start = run_start if run else match.start()
            run.append(match.group())
            end = match.end()
        elif run:
            found.append((run_start, " ".join(run)))
            run = []
    if run:
        found.append((run_start, " ".join(run)))
    return list(dict.fromkeys(name for _, name in sorted(found)))


def is_name(word: str, *, at_start: bool) -> bool:
    """True for a capitalised word past a sentence's start, an acronym, or a word with inner capitals."""
    if word.lower() in FUNCTION_WORDS or not any(ch.isalpha() for ch in word):
        return False
    if any(ch.isupper() for ch in word[1:]):
        return True
    return word[0].isupper() and len(word) > 1 and not at_start
