"""Where works do not agree, and where they only seem not to."""

from pathlib import Path

import pytest

from moot.evidence.contradictions.found import contradictions
from moot.evidence.contradictions.frames import Statement, statements_of
from moot.text.marks import mark_of
from moot.text.passages import cut
from moot.values.evidence import Citation, Contradiction
from moot.web.readable import readable
from moot.web.shelf import Topics

_LINES = Path(__file__).with_name("pairs.tsv").read_text("utf-8").splitlines()
PAIRS = [line.split("\t") for line in _LINES if not line.startswith("#")]


def said(words: str, work: str = "a", *, date: str = "", above: tuple[str, ...] = ()) -> Statement:
    return Statement(words, Citation(mark=mark_of(work), n=1), work, above, date)


def of(*statements: Statement) -> list[tuple[str, str]]:
    return [(one.relation, one.detail) for one in contradictions(statements)]


def only(*statements: Statement) -> Contradiction:
    (found,) = contradictions(statements)
    return found


@pytest.mark.parametrize(("relation", "one", "other"), PAIRS)
def test_two_works_stand_to_each_other_as_they_should(relation: str, one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        found = contradictions([said(first, "a"), said(second, "b")])
        assert [each.relation for each in found] == ([relation] if relation else [])


def test_there_are_pairs_enough_of_every_relation_in_both_languages() -> None:
    assert len(PAIRS) >= 80
    for relation in ("", "contradiction", "possible", "differs_by_period", "differs_by_definition"):
        assert sum(pair[0] == relation for pair in PAIRS) >= 5
        assert any(pair[0] == relation and not pair[1].isascii() for pair in PAIRS)


def test_one_work_does_not_contradict_itself() -> None:
    assert of(said("The Eiffel Tower is 330 m tall."), said("The Eiffel Tower is 300 m tall.")) == []


def test_both_sides_are_shown_with_the_newer_first() -> None:
    old = said("The Eiffel Tower is 300 m tall in 2020.", "a", date="2020-05-01")
    new = said("The Eiffel Tower is 330 m tall in 2020.", "b", date="2023-01-01")
    found = only(old, new)
    assert (found.left.quote, found.left.date, found.left.citation.mark) == (new.words, "2023-01-01", mark_of("b"))
    assert (found.right.quote, found.right.date) == (old.words, "2020-05-01")
    assert (found.subject, found.attribute, found.detail) == ("eiffel tower", "height", "330 m · 300 m")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("服务器的质保期为36个月。", "服务器的质保期为24个月。"),
        ("The warranty of the Orion server is 36 months.", "The warranty of the Orion server is 24 months."),
        ("The crossing of Lake Orsa takes 3 hours.", "The crossing of Lake Orsa takes 5 hours."),
    ],
)
def test_how_long_something_lasts_is_compared_where_a_sentence_tells_it(one: str, other: str) -> None:
    assert [relation for relation, _ in of(said(one, "a"), said(other, "b"))] == ["contradiction"]


def test_no_majority_hides_a_side() -> None:
    works = [said("Acme employs 12,000 people.", name) for name in "abc"] + [said("Acme employs 19,500 people.", "d")]
    assert [one for one, _ in of(*works)] == ["contradiction"]


def test_a_work_that_names_both_figures_agrees() -> None:
    both = (said("Acme employed 9,000 people in 2020."), said("Acme employs 12,000 people."))
    assert of(*both, said("Acme employs 12,000 people.", "b")) == []


def test_the_subject_stands_in_the_title_where_the_sentence_has_none() -> None:
    one = said("It is 330 m tall.", "a", above=("The Eiffel Tower",))
    assert of(one, said("It is 300 m tall.", "b", above=("History", "Eiffel Tower"))) == [
        ("contradiction", "330 m · 300 m")
    ]
    assert of(one, said("It is 828 m tall.", "b", above=("The Burj Khalifa",))) == []
    assert of(said("The dam is 80 m high.", "a"), said("The dam is 95 m high.", "b")) == []


