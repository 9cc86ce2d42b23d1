"""Dify: knowledge bases of a Dify of one's own, or of its cloud."""

from collections.abc import Mapping
from urllib.parse import quote

from pydantic import JsonValue

from moot.web.knowledge.provider import Piece, Provider, Whole
from moot.web.search.answers import json_of, rows, text
from moot.web.search.engine import Access, EngineFailed

_PAGE, _PAGES = 100, 50
"""Segments of one request (its most), and requests for one document."""


async def find(words: str, dataset: str, access: Access) -> list[Piece]:
    """Its documents: docs.dify.ai, retrieve chunks. How it searches is as the base itself is set."""
    url = f"{_at(access)}/datasets/{quote(dataset, safe='')}/retrieve"
    answer = json_of(await access.ask(url, headers=_headers(access), json={"query": words}))
    return [piece for row in rows(answer, "records") if (piece := _piece(row)) is not None]


async def read(document: str, dataset: str, access: Access) -> Whole:
    """Its documents: docs.dify.ai, list chunks, get document."""
    at = f"{_at(access)}/datasets/{quote(dataset, safe='')}/documents/{quote(document, safe='')}"
    pieces: list[str] = []
    for page in range(1, _PAGES + 1):
        url = f"{at}/segments?page={page}&limit={_PAGE}&status=completed&enabled=true"
        answer = json_of(await access.ask(url, headers=_headers(access)))
        pieces += [words for row in rows(answer, "data") if (words := _words(row))]
        if not isinstance(answer, dict) or answer.get("has_more") is not True:
            return Whole(await _title(at, document, access), tuple(pieces))
    return Whole(await _title(at, document, access), tuple(pieces), is_cut=True)


async def _title(at: str, document: str, access: Access) -> str:
    try:
        told = json_of(await access.ask(f"{at}?metadata=without", headers=_headers(access)))
    except EngineFailed as failed:
        if failed.code != "malformed":  # an older Dify does not know the request
            raise
        return document
    return (text(told, "name") if isinstance(told, dict) else "") or document


def _piece(row: Mapping[str, JsonValue]) -> Piece | None:
    segment, score = row.get("segment"), row.get("score")
    if not isinstance(segment, dict) or not (words := _words(segment)):
        return None
    about = segment.get("document")
    document = text(segment, "document_id") or (text(about, "id") if isinstance(about, dict) else "")
    title = text(about, "name") if isinstance(about, dict) else ""
    return Piece(document, title or document, words, score if isinstance(score, int | float) else 0.0)


def _words(segment: Mapping[str, JsonValue]) -> str:
    """A segment's text; of a question with its answer both."""
    return "\n".join(part for part in (text(segment, "content"), text(segment, "answer")) if part)


def _at(access: Access) -> str:
    """Its API as it is shown there: with or without its `/v1`."""
    at = access.base_url.rstrip("/")
    return at if at.endswith("/v1") else f"{at}/v1"


def _headers(access: Access) -> dict[str, str]:
    return {"Authorization": f"Bearer {access.key}"}


PROVIDER = Provider(find, read, key="DIFY_API_KEY", longest=250)
