"""Fits what was found into a model's window: results of searches, a page to be digested, points for the writer.

Pure. `size` is a text's tokens (text/tokens.py). What cannot fit is refused before anything is spent.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from moot.patterns.brief.values import Searched
from moot.text.marks import read_citation
from moot.text.sentences import sentences
from moot.text.tokens import estimate
from moot.values.errors import SettingWrong
from moot.values.plans import Claim, StepResult

MOST_ROOM = 8_000
LEAST_ROOM = 200
_MARGIN = 100
_SHORT = 200

Size = Callable[[str], int]


def room_for(*, window: int, prompt: int, reserve: int) -> int:
    """Tokens of a page beside its prompt and the reply. Raises SettingWrong(context_too_small) below 200."""
    room = min(window - prompt - reserve - _MARGIN, MOST_ROOM)
    if room < LEAST_ROOM:
        raise too_small(room, window)
    return room


def too_small(room: int, window: int) -> SettingWrong:
    """The refusal of a model whose window does not hold what it must read."""
    return SettingWrong(
        f"context_too_small: {room:,} of {window:,} tokens of the model's window are left for what it must read. Name "
        "a larger model, or say its window in models.profiles.",
        code="context_too_small",
        chinese=f"context_too_small：模型窗口的 {window:,} 个 token 中只剩 {room:,} 个可供阅读。"
        "请换用窗口更大的模型，或在 models.profiles 中写明其窗口。",
    )


# results, for the decomposer


def fit_results(searched: Sequence[Searched], most: int, told: Callable[[Sequence[Searched]], str]) -> list[Searched]:
    """Searches that fit as they are told: the longest list loses its last result, of equal ones the later.

    With one result each left, snippets are cut to 200 characters, and last only titles stay.
    """
    kept = list(searched)
    while estimate(told(kept)) > most:
        longest = max(range(len(kept)), key=lambda at: (len(kept[at].results), at), default=None)
        if longest is None or len(kept[longest].results) <= 1:
            break
        shorter = kept[longest].results[:-1]
        kept[longest] = kept[longest].model_copy(update={"results": shorter})
    for length in (_SHORT, 0):
        if estimate(told(kept)) > most:
            kept = [_with_snippets(one, length) for one in kept]
    return kept


def _with_snippets(searched: Searched, length: int) -> Searched:
    results = tuple(found.model_copy(update={"snippet": found.snippet[:length]}) for found in searched.results)
    return searched.model_copy(update={"results": results})


# a page, for the digester


def chunks(passages: Sequence[str], room: int, size: Size = estimate, *, marks: Sequence[str] = ()) -> list[list[str]]:
    """Passages in parts that fit, greedily and in order; one too long begins a part of its own and is cut.

    Nothing is lost, and no part is empty. With `marks` each passage, and each piece of one, stands after its own.
    """
    made: list[list[str]] = []
    left = 0
    for at, passage in enumerate(passages):
        lead = f"{marks[at]} " if marks else ""
        whole = size(lead + passage) <= room
        for place, piece in enumerate([passage] if whole else pieces(passage, room - size(lead), size)):
            wanted = size(lead + piece)
            if not made or wanted > left or (not whole and place == 0):
                made.append([])
                left = room
            made[-1].append(lead + piece)
            left -= wanted
    return made


def pieces(text: str, room: int, size: Size = estimate) -> list[str]:
    """A text cut to size: at sentences, where those are too long at words, and last at characters."""
    return list(_packed(text, room, size, cuts=(_at_sentences, _at_words, _at_characters)))


Cut = Callable[[str], list[str]]


def _packed(text: str, room: int, size: Size, *, cuts: Sequence[Cut]) -> Iterator[str]:
    pending = ""
    for part in cuts[0](text):
        if size(pending + part) <= room:
            pending += part
            continue
        if pending:
            yield pending
        pending = ""
        if size(part) <= room or len(cuts) == 1:
            pending = part
        else:
            *whole, pending = _packed(part, room, size, cuts=cuts[1:])
            yield from whole
    if pending:
        yield pending


def _at_sentences(text: str) -> list[str]:
    return _between(text, [start for start, _ in sentences(text)][1:])


def _at_words(text: str) -> list[str]:
    return _between(text, [at for at in range(1, len(text)) if text[at - 1].isspace() and not text[at].isspace()])


def _at_characters(text: str) -> list[str]:
    return list(text)


def _between(text: str, places: Sequence[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *places, len(text)]) if end > start]


# points, for the writer


def fit_points(
    results: Sequence[StepResult], most: int, told: Callable[[Sequence[StepResult]], str], *, window: int
) -> list[StepResult]:
    """Results that fit as they are told: the page with most points loses its last; each keeps one.

    Then points are cut to 200 characters. Raises SettingWrong(context_too_small) when even those do not fit.
    """
    kept = list(results)
    while estimate(told(kept)) > most and (at := _fullest(kept)) is not None:
        place, last = at
        kept[place] = _with_claims(kept[place], [c for c in claims_of(kept[place]) if c is not last])
    if estimate(told(kept)) > most:
        kept = [_with_claims(one, [_shortened(claim) for claim in claims_of(one)]) for one in kept]
    if estimate(told(kept)) > most:
        raise too_small(most, window)
    return kept


def claims_of(result: StepResult) -> tuple[Claim, ...]:
    """The points of a sub-question."""
    return result.finding.claims if result.finding else ()


def page_of(claim: Claim) -> str:
    """The mark of the page a point was read on."""
    return next((citation.mark for mark in claim.marks for citation in read_citation(mark)), "")


def _fullest(results: Sequence[StepResult]) -> tuple[int, Claim] | None:
    """The last point of the page with most points, of equal ones the later; None when each has only one."""
    points: dict[tuple[int, str], list[Claim]] = {}
    for place, result in enumerate(results):
        for claim in claims_of(result):
            points.setdefault((place, page_of(claim)), []).append(claim)
    found = max(enumerate(points.items()), key=lambda one: (len(one[1][1]), one[0]), default=None)
    if found is None or len(found[1][1]) < 2:
        return None
    (place, _), claims = found[1]
    return place, claims[-1]


def _with_claims(result: StepResult, claims: Sequence[Claim]) -> StepResult:
    if result.finding is None:
        return result
    return result.model_copy(update={"finding": result.finding.model_copy(update={"claims": tuple(claims)})})


def _shortened(claim: Claim) -> Claim:
    text = claim.text if len(claim.text) <= _SHORT else claim.text[: _SHORT - 1] + "…"
    return claim.model_copy(update={"text": text})
