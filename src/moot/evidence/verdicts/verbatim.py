"""Claims that are nothing but words of their passages: quotations, whole sentences, printed lines, cells.

Such a claim is verified, whatever else could be tested of it; quotations.py has tested its quotations before.
"""

import re

from moot.evidence.verdicts.case import Case, Held, plain
from moot.evidence.verdicts.quotations import quotations
from moot.text.words import terms, words

_STOPS = tuple(".!?。！？…;；")
_ENDS = " .,;:!?。，；：！？…\"'"
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TURNING = frozenset("not no none never nor neither without less fewer".split())
"""Words that turn a claim round: beside a printed line they must be a passage's own."""
_TURNING_CJK = re.compile("[不没未无非否]")


def is_verbatim(case: Case) -> bool:
    """True when the claim says nothing but what stands in a passage as it stands there."""
    return any(_is_cell(case, held) for held in case.passages) if case.row else _is_repeated(case)


def _is_repeated(case: Case) -> bool:
    """True for whole sentences of a passage, for a quotation alone (tested before), for a printed line."""
    claim = plain(case.words).strip(_ENDS)
    if claim and any(_is_whole(claim, plain(held.words)) for held in case.passages):
        return True
    left = case.words
    for _, quoted in quotations(case.words):
        left = left.replace(quoted, " ", 1)
    if left != case.words and not re.search(r"\w", left):
        return True
    return _is_printed(claim, case.passages)


def _is_whole(claim: str, passage: str) -> bool:
    """The claim stands in the passage from one sentence's beginning to one's end: nothing before it can turn it."""
    at = passage.find(claim)
    if at < 0:
        return False
    before, after = passage[:at].rstrip(), passage[at + len(claim) :].lstrip("\"' ”’」』)")
    return (not before or before[-1] in _STOPS or before[-1] == "|") and (not after or after[0] in _STOPS)


def _is_printed(claim: str, passages: tuple[Held, ...]) -> bool:
    """A computation's line with its inputs: as printed, and beside it only words and figures of the passages."""
    lines = [plain(held.words) for held in passages if held.kind == "computation"]
    printed = next((line for line in sorted(lines, key=len, reverse=True) if _token_in(line, claim)), "")
    if not printed:
        return False
    left = claim.replace(printed, " ", 1)
    held = " ".join(plain(" ".join((one.words, one.title, *one.heading))) for one in passages)
    known, turned = set(terms(held)), set(words(held))
    return (
        set(_NUMBER.findall(left)) <= set(_NUMBER.findall(held))
        and set(terms(left)) <= known
        and set(words(left)) & _TURNING <= turned
        and set(_TURNING_CJK.findall(left)) <= turned
    )


def _is_cell(case: Case, held: Held) -> bool:
    """The cell stands in the passage, and its row's label in the passage, its header, heading or title."""
    if case.row is None:
        return False
    label, _, cell = (plain(part) for part in case.row)
    around = set(terms(" ".join((held.words, held.header, held.title, *held.heading))))
    return _token_in(cell.strip(_ENDS), plain(held.words)) and all(term in around for term in terms(label))


def _token_in(part: str, whole: str) -> bool:
    """`12` stands in `12 MWh`, not in `112` or `12.5`."""
    if not part:
        return False
    return re.search(rf"(?<![\w.,]){re.escape(part)}(?!\w|[.,]\d)", whole) is not None
