import json
from collections.abc import AsyncIterator, Callable, Mapping

import pytest
from pydantic import JsonValue

from moot.evidence.store import Store
from moot.values.errors import SettingWrong, ToolFailed
from moot.web.guard import Guard, allowed
from moot.web.knowledge.bases import Bases, joined
from moot.web.knowledge.chosen import Account, bases, providers, variables
from moot.web.search.access import Wire
from tests.web.hostile import Hostile, hostile, page

pytestmark = pytest.mark.loopback
KEYS = {"DIFY_API_KEY": "dify-key", "MY_KEY": "ragflow-key"}
DIFY: JsonValue = {
    "query": {"content": "dam"},
    "records": [
        {
            "segment": {
                "id": "s1", "position": 1, "document_id": "d/1", "content": "The dam is 12 m tall.", "answer": None,
                "enabled": True, "document": {"id": "d/1", "data_source_type": "upload_file", "name": "dams.txt"},
            },
            "score": 0.92, "tsne_position": None,
        },
        {
            "segment": {"id": "s2", "document_id": "d/1", "content": "It was built in 1936.", "document": None},
            "score": 0.5,
        },
        {"segment": {"document_id": "d2", "content": "Is it safe?", "answer": "It is.",
                     "document": {"id": "d2", "name": "questions.csv"}}, "score": 0.4},
        {"segment": None, "score": 0.1},
    ],
}  # fmt: skip
DIFY_SEGMENTS: JsonValue = {
    "data": [
        {"id": "s1", "content": "The dam is 12 m tall. Its wall is of concrete."},
        {"id": "s2", "content": "Its wall is of concrete. It was built in 1936.", "answer": ""},
    ],
    "doc_form": "text_model", "has_more": False, "limit": 100, "total": 2, "page": 1,
}  # fmt: skip
RAGFLOW: JsonValue = {
    "code": 0,
    "data": {
        "chunks": [
            {"content": "坝高十二米。", "document_id": "r1", "document_keyword": "水坝.txt", "similarity": 0.9},
            {"content": "", "document_id": "r2"},
        ],
        "doc_aggs": [{"count": 1, "doc_id": "r1", "doc_name": "水坝.txt"}], "total": 1,
    },
}  # fmt: skip
RAGFLOW_CHUNKS: JsonValue = {
    "code": 0,
    "data": {
        "chunks": [
            {"available": True, "content": "坝高十二米。", "docnm_kwd": "水坝.txt", "id": "c1"},
            {"available": False, "content": "草稿。", "id": "c2"},
        ],
        "doc": {"id": "r1", "name": "水坝.txt", "chunk_count": 2}, "total": 2,
    },
}  # fmt: skip


def answer(body: JsonValue, status: int = 200) -> bytes:
    return page(json.dumps(body, ensure_ascii=False), status=status, content_type="application/json")


@pytest.fixture
async def server() -> AsyncIterator[Hostile]:
    async with hostile() as serving:
        serving.pages = {
            "/v1/datasets/n1/retrieve": answer(DIFY),
            "/v1/datasets/n1/documents/d%2F1/segments?page=1&limit=100&status=completed&enabled=true": answer(
                DIFY_SEGMENTS
            ),
            "/v1/datasets/n1/documents/d%2F1?metadata=without": answer({"id": "d/1", "name": "dams.txt"}),
            "/api/v1/retrieval": answer(RAGFLOW),
            "/api/v1/datasets/n2/documents/r1/chunks?page=1&page_size=100": answer(RAGFLOW_CHUNKS),
        }
        yield serving


@pytest.fixture
def asked(server: Hostile, store: Store) -> Callable[..., Bases]:
    """`asked("rag://dify")`: those bases, on loopback, as the operator allows it."""

    def open_(*whats: str, allow: str = "127.0.0.1/32") -> Bases:
        guard = Guard(allowed([allow], [server.port]))
        chosen = bases(whats, accounts(server.port), KEYS)
        wire = Wire(guard, agent="moot/test", sleep=_at_once)
        return Bases(chosen, wire, store=store, run="testrun000")

    return open_


async def _at_once(seconds: float) -> None:
    """No test waits."""


def accounts(port: int) -> Mapping[str, Account]:
    at = f"http://127.0.0.1:{port}"
    return {
        "dify": Account(base_url=f"{at}/v1", datasets={"hand book": "n1"}),
        "ragflow": Account(base_url=at, key="MY_KEY", datasets={"水利": "n2"}),
    }


async def test_bases_are_searched_side_by_side_and_their_documents_come_by_turns(
    asked: Callable[..., Bases], server: Hostile
) -> None:
    leads = await asked("rag://dify", "rag://ragflow").find("how tall is the dam", n=5)
    assert [(one.address, one.title, one.snippet) for one in leads.found] == [
        ("rag://dify/hand%20book/d%2F1", "dams.txt", "The dam is 12 m tall."),
        ("rag://ragflow/%E6%B0%B4%E5%88%A9/r1", "水坝.txt", "坝高十二米。"),
        ("rag://dify/hand%20book/d2", "questions.csv", "Is it safe? It is."),
    ]
    assert leads.notes == ()
    assert any("Bearer dify-key" in head for head in server.heads)
    assert any("Bearer ragflow-key" in head for head in server.heads)


async def test_a_document_of_dify_is_read_whole_once_and_what_pieces_share_stands_once(
    asked: Callable[..., Bases], server: Hostile, store: Store
) -> None:
    knowledge = asked("rag://dify")
    read = await knowledge.read("rag://dify/hand%20book/d%2F1", at=None)
    assert read.text == "The dam is 12 m tall. Its wall is of concrete. It was built in 1936."
    assert (read.title, read.kind, len(read.passages)) == ("dams.txt", "document", 1)
    assert await knowledge.read("rag://dify/hand%20book/d%2F1", at=None) == read
    assert len(server.asked) == 2
    assert await store.text(read.text_hash) == read.text


