"""Where a reader's copy differs from the report made again: by sentence where one changed, else by line.

A changed sentence is checked anew, as it stands in the copy, on the passages of the one whose place it took.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from moot.evidence.audit.copies import Compared
from moot.evidence.check import check
from moot.evidence.drafts.claims import Piece, pieces
from moot.evidence.ledger import Ledger
from moot.evidence.texts import Texts
from moot.values.evidence import Checked
from moot.values.value import Value

LONGEST = 200
_SHOWN = re.compile(r"\[\d+\]|\s*⟨[^⟩]*⟩")
_MARKS_OF_QUOTATION = re.compile('[“”"„«»「」『』]')


class Problem(Value):
    """One thing that is not as it was kept. `what`: hash, quote, claim, number, text, or a reason as number_differs."""

    what: str
    where: str
    """The hash, the mark, or the sentence."""
    detail: str = ""


async def altered(made: Iterable[Checked], said: Compared, ledger: Ledger, *, texts: Texts) -> list[Problem]:
    """Where a copy differs from the report as it was made again, with these claims."""
    ours, theirs = said.ours.rstrip(), said.theirs.rstrip()
    claims = {claim.claim: claim for claim in made}
    problems: list[Problem] = []
    named: set[str] = set()
    """Lines of the copy whose difference is told by a sentence of theirs."""
    for old, new, line in _changed_sentences(ours, theirs):
        claim = claims.get(old.words)
        if claim is not None:
            problems.append(await _tried(new, claim, ledger, texts=texts))
            named.add(line)
    return problems + list(_changed_lines(ours, theirs, named))


def _changed_sentences(ours: str, theirs: str) -> Iterator[tuple[Piece, Piece, str]]:
    """(as it was, as it is, its line in the copy) of every sentence that took another's place."""
    plain = _SHOWN.sub("", theirs)
    before, after = pieces(_SHOWN.sub("", ours)), pieces(plain)
    lines = theirs.split("\n")
    for i, i_end, j, j_end in _differences([one.words for one in before], [one.words for one in after]):
        for old, new in zip(before[i:i_end], after[j:j_end], strict=False):
            yield old, new, lines[plain.count("\n", 0, new.start)]


def _changed_lines(ours: str, theirs: str, named: set[str]) -> Iterator[Problem]:
    before, after = ours.split("\n"), theirs.split("\n")
    for i, i_end, j, j_end in _differences(before, after):
        changed = [line for line in after[j:j_end] if line.strip()]
        for line in changed:
            if line not in named:
                yield Problem(what="text", where=line[:LONGEST], detail="not as it was written")
        for line in [line for line in before[i:i_end] if line.strip()][len(changed) :]:
            yield Problem(what="text", where=line[:LONGEST], detail="not in this copy")


def _differences(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Places that differ. What is alike at both ends is left out first: most copies differ in one place."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    middle = before[start : len(before) - end], after[start : len(after) - end]
    for how, i, i_end, j, j_end in difflib.SequenceMatcher(None, *middle, autojunk=False).get_opcodes():
        if how != "equal":
            yield start + i, start + i_end, start + j, start + j_end


async def _tried(new: Piece, claim: Checked, ledger: Ledger, *, texts: Texts) -> Problem:
    """What the check says of a changed sentence; of an altered quotation, that its figure differs when it does."""
    found = await _checked(new, claim, ledger, texts=texts)
    detail = found.detail if found else ""
    if found is not None and found.reason == "quote_altered":
        unquoted = await _checked(_unquoted(new), claim, ledger, texts=texts)
        if unquoted is not None and unquoted.reason.startswith(("number_", "date_", "unit_")):
            detail = "; ".join(part for part in (unquoted.detail, "quote_altered") if part)
            found = unquoted
    failed = found is not None and found.status in ("weak", "unsupported")
    what = found.reason if found is not None and failed else "text"
    return Problem(what=what, where=new.words[:LONGEST], detail=detail or ("" if failed else "not as it was written"))


def _unquoted(piece: Piece) -> Piece:
    return replace(piece, words=_MARKS_OF_QUOTATION.sub("", piece.words))


async def _checked(piece: Piece, claim: Checked, ledger: Ledger, *, texts: Texts) -> Checked | None:
    """The sentence alone, on the claim's passages."""
    marks = "".join(map(str, claim.citations))
    draft = f"{piece.words} {marks}\n"
    if piece.row is not None:
        label, column, cell = (part.replace("|", "\\|") for part in piece.row)
        draft = f"| - | {column} |\n|---|---|\n| {label} | {cell} {marks} |\n"
    return next(iter((await check(draft, ledger, texts)).checked), None)
