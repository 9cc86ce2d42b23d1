"""`moot index`: makes, looks at and renews the indexes that are kept under the data folder."""

from pathlib import Path
from typing import NamedTuple

from moot.values.errors import SettingWrong
from moot.web.chosen import Chosen, choose, good_name, index_path, place_of
from moot.web.documents import opened_one
from moot.web.index import peek
from moot.web.refresh import Tell


class IndexCounts(NamedTuple):
    """What indexing a folder found and did."""

    files: int
    """Documents that can be searched now."""
    changed: int
    """Of those and of the unreadable: read anew just now."""
    gone: int
    skipped: list[tuple[str, str]]
    """(path, reason) of everything that is not in the index."""


class IndexStatus(NamedTuple):
    """One index as it is kept."""

    name: str
    """As a person called it; `` for one that is kept by its path."""
    place: str
    files: int
    failed: int
    passages: int
    text_bytes: int
    index_bytes: int
    path: Path


async def index_folder(
    path: str, *, home: Path, name: str = "", progress: Tell | None = None, rebuild: bool = False
) -> IndexCounts:
    """Brings the index of a folder, a file or `python` up to date. Raises SettingWrong.

    Cancelled, what is done stays. A second one waits for the first. `rebuild` begins anew.
    """
    chosen = choose([path], home=home)[0]
    if name:
        kept_at = index_path(home, "", name=good_name(name))
        place = place_of(kept_at)
        if place and place != chosen.shelf.place and not rebuild:
            raise SettingWrong(
                f"--name {name} is the index of {place}. Choose another name, or --rebuild to take it over.",
                chinese=f"--name {name} 已是 {place} 的索引。请换一个名称，或用 --rebuild 接管。",
            )
        chosen = Chosen(chosen.shelf, kept_at)
    collection = await opened_one(chosen, progress, name=name, rebuild=rebuild)
    collection.index.close()
    counts = collection.counts
    return IndexCounts(counts.files, counts.changed, counts.gone, list(counts.skipped))


def index_status(home: Path) -> tuple[IndexStatus, ...]:
    """Every index under the data folder, those with a name first. One that cannot be read is left out."""
    found: list[IndexStatus] = []
    for path in (home / "index").glob("*.db"):
        seen = peek(path)
        if seen:
            found.append(IndexStatus(seen.name, seen.place, *seen.totals, path.stat().st_size, path))
    return tuple(sorted(found, key=lambda status: (not status.name, status.name, status.place)))
