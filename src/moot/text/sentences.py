"""Where sentences end. Cutting a text into passages is passages.py's business."""

import re

from moot.text.scripts import CJK_SET
from moot.text.words import FUNCTION_WORDS

ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st sr jr rev hon gen col capt lt sgt cmdr gov sen rep pres no nos vs e.g i.e cf viz al fig figs "
    "eq eqs approx ca c vol vols ed eds pp p ch sec sect para art ref refs resp est dept univ inst assn bros messrs mt "
    "ft jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun z.b d.h bzw ggf "
    "usw u.a bd nr hr hrsg s.a p.ex etc inc ltd co corp llc plc u.s u.k u.n e.u a.m p.m ph.d b.a m.a m.sc b.sc u.s.a "
    "d.c".split()
)
"""After these a full stop ends nothing, unless what follows is a word that begins sentences (The, It, However …)."""

_STARTERS = FUNCTION_WORDS | {"however", "moreover", "although", "meanwhile", "therefore"}
_NEVER_END = frozenset("mr mrs ms dr prof e.g i.e cf vs fig figs eq eqs no nos approx viz messrs z.b d.h".split())

CLOSERS = "\"'”’»›」』）)\\]】］〉》〕*_`"
_MARK = r"[SＳ][0-9a-fA-F０-９][^\[\]【】［］\n]{0,200}|\d{1,4}(?:[\s,–-]+\d{1,4})*"
_NOTE = rf"(?:\\?[\[【［]\s*(?:{_MARK})\s*\\?[\]】］]|⟨[^⟩\n]*⟩)"
_SIGN = re.compile(rf"[.!?…。！？؟۔।\n](?:(?<=[\n。！？؟۔।])|(?=[.!?…{CLOSERS}]*(?:\s|\Z|[\[【［⟨。！？{CJK_SET}])))")
"""What may end a sentence: a full-width sign, or another before a blank, a mark or a Chinese character."""
_LABEL_CHARS = 24
_SIGNS = re.compile(r"[.!?…。！？؟۔।]+")
_HARD = "。！？؟۔।"
_ENDED = re.compile(rf"[{CLOSERS}]*(?:\s|\Z|[\[【［⟨{CJK_SET}])")
"""What may follow a sign that ends a sentence, after its closing quotes."""
_NEW_BLOCK = re.compile(r"(?:[^\S\n]*\n)+|(?=[^\S\n]*(?:[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|\||>\s?[-*+]\s))")
"""What follows a line break that ends a block: an empty line, or the next item, heading or row."""
_TAIL = re.compile(rf"[{CLOSERS}]*(?:[^\S\n]{{0,4}}\n?[^\S\n]{{0,4}}{_NOTE}[.。]?)*")
_NEXT = re.compile(r"\s*(?P<open>[\"'“‘«「『（(\[【［*_`>¿¡–—-]*)\s*(?P<first>\S?)(?P<rest>[^\W\d_]*)")
_NOTE_SIGN = re.compile(r"[\[【［⟨]")
_TOKEN_BEFORE = re.compile(r"[^\s(（\[“\"‘'「]*\Z")


def sentences(text: str) -> list[tuple[int, int]]:
    """(start, end) of every sentence, without blanks around it. Closing quotes, brackets and marks belong to it."""
    found: list[tuple[int, int]] = []
    start = at = 0
    while (sign := _SIGN.search(text, at)) is not None:
        at = sign.end()
        if sign.group() == "\n":
            new = _NEW_BLOCK.match(text, at)
            if new:
                _add(found, text, start=start, end=sign.start())
                start = at = new.end()
            continue
        end = _ends_at(text, start, sign.start())
        if end:
            _add(found, text, start=start, end=end)
            start = at = end
        elif text[at : at + 1] in ".!?…":
            signs = _SIGNS.match(text, at)
            at = signs.end() if signs else at
    _add(found, text, start=start, end=len(text))
    return found


def _ends_at(text: str, start: int, sign: int) -> int:
    """Where the sentence ends whose last sign may be the one at `sign`; 0 when none ends there."""
    signs = _SIGNS.match(text, sign)
    stop = signs.end() if signs else sign + 1
    written = text[sign:stop]
    hard = any(ch in _HARD for ch in written)
    if not hard and not _ENDED.match(text, stop):
        return 0
    tail = _TAIL.match(text, stop)
    end = tail.end() if tail else stop
    if written.strip(".") == "":
        return end if _stop_ends(text, start, sign, end=end) else 0
    if not hard:
        follows = _NEXT.match(text, end)
        if follows and follows["first"].islower() and not follows["open"]:
            return 0  # “Really?” he asked · wait… what
    return end


def _add(found: list[tuple[int, int]], text: str, *, start: int, end: int) -> None:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        left = start + len(piece) - len(piece.lstrip())
        found.append((left, left + len(bare)))


def _stop_ends(text: str, start: int, stop: int, *, end: int) -> bool:
    follows = _NEXT.match(text, end)
    first = follows["first"] if follows else ""
    if not first and not (follows and follows["open"]):
        return True
    marked = end - stop > 2 and _NOTE_SIGN.search(text, stop, end) is not None
    if first.islower() and not marked:
        return False
    if not (first.isalnum() or (follows and follows["open"])) and not marked:
        return False
    found = _TOKEN_BEFORE.search(text, max(start, stop - 40), stop)
    token = found.group() if found else ""
    if token.isdigit() and stop - start < _LABEL_CHARS and not text[start : stop - len(token)].strip(" \t\n>-*+•#"):
        return False  # the label of a list
    is_initial = len(token) == 1 and token.isupper() and token.isascii()
    if token.lower() not in ABBREVIATIONS and not is_initial:
        return True
    if token.lower() in _NEVER_END or not follows:
        return False
    return (first + follows["rest"]).lower() in _STARTERS
