"""RAGFlow: knowledge bases of a RAGFlow of one's own."""

from collections.abc import Mapping
from urllib.parse import quote

from pydantic import JsonValue

from moot.web.knowledge.provider import Piece, Provider, Whole
from moot.web.search.answers import json_of, rows, text
from moot.web.search.engine import Access, EngineFailed

_PAGE, _PAGES = 100, 50
_FOUND = 30


async def find(words: str, dataset: str, access: Access) -> list[Piece]:
    """Its documents: ragflow.io, HTTP API, retrieve chunks."""
    asked: dict[str, JsonValue] = {"question": words, "dataset_ids": [dataset], "page": 1, "page_size": _FOUND}
    answer = _good(await access.ask(f"{_at(access)}/retrieval", headers=_headers(access), json=asked))
    return [piece for row in rows(answer, "data", "chunks") if (piece := _piece(row)) is not None]


async def read(document: str, dataset: str, access: Access) -> Whole:
    """Its documents: ragflow.io, HTTP API, list chunks."""
    at = f"{_at(access)}/datasets/{quote(dataset, safe='')}/documents/{quote(document, safe='')}/chunks"
    pieces: list[str] = []
    for page in range(1, _PAGES + 1):
        answer = _good(await access.ask(f"{at}?page={page}&page_size={_PAGE}", headers=_headers(access)))
        found = list(rows(answer, "data", "chunks"))
        pieces += [words for row in found if row.get("available") is not False and (words := text(row, "content"))]
        if len(found) < _PAGE:
            return Whole(_title(answer) or document, tuple(pieces))
    return Whole(_title(answer) or document, tuple(pieces), is_cut=True)


def _good(body: bytes) -> JsonValue:
    answer = json_of(body)
    code = answer.get("code") if isinstance(answer, dict) else None
    if code == 0:
        return answer
    if code in (109, 401, 403):
        raise EngineFailed("auth", "it refuses the key")
    said = text(answer, "message") if isinstance(answer, dict) else ""
    raise EngineFailed("malformed", f"it answers {code}: {said[:200]}")


def _piece(row: Mapping[str, JsonValue]) -> Piece | None:
    words, document, score = text(row, "content"), text(row, "document_id"), row.get("similarity")
    if not words or not document:
        return None
    title = text(row, "document_keyword", "docnm_kwd", "document_name") or document
    return Piece(document, title, words, score if isinstance(score, int | float) else 0.0)


def _title(answer: JsonValue) -> str:
    data = answer.get("data") if isinstance(answer, dict) else None
    about = data.get("doc") if isinstance(data, dict) else None
    return text(about, "name") if isinstance(about, dict) else ""


def _at(access: Access) -> str:
    at = access.base_url.rstrip("/")
    return at if at.endswith("/api/v1") else f"{at}/api/v1"


def _headers(access: Access) -> dict[str, str]:
    return {"Authorization": f"Bearer {access.key}"}


PROVIDER = Provider(find, read, key="RAGFLOW_API_KEY")
