"""Shows a draft's and a quote's signs as signs: no HTML comes alive in a viewer, and `__enter__` is a name, not bold.

Only the Markdown a reader gets is changed so; what is kept as evidence stays as it was read.
"""

import re

from moot.evidence.drafts.edits import Edits
from moot.evidence.drafts.untouched import untouched

_OPENS = re.compile(r"(?P<slashes>\\*)<(?=[A-Za-z/!?])")
_TAG = re.compile(r"<(?=[A-Za-z/!?][^<>]*>)")
_NAME = re.compile(r"(?<![\w\\])__[a-z0-9]+(?:_[a-z0-9]+)*__(?!\w)")


def as_signs(markdown: str) -> str:
    """The Markdown with `\\<` where HTML or an automatic link would begin, and `\\_` around names; code is left alone.

    In math, which no backslash may enter, a whole tag gets a blank behind its `<`.
    """
    edits = Edits(markdown)
    for found in edits.find(_OPENS):
        if len(found["slashes"]) % 2 == 0:
            edits.replace(found.end() - 1, found.end(), "\\<")
    for name in edits.find(_NAME):
        edits.replace(*name.span(), name[0].replace("_", r"\_"))
    for start, end in untouched(markdown):
        if markdown[start] not in "`~ \t":
            for tag in _TAG.finditer(markdown, start, end):
                edits.replace(tag.end(), tag.end(), " ")
    return edits.made()
