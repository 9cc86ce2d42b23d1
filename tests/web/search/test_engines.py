import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial

import orjson
import pytest
from pydantic import JsonValue

from moot.web.search import engines
from moot.web.search.engine import Access, Engine, EngineFailed, Query
from moot.web.search.merged import merged
from tests.web.search.answers import RECORDED

NAMES = [module.name for module in pkgutil.iter_modules(engines.__path__)]
QUERY = Query("dams and rivers", n=5, language="en", region="US", since=date(2020, 1, 31))


def engine_of(name: str) -> Engine:
    engine = importlib.import_module(f"moot.web.search.engines.{name}").ENGINE
    assert isinstance(engine, Engine)
    return engine


@dataclass
class Answering:
    """Answers with recorded bodies in order, and writes down each request as the wire would send it."""

    bodies: list[bytes]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, url: str, *, headers: Mapping[str, str] = {}, json: JsonValue = None) -> bytes:
        host, _, target = url.removeprefix("https://").partition("/")
        method = "GET" if json is None else "POST"
        lines = [f"{method} /{target} ", f"Host: {host}", *(f"{name}: {value}" for name, value in headers.items())]
        self.asked.append("\n".join([*lines, "" if json is None else orjson.dumps(json).decode()]))
        return self.bodies.pop(0)


def access(*bodies: bytes) -> tuple[Answering, Access]:
    answering = Answering(list(bodies))
    return answering, Access(answering, key="KEY", base_url="https://searx.example/")


def test_every_engine_has_its_recorded_answer() -> None:
    assert sorted(RECORDED) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
async def test_an_engine_asks_and_reads_as_its_documents_say(name: str) -> None:
    recorded = RECORDED[name]
    answering, way = access(*recorded.answers)
    hits = await engine_of(name).find(QUERY, way)
    missing = [part for part in recorded.asked if part not in answering.asked[0]]
    assert not missing, answering.asked[0]
    found = merged([(name, hits)])
    assert tuple((one.url, one.title, one.published) for one in found) == recorded.found
    assert answering.bodies == []


@pytest.mark.parametrize("name", NAMES)
async def test_an_answer_without_results_is_an_empty_list(name: str) -> None:
    _, way = access(*RECORDED[name].nothing)
    assert await engine_of(name).find(QUERY, way) == []


WRONG_SHAPES = b'{"results": {"a": 1}, "web": 3, "organic": "x", "data": 7, "query": [], "esearchresult": 1}'
MALFORMED = [b"", b"null", b"[]", b"42", b"<html>Sign in</html>", b"\xff\xfe\x00", WRONG_SHAPES, b"{" * 5_000]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("body", MALFORMED, ids=range(len(MALFORMED)))
async def test_a_malformed_answer_is_a_failure_and_never_a_crash(name: str, body: bytes) -> None:
    _, way = access(body, body)
    with pytest.raises(EngineFailed) as failed:
        await engine_of(name).find(QUERY, way)
    assert failed.value.code in ("malformed", "unavailable")


@pytest.mark.parametrize("name", NAMES)
async def test_rows_of_the_wrong_shape_fall_out_or_fail(name: str) -> None:
    recorded = RECORDED[name]
    cut = [
        body.replace(b'"https://example.org/a"', b'["not", "a string"]').replace(b'"Dams"', b"{}")
        for body in recorded.answers
    ]
    _, way = access(*cut)
    found = merged([(name, await engine_of(name).find(QUERY, way))])
    assert all(one.url.startswith("http") and one.title for one in found)


@pytest.mark.parametrize(
    ("code", "expected"), [(401, "auth"), (403, "quota"), (429, "rate_limited"), (500, "unavailable")]
)
async def test_bocha_tells_its_failures_in_an_answer_of_200(code: int, expected: str) -> None:
    _, way = access(b'{"code": %d, "msg": "no"}' % code, b'{"code": "%d"}' % code)
    for _ in range(2):
        with pytest.raises(EngineFailed) as failed:
            await engine_of("bocha").find(QUERY, way)
        assert failed.value.code == expected


async def test_duckduckgo_asking_whether_we_are_a_person_is_no_empty_answer() -> None:
    _, way = access(b"<html><div class='anomaly-modal__title'>Unfortunately, bots use DuckDuckGo too.</div></html>")
    with pytest.raises(EngineFailed) as failed:
        await engine_of("duckduckgo").find(QUERY, way)
    assert failed.value.code == "rate_limited"


@pytest.mark.parametrize("text", ['ti:(a OR b) ANDNOT "c"', "AND OR", "()", "a:b [x TO y]"])
async def test_arxivs_operators_are_no_part_of_a_query(text: str) -> None:
    answering, way = access(RECORDED["arxiv"].nothing[0])
    await engine_of("arxiv").find(Query(text, 5), way)
    asked = "".join(answering.asked)
    assert not any(sign in asked for sign in ("%28", "%22", "%5B", "ANDNOT", "+OR+"))


async def test_wikipedia_is_asked_in_the_language_of_the_question() -> None:
    answering, way = access(RECORDED["wikipedia"].nothing[0])
    await engine_of("wikipedia").find(Query("三峡大坝", 5, language="zh"), way)
    assert "Host: zh.wikipedia.org" in answering.asked[0]


async def test_no_engine_shows_its_key_in_an_error() -> None:
    for name in NAMES:
        _, way = access(b"KEY", b"KEY")
        with pytest.raises(EngineFailed) as failed:
            await partial(engine_of(name).find, QUERY)(Access(way.ask, key="a-secret-key", base_url=way.base_url))
        assert "a-secret-key" not in str(failed.value)
