"""What a judge's verdicts change of a checked draft. Who judges, and how it is asked, is patterns/judge.py's business.

A verdict counts only with the passage's own words for it. It may lower any status and raise what was weak for want of
words; what a hard test found stays.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from moot.evidence.check import CheckedDraft
from moot.values.evidence import Checked, Citation, Judged

MAY_BE_RAISED = ("other_language", "low_overlap", "entity_absent")
_ORDER = ("unsupported", "weak", "verified")
_LONGEST = 60


def with_verdicts(draft: CheckedDraft, judged: Iterable[Judged]) -> CheckedDraft:
    """The draft with the verdicts that are not void. The same verdicts twice change nothing more."""
    words = {quote.citation: _folded(quote.words) for quote in draft.quotes}
    verdicts = {(one.claim, one.citations): one for one in judged if not is_void(one, words)}
    if not verdicts:
        return draft
    checked = (_judged(one, verdicts.get((one.claim, one.citations))) for one in draft.checked)
    return replace(draft, checked=tuple(checked))


def is_void(one: Judged, words: Mapping[Citation, str]) -> bool:
    """True when the span is no part of a passage that the claim cites."""
    span = _folded(one.span)
    return not span or not any(span in _folded(words.get(citation, "")) for citation in one.citations)


def asks_for_judge(checked: Sequence[Checked], which: str) -> list[Checked]:
    """The claims that are judged: `other_language`, what no word could be compared of; `all`, whatever has passages."""
    if which == "off":
        return []
    cited = [one for one in checked if one.citations and one.status in ("verified", "weak")]
    return cited if which == "all" else [one for one in cited if one.reason == "other_language"]


def _judged(claim: Checked, verdict: Judged | None) -> Checked:
    if verdict is None or claim.status not in _ORDER:
        return claim
    now, said = _ORDER.index(claim.status), _ORDER.index(verdict.verdict)
    judged = claim.model_copy(update={"judged": True})
    if said < now:
        span = " ".join(verdict.span.split())
        short = f"“{span[:_LONGEST]}{'…' if len(span) > _LONGEST else ''}”"
        return judged.model_copy(update={"status": verdict.verdict, "reason": "judged", "detail": short})
    if said > now and claim.status == "weak" and claim.reason in MAY_BE_RAISED:
        return judged.model_copy(update={"status": "verified", "reason": "", "detail": ""})
    return judged


def _folded(text: str) -> str:
    return " ".join(text.split())
