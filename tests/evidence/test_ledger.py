"""Marks in a scope and over a run: one assignment, whatever order siblings came in."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.evidence.ledger import Ledger, ScopeLedger, fold
from moot.text.marks import mark_of
from moot.values.evidence import Shown
from moot.values.plans import Claim, Computation, Figure, Finding, StepResult
from moot.values.value import Mark

FIRST, SECOND = "//example.org/page/110", "//example.org/page/157"
"""Two addresses whose hashes begin alike: S931a."""


def shown(address: str, text: str = "t1", *, passages: int = 9) -> Shown:
    return Shown(mark=mark_of(address), address=address, text_hash=text, passages=passages)


def result(step: str, *sources: Shown, claim: str = "It is so.", marks: tuple[str, ...] = ("S931a.2",)) -> StepResult:
    finding = Finding(claims=(Claim(text=claim, marks=marks),), conclusion=f"So [{marks[0]}].")
    return StepResult(id=step, title=step, step_type="research", status="done", finding=finding, sources=sources)


def test_of_two_marks_that_clash_in_one_scope_the_one_shown_later_gets_five_digits() -> None:
    scope = ScopeLedger()
    text, first = scope.admit("[S931a.1] One.", [shown(FIRST)])
    assert (text, [s.mark for s in first]) == ("[S931a.1] One.", ["S931a"])
    text, second = scope.admit("[S931a.1] Two.\n[S931a.2] Three.", [shown(SECOND)])
    assert (text, [s.mark for s in second]) == ("[S931aa.1] Two.\n[S931aa.2] Three.", ["S931aa"])
    assert [s.mark for s in scope.sources] == ["S931a", "S931aa"]


def test_a_source_shown_again_keeps_its_mark_and_is_one_source() -> None:
    scope = ScopeLedger()
    scope.admit("", [shown(FIRST)])
    scope.admit("", [shown(SECOND)])
    text, again = scope.admit("[S931a.3] Again.", [shown(SECOND)])
    assert text == "[S931aa.3] Again."
    assert again[0].mark == "S931aa"
    assert len(scope.sources) == 2


def test_a_second_text_of_one_address_has_version_2_and_earlier_citations_stay() -> None:
    scope = ScopeLedger()
    scope.admit("[S931a.1] Old.", [shown(FIRST, "old")])
    text, new = scope.admit("[S931a.1] New.", [shown(FIRST, "new")])
    assert text == "[S931a~2.1] New."
    assert (new[0].mark, new[0].version) == ("S931a", 2)
    source = scope.source("S931a", 1)
    assert source is not None
    assert source.text_hash == "old"
    text, _ = scope.admit("[S931a.1] Old again.", [shown(FIRST, "old")])
    assert text == "[S931a.1] Old again."


def test_a_mark_known_from_earlier_steps_is_not_given_to_another_address() -> None:
    scope = ScopeLedger(known=[shown(FIRST)])
    text, _ = scope.admit("[S931a.1] Two.", [shown(SECOND)])
    assert text == "[S931aa.1] Two."
    assert [s.address for s in scope.sources] == [SECOND]
    assert scope.source("S931a") is not None


def test_siblings_that_gave_one_mark_to_two_addresses_are_told_apart_when_they_fold() -> None:
    folded, ledger = fold([result("1.1", shown(FIRST)), result("1.2", shown(SECOND), claim="See [S931a.2, S931a.4].")])
    assert [s.mark for s in ledger.sources] == ["S931a", "S931aa"]
    first, second = (r.finding for r in folded)
    assert first is not None
    assert second is not None
    assert first.claims[0].marks == ("S931a.2",)
    assert second.claims[0] == Claim(text="See [S931aa.2, S931aa.4].", marks=("S931aa.2",))
    assert second.conclusion == "So [S931aa.2]."
    assert folded[1].sources[0].mark == "S931aa"


def test_one_page_read_by_two_siblings_is_one_source_with_one_mark() -> None:
    for orders in ((FIRST, SECOND), (SECOND, FIRST)):
        scopes = [ScopeLedger(), ScopeLedger()]
        for scope in scopes:
            for address in orders:
                scope.admit("", [shown(address)])
        _, ledger = fold([result(str(i), *scope.sources) for i, scope in enumerate(scopes)])
        assert {s.address for s in ledger.sources} == {FIRST, SECOND}
        assert len({s.mark for s in ledger.sources}) == len(ledger.sources) == 2


def test_siblings_that_read_two_texts_of_one_address_keep_both() -> None:
    folded, ledger = fold([result("1.1", shown(FIRST, "old")), result("1.2", shown(FIRST, "new"))])
    assert [(s.mark, s.version, s.text_hash) for s in ledger.sources] == [("S931a", 1, "old"), ("S931a", 2, "new")]
    assert folded[1].finding is not None
    assert folded[1].finding.claims[0].marks == ("S931a~2.2",)
    newest = ledger.at(FIRST)
    assert newest is not None
    assert newest.version == 2


def test_a_computation_is_rewritten_like_a_finding() -> None:
    computed = StepResult(
        id="1.2", title="b", step_type="processing", status="done", sources=(shown(SECOND),),
        computation=Computation(text="2.5 [S931a.1]", values=(Figure(name="r", value="2.5", basis="[S931a.1] / 2"),)),
    )  # fmt: skip
    folded, _ = fold([result("1.1", shown(FIRST)), computed])
    assert folded[1].computation == Computation(
        text="2.5 [S931aa.1]", values=(Figure(name="r", value="2.5", basis="[S931aa.1] / 2"),)
    )


def test_what_was_read_in_the_background_comes_before_the_steps() -> None:
    folded, ledger = fold([result("1.1", shown(SECOND))], before=[shown(FIRST)])
    assert [s.mark for s in ledger.sources] == ["S931a", "S931aa"]
    assert folded[0].sources[0].mark == "S931aa"


def test_a_sibling_that_failed_shifts_no_mark_of_the_others() -> None:
    steps = [result("1.1", shown(FIRST)), result("1.2", shown("docs://d/a")), result("1.3", shown(SECOND))]
    failed = steps[1].model_copy(update={"status": "failed", "finding": None, "sources": ()})
    whole, _ = fold(steps)
    without, _ = fold([steps[0], failed, steps[2]])
    assert (without[0], without[2]) == (whole[0], whole[2])


def test_folding_what_was_folded_changes_nothing() -> None:
    once, _ = fold([result("1.1", shown(FIRST, "a")), result("1.2", shown(SECOND), shown(FIRST, "b"))])
    twice, _ = fold(once)
    assert twice == once


def test_a_later_wave_keeps_its_marks_when_an_earlier_step_of_the_plan_is_folded_before_it() -> None:
    _, known = fold([result("1.1"), result("1.3", shown(FIRST, "t1"))])
    scope = ScopeLedger(known.sources)
    scope.admit("", [shown(SECOND), shown(FIRST, "t2")])
    second = result("1.2", *scope.sources, marks=("S931aa.1", "S931a~2.1", "S931a.5"))
    folded, ledger = fold([result("1.1"), second, result("1.3", shown(FIRST, "t1"))])
    assert folded[1].finding == second.finding
    assert {(s.mark, s.version, s.text_hash) for s in ledger.sources} == {
        ("S931aa", 1, "t1"), ("S931a", 1, "t1"), ("S931a", 2, "t2"),
    }  # fmt: skip


@pytest.mark.slow
def test_marks_of_200_addresses_are_one_assignment_in_1000_random_orders_of_arrival() -> None:
    pages = [f"//example.org/page/{n}" for n in range(200)]
    assert len({mark_of(page) for page in pages}) < 200, "no two of them clash: the test proves nothing"
    siblings = [[shown(page) for page in pages[n::8]] for n in range(8)]
    chance = random.Random(7)
    assignments = set()
    for _ in range(1_000):
        scopes, todo = [ScopeLedger() for _ in siblings], [list(own) for own in siblings]
        finished: dict[int, StepResult] = {}
        while any(todo):
            at = chance.choice([i for i, left in enumerate(todo) if left])
            scopes[at].admit("", [todo[at].pop(0)])
            if not todo[at]:
                finished[at] = result(str(at), *scopes[at].sources)
        _, ledger = fold([finished[at] for at in sorted(finished)])
        assignments.add(tuple((s.address, s.mark) for s in ledger.sources))
    assert len(assignments) == 1
    (assignment,) = assignments
    assert len({mark for _, mark in assignment}) == 200
    assert all(mark_of(address, len(mark) - 1) == mark for address, mark in assignment)


@given(st.lists(st.lists(st.integers(0, 400), max_size=30), max_size=6))
def test_every_address_has_one_mark_and_every_mark_one_address(orders: list[list[int]]) -> None:
    results = []
    for at, order in enumerate(orders):
        scope = ScopeLedger()
        for n in order:
            scope.admit("", [shown(f"//example.org/page/{n}")])
        results.append(result(str(at), *scope.sources))
    folded, ledger = fold(results)
    assert len({s.mark for s in ledger.sources}) == len({s.address for s in ledger.sources}) == len(ledger.sources)
    for step in folded:
        for source in step.sources:
            named = ledger.source(source.mark, source.version)
            assert named is not None
            assert named.address == source.address
    assert isinstance(ledger, Ledger)
    assert ledger.source(Mark("Sffff0")) is None
