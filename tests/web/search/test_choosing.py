import pytest

from moot.values.errors import SettingWrong
from moot.web.search.choosing import SetUp, chosen, engines, key_names, usual
from moot.web.search.cut import cut


def test_every_engine_is_found_by_its_file() -> None:
    assert sorted(engines()) == [
        "arxiv", "bocha", "brave", "duckduckgo", "exa", "pubmed", "searxng", "semantic_scholar", "serper", "tavily",
        "wikipedia",
    ]  # fmt: skip
    assert {"TAVILY_API_KEY", "BRAVE_API_KEY", "NCBI_API_KEY"} <= key_names()


@pytest.mark.parametrize(
    ("environ", "base_urls", "name"),
    [
        ({}, {}, "duckduckgo"),
        ({"BRAVE_API_KEY": "x"}, {}, "brave"),
        ({"BRAVE_API_KEY": "x", "TAVILY_API_KEY": "y"}, {}, "tavily"),
        ({"TAVILY_API_KEY": " "}, {}, "duckduckgo"),
        ({"NCBI_API_KEY": "x"}, {}, "duckduckgo"),
        ({}, {"searxng": "http://127.0.0.1:8888"}, "searxng"),
        ({"EXA_API_KEY": "x"}, {"searxng": "http://127.0.0.1:8888"}, "exa"),
    ],
)
def test_the_usual_engine_is_the_first_that_is_set_up(
    environ: dict[str, str], base_urls: dict[str, str], name: str
) -> None:
    assert usual(SetUp(environ, base_urls)) == name
    assert [one.name for one in chosen((), SetUp(environ, base_urls))] == [name]


def test_engines_are_asked_in_the_order_named_each_once_with_their_keys() -> None:
    found = chosen(("wikipedia", "tavily", "wikipedia", "pubmed"), SetUp({"TAVILY_API_KEY": " a-key "}))
    assert [(one.name, one.key) for one in found] == [("wikipedia", ""), ("tavily", "a-key"), ("pubmed", "")]
    assert "a-key" not in repr(found)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tavilly", "--engine tavilly: there is no such search engine. There is: tavily."),
        ("brave", "--engine brave: it needs BRAVE_API_KEY, which is not set."),
        ("searxng", "--engine searxng: it needs web.base_urls.searxng, which is not set."),
    ],
)
def test_an_engine_that_cannot_be_asked_is_named_before_anything_is_spent(name: str, said: str) -> None:
    with pytest.raises(SettingWrong) as wrong:
        chosen((name,), SetUp())
    assert wrong.value.message.startswith(said)
    assert wrong.value.chinese


@pytest.mark.parametrize("name", sorted(engines()))
def test_a_question_of_three_thousand_characters_is_cut_to_what_each_engine_takes(name: str) -> None:
    engine = engines()[name]
    for question in ("Explain at length " * 170 + '"blue whales"', "水库的蓄水量" * 500, "a" * 3_000):
        words = cut(question, longest=engine.longest, most_words=engine.most_words)
        assert 0 < len(words) <= engine.longest
        assert engine.most_words is None or len(words.split()) <= engine.most_words