def test_a_thing_that_only_titles_name_in_part_is_possibly_the_same() -> None:
    titles = ("Lake Orsa reservoir",), ("Annual report of the Orsa water board",)
    one, other = (
        said(f"The reservoir holds {n} million tonnes.", n, above=above) for n, above in zip("38", titles, strict=True)
    )
    assert of(one, other) == [("possible", "3 million tonnes · 8 million tonnes")]
    elsewhere = said("The reservoir holds 8 million tonnes.", "b", above=("Annual report of the Brisa water board",))
    assert of(one, elsewhere) == []
    assert of(one, said("The spillway takes 8 million tonnes.", "b", above=titles[1])) == []


def test_a_year_in_the_title_is_the_period() -> None:
    one = said("Acme employs 12,000 people.", "a", above=("Annual report 2022",))
    assert of(one, said("Acme employs 9,000 people.", "b", above=("Annual report 2020",)))[0][0] == "differs_by_period"


def test_figures_without_a_date_in_texts_of_other_years_are_possibly_at_odds() -> None:
    one, other = (
        said(f"Acme employs {n} people.", n, date=f"{year}-01-01") for n, year in (("9,000", 2020), ("12,000", 2023))
    )
    assert of(one, other) == [("possible", "12,000 people · 9,000 people")]


@pytest.mark.parametrize(
    "words",
    ["See PEP 614 for details.", "Article 12 of the Dam Act.", "Acme was founded in 1975.", "It took Acme 12 days."],
)
def test_numbers_that_are_names_or_times_are_compared_with_nothing(words: str) -> None:
    other = words.replace("614", "3131").replace("12", "40").replace("1975", "1981")
    assert of(said(words, "a"), said(other, "b")) == []


def test_plain_ones_come_first_then_newer_ones_and_notes_last() -> None:
    found = contradictions(
        [
            said("Acme had revenue of $7 billion in 2022.", "a", date="2023-01-01"),
            said("Acme had revenue of $9 billion in 2020.", "b", date="2024-01-01"),
            said("The Eiffel Tower is 330 m tall.", "c", date="2021-01-01"),
            said("The Eiffel Tower is 300 m tall.", "d", date="2021-02-01"),
            said("Acme employs 12,000 people.", "e", date="2021-05-01"),
            said("Acme employs 19,500 people.", "f", date="2021-05-02"),
        ]
    )
    assert [(one.relation, one.detail) for one in found] == [
        ("contradiction", "19,500 people · 12,000 people"),
        ("contradiction", "300 m · 330 m"),
        ("differs_by_period", "$9 billion · $7 billion"),
    ]


def test_a_name_that_opens_a_sentence_is_one_when_another_text_shows_it_inside() -> None:
    alone, other = said("Acme employs 12,000 people.", "a"), said("Baxter employs 19,500 people.", "b")
    shown = said("Last year Acme and Baxter were sold.", "c")
    assert of(alone, other, shown) == of(alone, other) == []
    assert only(alone, said("The staff of Acme is 19,500 people.", "b"), shown).subject == "acme"


def test_a_sentence_is_a_slice_of_its_passage() -> None:
    passage = said("Acme employs 12,000 people. It was founded in Lisbon.")
    assert [one.words for one in statements_of(passage)] == ["Acme employs 12,000 people.", "It was founded in Lisbon."]


def test_python_s_reference_does_not_contradict_itself() -> None:
    shelf = Topics()
    statements: list[Statement] = []
    for entry in shelf.walk().entries[::3]:
        page = readable(shelf.read(entry.path), name=shelf.file_name(entry.path))
        for passage in cut(page.text):
            if passage.kind not in ("code", "row"):
                words = page.text[passage.start : passage.end]
                statements += statements_of(said(words, entry.path, above=(page.title, *passage.heading)))
    assert len(statements) > 500
    assert contradictions(statements) == ()
