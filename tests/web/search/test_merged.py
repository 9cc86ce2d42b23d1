import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from moot.web.connect import Caps
from moot.web.guard import Guard, allowed
from moot.web.pace import Pace
from moot.web.search.access import Wire
from moot.web.search.answers import hits, json_of, rows
from moot.web.search.cut import cut
from moot.web.search.engine import Access, Chosen, Engine, EngineFailed, FailureCode, Hit, Query
from moot.web.search.merged import Search, SearchUnavailable, merged
from tests.web.fetching import Clock
from tests.web.hostile import Hostile, hostile, page

U1, U2, U3, U4 = (f"https://{name}.example/" for name in ("one", "two", "three", "four"))
GUARD = Guard()
WIRE = Wire(GUARD, agent="moot/test")


@dataclass
class Told:
    """An engine that answers what it is told to, in order, the last for ever."""

    answers: list[list[str] | FailureCode]
    asked: list[Query] = field(default_factory=list)

    async def find(self, query: Query, access: Access) -> list[Hit]:
        self.asked.append(query)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, str):
            raise EngineFailed(answer, "told to")
        return [Hit(url, f"title of {url}", f"words of {url}") for url in answer]


def search(clock: Clock | None = None, **engines: Told) -> Search:
    chosen = [Chosen(name, Engine(told.find, longest=60)) for name, told in engines.items()]
    return Search(chosen, WIRE, GUARD, clock=clock or Clock())


async def test_results_are_merged_by_the_sum_of_their_reciprocal_ranks() -> None:
    found = await search(A=Told([[U1, U2, U3]]), B=Told([[U3, U4]]), C=Told(["timeout"])).find("dams", n=10)
    assert [one.url for one in found.found] == [U3, U1, U2, U4]
    assert [round(one.score, 5) for one in found.found] == [0.03227, 0.01639, 0.01613, 0.01613]
    assert found.notes == ("C: timeout",)


async def test_one_address_is_one_result_with_the_best_title_and_the_longest_snippet() -> None:
    a = [Hit("https://x.example/a?utm_source=n", "A <b>short</b> title", "long " * 50)]
    b = [Hit(U1, "First"), Hit("http://x.example/a#top", "Second rank", "short", "2021-01-01")]
    one, _ = merged([("A", a), ("B", b)])
    assert (one.title, one.published, one.engine, len(one.snippet)) == ("A short title", "2021-01-01", "A", 249)


async def test_of_one_host_three_are_among_the_first_ten_and_the_rest_follow() -> None:
    many = [f"https://many.example/{n}" for n in range(6)]
    others = [f"https://other{n}.example/" for n in range(8)]
    found = (await search(A=Told([[*many, *others]])).find("dams", n=20)).found
    assert [one.url for one in found] == [*many[:3], *others[:7], *many[3:], *others[7:]]


async def test_what_may_never_be_opened_is_no_result() -> None:
    bad = [
        "http://127.0.0.1/",
        "javascript:alert(1)",
        "http://a:b@x.example/",
        "file:///etc/passwd",
        "http://intranet/",
        "",
    ]
    assert [one.url for one in (await search(A=Told([[*bad, U1]])).find("dams", n=5)).found] == [U1]


@pytest.mark.parametrize("code", ["auth", "quota"])
async def test_an_engine_that_refuses_us_is_not_asked_again_in_the_run(code: FailureCode) -> None:
    refusing, clock = Told([code]), Clock()
    both = search(clock, A=refusing, B=Told([[U1]]))
    assert (await both.find("dams", n=5)).notes == (f"A: {code}",)
    clock.now += 100_000
    again = await both.find("rivers", n=5)
    assert ([one.url for one in again.found], again.notes, len(refusing.asked)) == ([U1], (), 1)


async def test_an_engine_in_trouble_is_left_alone_for_a_minute() -> None:
    shaky, clock = Told(["timeout", [U2]]), Clock()
    both = search(clock, A=shaky, B=Told([[U1]]))
    await both.find("dams", n=5)
    clock.now += 59
    assert (await both.find("dams", n=5)).notes == ("A: timeout",)
    clock.now += 2
    assert [one.url for one in (await both.find("dams", n=5)).found] == [U2, U1]
    assert len(shaky.asked) == 2


async def test_all_failing_is_not_the_same_as_nothing_found() -> None:
    with pytest.raises(SearchUnavailable, match="A: timeout; B: auth"):
        await search(A=Told(["timeout"]), B=Told(["auth"])).find("dams", n=5)
    assert (await search(A=Told([[]]), B=Told(["auth"])).find("dams", n=5)).found == ()
    with pytest.raises(SearchUnavailable, match="no search engine"):
        await search().find("dams", n=5)


@pytest.mark.parametrize("query", ["", "  ", "\n"])
async def test_an_empty_query_is_refused_before_any_call(query: str) -> None:
    told = Told([[U1]])
    with pytest.raises(ValueError, match="empty"):
        await search(A=told).find(query, n=5)
    assert told.asked == []


