"""Measures the claims check on labelled examples: claim, passages, and the status that is right. No model, no store.

An example goes through the whole check, as a draft of one sentence, with its passages as the sources of a run.
"""

import json
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from moot.evidence.check import check
from moot.evidence.ledger import Ledger
from moot.evidence.texts import About
from moot.text.marks import mark_of, read_citation, read_marks
from moot.text.quantities import quantities
from moot.values.errors import SettingWrong
from moot.values.evidence import Checked, ClaimStatus, Passage, Shown
from moot.values.value import Value

STATUSES: tuple[ClaimStatus, ...] = ("verified", "weak", "unsupported", "uncited", "exempt")
CHANGED_BOUND = "changed bound"
LEAST_RIGHT, OF = 148, 152
"""So many of so many must be right: the same share of any file."""


class Example(Value):
    """One labelled claim."""

    id: str
    lang: str
    kind: str
    claim: str
    passages: dict[str, str]
    """Mark → text; a table's row stands under its header row."""
    titles: dict[str, str] = {}
    published: dict[str, str] = {}
    status: ClaimStatus
    reason: str = ""
    why: str = ""


class Tried(Value):
    """An example with what the check made of it."""

    example: Example
    status: ClaimStatus
    reason: str = ""
    detail: str = ""
    ms: float

    @property
    def is_right(self) -> bool:
        """True when the status is the labelled one."""
        return self.status == self.example.status

    @property
    def is_falsely_verified(self) -> bool:
        """True for what was labelled otherwise and came out verified."""
        return self.status == "verified" and not self.is_right


def read_examples(lines: Iterable[str]) -> list[Example]:
    """The examples of a JSONL file. Raises SettingWrong that names the line."""
    found: list[Example] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(Example.model_validate_json(line))
        except ValidationError as why:
            first = why.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise SettingWrong(
                f"line {number} is no labelled claim: {place} {first['msg']}.",
                chinese=f"第 {number} 行不是带标签的陈述：{place}。",
            ) from why
    return found


async def tried(example: Example) -> Tried:
    """An example through the check."""
    draft, ledger, texts = _run_of(example)
    began = time.process_time()
    checked = (await check(draft, ledger, texts)).checked
    ms = (time.process_time() - began) * 1000
    worst = max(checked, key=lambda one: STATUSES.index(one.status), default=None) or Checked(claim="", status="exempt")
    return Tried(example=example, status=worst.status, reason=worst.reason, detail=worst.detail, ms=ms)


def passed(found: Sequence[Tried]) -> bool:
    """True when enough are right and nothing is falsely verified."""
    right = sum(one.is_right for one in found)
    return right * OF >= LEAST_RIGHT * len(found) and not any(one.is_falsely_verified for one in found)


def withstood(found: Sequence[Tried]) -> bool:
    """True when of changed claims none is verified but those whose figure is a bound: they may be true all the same."""
    return not any(one.is_falsely_verified and one.example.kind != CHANGED_BOUND for one in found)


def mutated(examples: Iterable[Example]) -> Iterator[Example]:
    """Every verified example with one of its figures ten times as great, and with another first digit."""
    for example in examples:
        if example.status != "verified":
            continue
        for at, (start, end, kind) in enumerate(_figures(example.claim)):
            digits = example.claim[start:end]
            for name, other in (("x10", _tenfold(digits)), ("digit", _other_digit(digits))):
                claim = example.claim[:start] + other + example.claim[end:]
                changed = {"id": f"{example.id}/{at + 1}{name}", "claim": claim, "status": "unsupported", "kind": kind}
                yield example.model_copy(update=changed)


def _figures(claim: str) -> Iterator[tuple[int, int, str]]:
    """Where the digits of a claim's quantities and years stand; those of marks are none."""
    for one in quantities(claim):
        digits = re.search(r"\d[\d,]*(?:\.\d+)?", one.written)
        if digits:
            kind = CHANGED_BOUND if one.bound in (">", "≥", "<", "≤") else "changed"
            yield one.start + digits.start(), one.start + digits.end(), kind


def _tenfold(digits: str) -> str:
    whole, point, rest = digits.replace(",", "").partition(".")
    return f"{whole}{rest[:1]}{point if rest[1:] else ''}{rest[1:]}" if point else f"{whole}0"


def _other_digit(digits: str) -> str:
    return f"{int(digits[0]) % 9 + 1}{digits[1:]}"


# an example as a run


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of one example."""

    texts: dict[str, str]
    cut: dict[str, tuple[Passage, ...]]
    published: dict[str, str]

    async def text(self, text_hash: str) -> str:
        return self.texts[text_hash]

    async def passages(self, text_hash: str) -> tuple[Passage, ...]:
        return self.cut[text_hash]

    async def about(self, text_hash: str) -> About:
        return About((), self.published[text_hash])

    async def is_intact(self, text_hash: str) -> bool:
        return text_hash in self.texts

    async def bytes_of(self, sha256: str) -> bytes | None:
        return None


def _run_of(example: Example) -> tuple[str, Ledger, _Texts]:
    """The claim with its marks as this run names them, the sources, and their texts."""
    by_source: dict[str, list[tuple[int, str]]] = {}
    for written, words in example.passages.items():
        for citation in read_citation(written):
            by_source.setdefault(citation.mark, []).append((citation.n, words))
    shown, texts = [], _Texts({}, {}, {})
    places: dict[tuple[str, int], str] = {}
    for mark, held in by_source.items():
        address = f"//claims.test/{mark}"
        text, passages = _text_of([words for _, words in held])
        texts.texts[mark], texts.cut[mark], texts.published[mark] = text, passages, example.published.get(mark, "")
        title = example.titles.get(mark, "")
        shown.append(Shown(mark=mark_of(address), address=address, title=title, text_hash=mark, passages=len(passages)))
        places |= {(mark, n): f"[{mark_of(address)}.{at}]" for at, (n, _) in enumerate(held, 1)}
    return _renamed(example.claim, places), Ledger(shown), texts


def _text_of(held: Sequence[str]) -> tuple[str, tuple[Passage, ...]]:
    text, passages = "", []
    for n, words in enumerate(held, 1):
        kind: Literal["row", "paragraph"] = "row" if words.lstrip().startswith("|") else "paragraph"
        header, _, body = words.rpartition("\n") if kind == "row" else ("", "", words)
        passages.append(Passage(n=n, start=len(text), end=len(text) + len(body), kind=kind, header=header))
        text += body + "\n\n"
    return text, tuple(passages)


def _renamed(claim: str, places: dict[tuple[str, int], str]) -> str:
    parts: list[str] = []
    at = 0
    for marked in read_marks(claim):
        parts.append(claim[at : marked.start])
        parts += [places.get((one.mark, one.n), str(one)) for one in marked.citations]
        at = marked.end
    return "".join((*parts, claim[at:]))


def as_json(one: Tried) -> str:
    """One line for a program."""
    return json.dumps(
        {
            "id": one.example.id, "lang": one.example.lang, "kind": one.example.kind, "right": one.is_right,
            "label": one.example.status, "status": one.status, "reason": one.reason, "detail": one.detail,
            "ms": round(one.ms, 2),
        },
        ensure_ascii=False,
    )  # fmt: skip