async def test_a_document_of_ragflow_is_read_without_what_is_not_available(asked: Callable[..., Bases]) -> None:
    read = await asked("rag://ragflow/水利").read("rag://ragflow/%E6%B0%B4%E5%88%A9/r1", at=None)
    assert (read.title, read.text) == ("水坝.txt", "坝高十二米。")


@pytest.mark.parametrize(
    ("path", "bad", "code"),
    [
        ("/v1/datasets/n1/retrieve", answer({"code": "unauthorized"}, 401), "auth"),
        ("/v1/datasets/n1/retrieve", answer({"code": "not_found"}, 404), "malformed"),
        ("/v1/datasets/n1/retrieve", answer({}, 500), "unavailable"),
        ("/v1/datasets/n1/retrieve", page("<html>"), "malformed"),
        ("/v1/datasets/n1/retrieve", answer({"records": "none"}), "malformed"),
        ("/v1/datasets/n1/retrieve", answer(["records"]), "malformed"),
        ("/api/v1/retrieval", answer({"code": 109, "message": "API key is invalid!"}), "auth"),
        ("/api/v1/retrieval", answer({"code": 102, "message": "no such dataset"}), "malformed"),
        ("/api/v1/retrieval", answer({"code": 0, "data": {"chunks": {}}}), "malformed"),
        ("/api/v1/retrieval", answer(None), "malformed"),
    ],
)
async def test_a_base_that_fails_is_a_note_beside_the_other_and_alone_a_failure(
    asked: Callable[..., Bases], server: Hostile, path: str, bad: bytes, code: str
) -> None:
    server.pages[path] = bad
    failing, other = ("dify", "ragflow") if "v1/datasets" in path else ("ragflow", "dify")
    leads = await asked("rag://dify", "rag://ragflow").find("dam", n=5)
    assert {one.engine for one in leads.found} == {other}
    assert [note.rpartition(": ")[2] for note in leads.notes] == [code]
    with pytest.raises(ToolFailed, match=code) as failed:
        await asked(f"rag://{failing}").find("dam", n=5)
    assert failed.value.code == "search_unavailable"


async def test_answers_without_results_are_no_failure(asked: Callable[..., Bases], server: Hostile) -> None:
    server.pages["/v1/datasets/n1/retrieve"] = answer({"query": {"content": "x"}, "records": []})
    assert (await asked("rag://dify").find("dam", n=5)).found == ()


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (answer({}, 404), "malformed"),
        (answer({"data": [], "has_more": False}), "empty"),
        (answer({"data": 5}), "malformed"),
        (page("x", content_length="1000"), "unavailable"),
    ],
)
async def test_a_document_that_cannot_be_read_says_why(
    asked: Callable[..., Bases], server: Hostile, bad: bytes, code: str
) -> None:
    server.pages["/v1/datasets/n1/documents/d2/segments?page=1&limit=100&status=completed&enabled=true"] = bad
    with pytest.raises(ToolFailed) as failed:
        await asked("rag://dify").read("rag://dify/hand%20book/d2", at=None)
    assert failed.value.code == code


async def test_a_base_inside_is_asked_only_where_the_operator_allows_it(
    asked: Callable[..., Bases], server: Hostile
) -> None:
    with pytest.raises(ToolFailed, match="refused"):
        await asked("rag://dify", allow="10.0.0.0/8").find("dam", n=5)
    assert server.asked == []


async def test_an_address_of_no_given_base_is_not_read(asked: Callable[..., Bases]) -> None:
    knowledge = asked("rag://dify")
    assert knowledge.holds("rag://dify/hand%20book/d1")
    assert not knowledge.holds("rag://ragflow/%E6%B0%B4%E5%88%A9/r1")
    with pytest.raises(ToolFailed, match="in none of the given documents"):
        await knowledge.read("rag://ragflow/%E6%B0%B4%E5%88%A9/r1", at=None)


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("rag://difi", "there is no such provider. There is: dify"),
        ("rag://ragflow", "it is not set up"),
        ("rag://dify/other", "it has no such dataset. There is: a, b"),
        ("rag://dify/a", "it needs DIFY_API_KEY, which is not set"),
    ],
)
def test_a_base_that_cannot_be_asked_is_told_before_the_run(what: str, wrong: str) -> None:
    known = {"dify": Account(base_url="https://dify.example", datasets={"a": "1", "b": "2"})}
    with pytest.raises(SettingWrong, match=wrong) as raised:
        bases([what], known, {})
    assert what in raised.value.chinese


def test_a_provider_alone_names_all_of_its_bases_each_once() -> None:
    known = {"dify": Account(base_url="https://dify.example", datasets={"a": "1", "b": "2"})}
    chosen = bases(["rag://dify/b", "rag://dify"], known, {"DIFY_API_KEY": "k"})
    assert [base.root for base in chosen] == ["rag://dify/b", "rag://dify/a"]
    assert variables(known) == {"DIFY_API_KEY"}
    assert sorted(providers()) == ["dify", "ragflow"]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((), ""),
        (("a", "b"), "a\n\nb"),
        (("one two three four five", "two three four five six"), "one two three four five\n\ntwo three four five six"),
        (("x" + "abcdefghij" * 3, "abcdefghij" * 2 + "z"), "x" + "abcdefghij" * 3 + "z"),
    ],
)
def test_pieces_are_joined_without_what_they_share_when_it_is_long(pieces: tuple[str, ...], text: str) -> None:
    assert joined(pieces) == text
