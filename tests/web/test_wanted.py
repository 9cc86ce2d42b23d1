import pytest

from moot.web.wanted import wanted


def keys(query: str) -> list[str]:
    return [term.key for term in wanted(query).terms]


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("What does the with statement do?", ["with", "statement"]),
        ('What is the difference between "is" and "==" for objects?', ["difference", "is", "==", "object"]),
        ("What statement did the minister issue?", ["statement", "minister", "issue"]),
        ("the of and", ["the", "of", "and"]),
        ("cities and city", ["city"]),
        ("水", ["水"]),
        ("水库", ["水库"]),
        ("水库蓄水量", ["水库", "库蓄", "蓄水", "水量"]),
        ("Toyota在日本", ["toyota", "日本"]),
        ('foo" OR body:*', ["foo", "body"]),
        ('"; DROP TABLE file; --', ["drop", "table", "file"]),
        ("NEAR(a b, 5) AND c* ^d -e", ["b", "5", "c", "e"]),
        ("Ｆｕｌｌ　ｗｉｄｔｈ", ["full", "width"]),
        ("?!… -- **", ["**"]),
        ("", []),
        (" \n\t", []),
    ],
)
def test_a_query_is_read_as_words(query: str, terms: list[str]) -> None:
    assert keys(query) == terms


def test_a_plural_is_looked_for_in_all_its_forms() -> None:
    (term,) = wanted("batteries").terms
    assert {"batteries", "battery"} <= set(term.forms)


def test_a_phrase_must_stand_as_it_is() -> None:
    assert wanted('"wrap the execution" of').phrases == ("wrap the execution",)
    assert wanted("“水库蓄水”").phrases == ("水库 库蓄 蓄水",)
    assert wanted('"one"').phrases == ()


def test_filters_are_taken_out_of_the_words() -> None:
    found = wanted('dam path:reports/2024 kind:pdf kind:MD since:2024-01-31 path:"a b"')
    assert [term.key for term in found.terms] == ["dam"]
    assert (found.paths, found.kinds, found.since) == (("reports/2024", "a b"), ("pdf", "markdown"), "2024-01-31")


@pytest.mark.parametrize("query", ["kind:of", "since:yesterday", "mankind:pdf"])
def test_what_is_no_filter_is_words(query: str) -> None:
    found = wanted(query)
    assert (found.kinds, found.since) == ((), "")
    assert found.terms