async def test_results_stand_in_the_order_of_the_engines_whoever_answers_first() -> None:
    gate = asyncio.Event()

    async def late(query: Query, access: Access) -> list[Hit]:
        await gate.wait()
        raise EngineFailed("timeout", "late")

    async def soon(query: Query, access: Access) -> list[Hit]:
        gate.set()
        raise EngineFailed("malformed", "soon")

    chosen = [Chosen("late", Engine(late)), Chosen("soon", Engine(soon)), Chosen("good", Engine(Told([[U1]]).find))]
    both = Search(chosen, WIRE, GUARD)
    assert (await both.find("dams", n=5)).notes == ("late: timeout", "soon: malformed")


async def test_a_long_query_is_cut_for_each_engine_as_it_needs() -> None:
    told = Told([[U1]])
    question = "Explain in great detail " + "and at length " * 220 + 'what "blue whales" eat near Iceland'
    found = await search(A=told).find(question, n=5)
    assert len(question) > 3_000
    assert len(told.asked[0].text) <= 60
    assert '"blue whales"' in told.asked[0].text
    assert found.notes == ("A: query cut",)


@pytest.mark.parametrize(
    ("query", "longest", "most_words", "expected"),
    [
        ("short  one", 60, None, "short one"),
        ("one two three four", 13, None, "one two three"),
        ("one two three four", 60, 2, "one two"),
        ("水库蓄水量是多少", 4, None, "水库蓄水"),
        ("supercalifragilistic", 5, None, "super"),
        ("a" * 3_000, 400, 50, "a" * 400),
        ("水" * 3_000, 300, None, "水" * 300),
        ("水" * 1_000_000, 2_000, None, "水" * 2_000),
        ("a" * 1_000_000, 2_000, None, "a" * 2_000),
        ("one two threefour", 13, None, "one two"),
    ],
)
def test_a_query_is_cut_at_the_border_of_a_word(
    query: str, longest: int, most_words: int | None, expected: str
) -> None:
    assert cut(query, longest=longest, most_words=most_words) == expected


async def _asking(query: Query, access: Access) -> list[Hit]:
    body = await access.ask(f"{access.base_url}/q", headers={"X-Key": access.key}, json={"q": query.text})
    return hits(rows(json_of(body), "results"), (["url"], ["title"], ["x"], ["x"]))


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile() as serving:
        yield serving


def over_the_wire(server: Hostile) -> Search:
    guard, clock = Guard(allowed(["127.0.0.1"], [server.port])), Clock()
    caps = Caps(first_byte_s=0.2, whole_s=1, wire_bytes=100_000, body_bytes=100_000)
    wire = Wire(
        guard,
        agent="moot/test",
        caps=caps,
        pace=lambda s: Pace(between_s=s, clock=clock, sleep=clock.sleep),
        sleep=clock.sleep,
    )
    chosen = Chosen("told", Engine(_asking), key="a-secret", base_url=f"http://127.0.0.1:{server.port}")
    return Search([chosen], wire, guard, clock=clock)


@pytest.mark.loopback
async def test_an_engine_is_asked_over_the_wire_through_the_guard(server: Hostile) -> None:
    server.pages["/q"] = page('{"results": [{"url": "https://one.example/", "title": "One"}]}')
    found = await over_the_wire(server).find("大坝 dams", n=5)
    assert [one.url for one in found.found] == [U1]
    assert server.heads[0].startswith("POST /q HTTP/1.1")
    assert "X-Key: a-secret" in server.heads[0]


@pytest.mark.loopback
@pytest.mark.parametrize(
    ("answer", "code", "asked"),
    [
        (page("no", status=401), "auth", 1),
        (page("who are you", status=403), "auth", 1),
        (page("your quota is used up", status=403), "quota", 1),
        (page("pay", status=402), "quota", 1),
        (page("Monthly quota exceeded", status=429), "quota", 1),
        (page("slow down", status=429), "rate_limited", 1),
        (page("oh", status=500), "unavailable", 2),
        (page("oh", status=503), "unavailable", 2),
        (page("what", status=400), "malformed", 1),
        (page("<html>proxy</html>"), "malformed", 1),
        (page("moved", status=302, location="http://169.254.169.254/"), "malformed", 1),
        (page("x" * 100_001), "unavailable", 2),
        (b"", "unavailable", 2),
    ],
)
async def test_an_engines_failure_has_its_name(server: Hostile, answer: bytes, code: str, asked: int) -> None:
    server.pages["/q"] = answer
    with pytest.raises(SearchUnavailable, match=f"told: {code}"):
        await over_the_wire(server).find("dams", n=5)
    assert len(server.asked) == asked


@pytest.mark.loopback
async def test_an_engine_that_says_nothing_is_a_timeout(server: Hostile) -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    server.pages["/q"] = silent
    with pytest.raises(SearchUnavailable, match="told: timeout"):
        await over_the_wire(server).find("dams", n=5)


async def test_an_engine_at_a_private_address_is_refused_unless_the_operator_allows_it() -> None:
    chosen = Chosen("told", Engine(_asking), base_url="http://10.0.0.1:8080")
    with pytest.raises(SearchUnavailable, match=r"told: refused \(private_address; web.allow opens it\)"):
        await Search([chosen], WIRE, GUARD).find("dams", n=5)
