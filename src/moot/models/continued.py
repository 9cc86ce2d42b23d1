"""Joins a text that was cut off by the output limit with its continuation, and cuts back what stays unfinished."""

import difflib
import re

CUT_MARK = "⟨cut: output limit⟩"
TAIL = 1_500
"""Characters of a cut-off text that a model is shown when asked to go on."""

_LEAST_OVERLAP = 20
_RESTART = 200
_ALIKE = 0.9
_SENTENCE_END = re.compile(r"[.!?…](?=[\s\"'”’)\]*_]|$)[\"'”’)\]*_]*|[。！？][”’」』]*|\n\n")


def continued(before: str, after: str) -> str | None:
    """Both joined at their longest overlap of 20 characters or more; None when `after` begins the text anew."""
    start, head = after.lstrip()[:_RESTART], before.lstrip()[:_RESTART]
    if (
        len(start) == len(head) == _RESTART
        and difflib.SequenceMatcher(None, head, start, autojunk=False).ratio() >= _ALIKE
    ):
        return None
    for size in range(min(len(before), len(after), 2 * TAIL), _LEAST_OVERLAP - 1, -1):
        if before.endswith(after[:size]):
            return before + after[size:]
    return before + after


def cut_back(text: str) -> str:
    """The text up to its last whole sentence or block, marked as cut."""
    ends = [end.end() for end in _SENTENCE_END.finditer(text)]
    whole = text[: ends[-1]].rstrip() if ends else text.rstrip()
    return f"{whole}\n\n{CUT_MARK}"
