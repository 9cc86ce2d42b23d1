"""Marks in a checked draft what did not pass, where a reader sees it; takes it out of key points and summaries."""

import re

from moot.evidence.check import CheckedDraft
from moot.evidence.drafts.edits import Edits
from moot.evidence.labels import SUMMARIES, label
from moot.text.language import is_chinese
from moot.values.evidence import Checked

_ONLY_SIGNS = re.compile(r"[\s>*+•\d.)、-]*\Z")


def with_notes(draft: CheckedDraft, locale: str) -> tuple[str, tuple[str, ...]]:
    """The draft with a note behind each sentence that failed, and the statements that were taken out, with theirs."""
    edits = Edits(draft.markdown)
    taken: list[str] = []
    for checked, (start, end), headings in zip(draft.checked, draft.places, draft.headings, strict=True):
        note = note_of(checked, locale)
        if not note:
            continue
        if checked.status == "unsupported" and any(_is_summary(heading) for heading in headings[1:] or headings):
            taken.append(f"{' '.join(draft.markdown[start:end].split()).lstrip('>-*+ ')} {note}")
            edits.remove(*_with_signs(draft.markdown, start, end))
        else:
            edits.replace(end, end, f" {note}")
    return edits.made(), tuple(taken)


def note_of(checked: Checked, locale: str) -> str:
    """`⟨weak: …⟩`, `⟨not supported: …⟩`, `⟨no source⟩`; `` for what passed."""
    if checked.status in ("verified", "exempt"):
        return ""
    words = label(checked.status, locale)
    if checked.status == "uncited":
        return f"⟨{words}⟩"
    between = " " if checked.status == "weak" and not is_chinese(locale) else label("comma", locale)
    return f"⟨{words}{between.join(part for part in (checked.reason, checked.detail) if part)}⟩"


def _is_summary(heading: str) -> bool:
    return any(word in heading.casefold() for word in SUMMARIES)


def _with_signs(text: str, start: int, end: int) -> tuple[int, int]:
    """A whole line when nothing but signs of Markdown would stay of it."""
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end + 1
    if _ONLY_SIGNS.match(text[line_start:start]) and not text[end:line_end].strip():
        between_blanks = text[:line_start].endswith("\n\n") and text[line_end : line_end + 1] == "\n"
        return line_start, line_end + between_blanks
    return start, end
