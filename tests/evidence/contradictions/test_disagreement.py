"""What cited passages contradict in each other, and sentences that tell one side only."""

from collections.abc import Awaitable, Callable

from moot.evidence.check import check
from moot.evidence.contradictions.disagreement import disagreements, one_sided
from moot.evidence.finish import finish
from moot.evidence.ledger import Ledger
from moot.evidence.store import Store
from moot.values.evidence import Citation, Shown, Work
from moot.values.report import Surroundings
from moot.values.value import RunId

Keep = Callable[..., Awaitable[Shown]]
LOW, HIGH = "The Eiffel Tower is 300 m tall.", "The Eiffel Tower is 330 m tall."


async def two(keep: Keep) -> tuple[Ledger, Citation, Citation]:
    ledger = Ledger([await keep("docs://d/a.md", LOW), await keep("docs://d/b.md", HIGH)])
    a, b = (Citation(mark=source.mark, n=1) for source in ledger.sources)
    return ledger, a, b


async def test_two_works_that_do_not_agree_are_found_and_one_work_is_not(keep: Keep, store: Store) -> None:
    ledger, a, b = await two(keep)
    (found,) = await disagreements((a, b), ledger, store, works=())
    assert {found.left.quote, found.right.quote} == {LOW, HIGH}
    one_work = Work(id="doi:10.1/a", addresses=("docs://d/a.md", "docs://d/b.md"))
    assert await disagreements((a, b), ledger, store, works=(one_work,)) == ()
    assert await disagreements((a,), ledger, store, works=()) == ()


async def test_a_sentence_that_hides_the_other_side_is_weak_and_one_beside_it_is_not(keep: Keep, store: Store) -> None:
    ledger, a, b = await two(keep)
    found = await disagreements((a, b), ledger, store, works=())
    alone = one_sided(await check(f"{HIGH[:-1]} {b}.\n", ledger, store), found)
    assert [(one.status, one.reason, one.detail) for one in alone.checked] == [("weak", "one_sided", f"“{LOW}”")]
    both = one_sided(await check(f"{HIGH[:-1]} {b}. {LOW[:-1]} {a}.\n", ledger, store), found)
    assert [one.status for one in both.checked] == ["verified", "verified"]
    none = one_sided(await check("The tower is in Paris.\n", ledger, store), found)
    assert [one.status for one in none.checked] == ["uncited"]


async def test_the_report_shows_both_sides_with_their_numbers_in_both_languages(keep: Keep, store: Store) -> None:
    ledger, a, b = await two(keep)
    found = await disagreements((a, b), ledger, store, works=())
    for locale, heading, relation in (
        ("en-US", "Contradictions", "They contradict each other: Eiffel Tower"),
        ("zh-CN", "来源之间的矛盾", "相互矛盾：Eiffel Tower"),
    ):
        around = Surroundings(run=RunId("r1"), locale=locale, contradictions=found)
        checked = await check(f"# T\n\n> “{HIGH}” {b}\n", ledger, store)
        report = await finish(checked, ledger, store, title="T", surroundings=around)
        section = report.markdown.partition(f"## {heading}\n\n")[2]
        assert section.startswith(f"- {relation} · height · ")
        assert f"“{HIGH}” [1]\n" in section
        assert f"“{LOW}” [2]\n" in section
        assert {quote.words for quote in report.quotes} == {LOW, HIGH}
        assert report.contradictions == found
        assert report.claims[0].reason == "one_sided"
