"""Which source has which mark: within one agent's scope as it goes, and over a whole run as a fold of step results.

Marks are made from addresses (text/marks.py). A ledger is never kept: it is folded again from what is.
"""

from collections.abc import Iterable, Mapping, Sequence

from moot.text.marks import mark_of, rewrite, rewrite_bare, written_mark
from moot.values.evidence import Shown
from moot.values.plans import Computation, Finding, StepResult
from moot.values.value import Mark


class Ledger:
    """Sources by mark, in the order they entered. Owned by whoever folds it; others only read."""

    def __init__(self, sources: Iterable[Shown] = ()) -> None:
        self._address_of: dict[Mark, str] = {}
        self._mark_of: dict[str, Mark] = {}
        self._shown: dict[tuple[Mark, int], Shown] = {}
        self._version_of: dict[tuple[Mark, str], int] = {}
        for shown in sources:
            self.enter(shown)

    def enter(self, shown: Shown) -> Shown:
        """The source as this ledger names it: a longer mark when its own is another's, version 2 for a second text."""
        mark = self._mark_of.get(shown.address) or self._free(shown)
        self._address_of[mark] = shown.address
        self._mark_of[shown.address] = mark
        version = self._version_of.get((mark, shown.text_hash))
        if version is None:
            version = self._free_version(mark, shown.version)
            self._version_of[mark, shown.text_hash] = version
            same = shown.mark == mark and shown.version == version
            self._shown[mark, version] = shown if same else shown.model_copy(update={"mark": mark, "version": version})
        return self._shown[mark, version]

    def _free(self, shown: Shown) -> Mark:
        """The mark it came with when that is free, else the shortest free longer one of its address."""
        whole = mark_of(shown.address, 64)
        asked = shown.mark if shown.mark and whole.startswith(shown.mark) and len(shown.mark) > 4 else whole[:5]
        for digits in range(len(asked), len(whole) + 1):
            if (mark := Mark(whole[:digits])) not in self._address_of:
                return mark
        raise AssertionError(f"two addresses with one SHA-256: {shown.address}")

    def _free_version(self, mark: Mark, asked: int) -> int:
        if (mark, asked) not in self._shown:
            return asked
        return 1 + max(version for known, version in self._shown if known == mark)

    @property
    def sources(self) -> tuple[Shown, ...]:
        """Every source, in the order they entered."""
        return tuple(self._shown.values())

    def source(self, mark: str, version: int = 1) -> Shown | None:
        """The source a mark names; None when no source of this run has it."""
        return self._shown.get((Mark(mark), version))

    def at(self, address: str) -> Shown | None:
        """The newest text of an address; None when it is no source."""
        mark = self._mark_of.get(address)
        found = [shown for (known, _), shown in self._shown.items() if known == mark] if mark else []
        return found[-1] if found else None


class ScopeLedger:
    """The sources one agent was shown, as it was shown them. Its owner is the loop; one a scope.

    `known`: sources of earlier steps whose marks the agent reads in its prompt, so that no new one may look the same.
    """

    def __init__(self, known: Iterable[Shown] = ()) -> None:
        self._ledger = Ledger(known)
        self._admitted: dict[tuple[Mark, int], Shown] = {}

    def admit(self, result_text: str, shown: Sequence[Shown]) -> tuple[str, tuple[Shown, ...]]:
        """Takes in what a tool showed: the sources as this scope names them, and the text with its marks to match."""
        named = tuple(self._ledger.enter(source) for source in shown)
        for source in named:
            self._admitted.setdefault((source.mark, source.version), source)
        return rewrite(result_text, _renamed(shown, named)), named

    @property
    def sources(self) -> tuple[Shown, ...]:
        """What was shown in this scope, in the order shown, each once."""
        return tuple(self._admitted.values())

    def source(self, mark: str, version: int = 1) -> Shown | None:
        """The source a mark names here, an earlier step's too; None when there is none."""
        return self._ledger.source(mark, version)


def fold(results: Sequence[StepResult], *, before: Sequence[Shown] = ()) -> tuple[tuple[StepResult, ...], Ledger]:
    """The run's ledger, and the results with their marks to match it.

    Results come in plan order, whatever finished first; `before` is what was read ahead of all steps (background).
    Folding what was folded changes nothing.
    """
    ledger = Ledger(before)
    folded: list[StepResult] = []
    for result in results:
        named = tuple(ledger.enter(source) for source in result.sources)
        folded.append(_with_marks(result, named, _renamed(result.sources, named)))
    return tuple(folded), ledger


def _renamed(shown: Sequence[Shown], named: Sequence[Shown]) -> Mapping[Mark, Mark]:
    pairs = (
        (written_mark(a.mark, a.version), written_mark(b.mark, b.version)) for a, b in zip(shown, named, strict=True)
    )
    return {old: new for old, new in pairs if old != new}


def _with_marks(result: StepResult, named: tuple[Shown, ...], renamed: Mapping[Mark, Mark]) -> StepResult:
    sources = tuple(dict.fromkeys(named))
    if not renamed:
        return result.model_copy(update={"sources": sources})
    return result.model_copy(
        update={
            "sources": sources,
            "detail": rewrite(result.detail, renamed),
            "finding": _finding(result.finding, renamed) if result.finding else None,
            "computation": _computation(result.computation, renamed) if result.computation else None,
        }
    )


def _finding(finding: Finding, renamed: Mapping[Mark, Mark]) -> Finding:
    claims = (
        claim.model_copy(
            update={
                "text": rewrite(claim.text, renamed),
                "marks": tuple(rewrite_bare(mark, renamed) for mark in claim.marks),
            }
        )
        for claim in finding.claims
    )
    return finding.model_copy(
        update={
            "restated": rewrite(finding.restated, renamed),
            "claims": tuple(claims),
            "conclusion": rewrite(finding.conclusion, renamed),
            "missing": tuple(rewrite(text, renamed) for text in finding.missing),
        }
    )


def _computation(computation: Computation, renamed: Mapping[Mark, Mark]) -> Computation:
    values = (
        figure.model_copy(update={"basis": rewrite(figure.basis, renamed), "value": rewrite(figure.value, renamed)})
        for figure in computation.values
    )
    return computation.model_copy(update={"text": rewrite(computation.text, renamed), "values": tuple(values)})
