"""Test: what stands in quotation marks stands word for word in a cited passage."""

import re
from collections.abc import Iterator

from moot.evidence.drafts.cleaned import bare
from moot.evidence.verdicts.case import Case, Verdict, plain
from moot.text.scripts import CJK
from moot.text.words import words

_PAIRS = {"“": "”", "「": "」", "『": "』", "«": "»", "„": "“"}
_STRAIGHT = re.compile(r"(?<![\w\"])\"([^\"\n]+)\"(?![\w\"])")
_SAYING = re.compile(
    r"(?<![\w-])(?:say|says|said|saying|tell|tells|told|state|states|stated|write|writes|wrote|call|calls|called|claim|claims|claimed|"
    r"announce[sd]?|argue[sd]?|note[sd]?|declare[sd]?|describe[sd]?)\b[^.\"“]{0,40}\Z|(?:说|表示|称|指出|认为|道|写道|强调)[^。“]{0,6}\Z",
    re.IGNORECASE,
)
_GAP = re.compile(r"\s*(?:\[[^\]]*\]|…+|\.{3,})\s*")
_ENDS = " .,;:!?。，；：！？…\"'"
_LEAST_CJK = 8


def test(case: Case) -> Verdict | None:
    """`quote_altered` when a quotation is in no cited passage; quotation marks, case and end signs aside.

    A draft's links, loose references and invented marks were taken out of what it quotes too: so they are out of the
    passage it is compared with then.
    """
    passages = [plain(held.words) for held in case.passages]
    for before, quoted in quotations(case.words):
        if not counts_as_quotation(before, quoted) or any(_stands_in(quoted, passage) for passage in passages):
            continue
        if not any(_stands_in(quoted, plain(bare(held.words))) for held in case.passages):
            part = quoted[:60] + ("…" if len(quoted) > 60 else "")
            is_whole = len(quoted) + 2 >= len(case.words)
            return Verdict(hard=True, reason="quote_altered", detail="" if is_whole else f"“{part}”")
    return None


def quotations(text: str) -> Iterator[tuple[str, str]]:
    """(what stands before, quoted words) of every quotation; one inside another belongs to it."""
    whole = text.strip()
    if whole[:1] == "“" and whole[-1:] == "”" and whole.count("“") == whole.count("”"):
        yield "", whole[1:-1]
        return
    at, closings = 0, _closings(text)
    while at < len(text):
        if text[at] in _PAIRS:
            end = closings.get(at, 0)
            if end:
                yield text[:at], text[at + 1 : end]
                at = end
        elif text[at] == '"' and (match := _STRAIGHT.match(text, at)):
            yield text[:at], match[1]
            at = match.end() - 1
        at += 1


def _closings(text: str) -> dict[int, int]:
    """Where each quotation that opens is closed; one inside another of its kind has its own close."""
    found: dict[int, int] = {}
    for opening, close in _PAIRS.items():
        opened: list[int] = []
        for match in re.finditer(f"[{opening}{close}]", text):
            if match.group() == opening:
                opened.append(match.start())
            elif opened:
                found[opened.pop()] = match.start()
    return found


def counts_as_quotation(before: str, quoted: str) -> bool:
    """False for words that are only set off: fewer than two, and nobody is said to have said them."""
    cjk = len(CJK.findall(quoted))
    enough = cjk >= _LEAST_CJK if cjk else len(words(quoted)) >= 2
    return enough or _SAYING.search(before) is not None


def _stands_in(quoted: str, passage: str) -> bool:
    """Every part of the quotation, in its order; `…` and `[the]` are gaps."""
    at = 0
    whole = plain(quoted).strip(_ENDS)
    if whole in passage:
        return True
    for part in _GAP.split(plain(quoted)):
        part = part.strip(_ENDS)
        if part:
            found = passage.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
    return at > 0
