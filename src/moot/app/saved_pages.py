"""Reads a folder of pages that were saved from the web, for auditing another system's report against them."""

import re
from pathlib import Path
from typing import NamedTuple

from moot.app.parts import load
from moot.evidence.audit.saved import SavedPage
from moot.text.addresses import canonical
from moot.text.clean import clean
from moot.values.errors import SettingWrong
from moot.web.faults import Unreadable

_HEAD = 200_000
_SAVED_FROM = re.compile(r"saved from url=\(\d+\)(\S+)|<!--\s*Page saved with SingleFile\s+url:\s*(\S+)", re.IGNORECASE)
_OG_URL = re.compile(
    r"<meta[^>]+(?:property|name)=[\"']?og:url[\"']?[^>]*\bcontent=[\"']?([^\"'\s>]+)"
    r"|<meta[^>]+\bcontent=[\"']?([^\"'\s>]+)[\"']?[^>]*(?:property|name)=[\"']?og:url",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"^(?:url|source|link|canonical)\s*:\s*[\"'<]?((?:https?:)?//[^\s\"'>]+)", re.IGNORECASE | re.MULTILINE
)


class Saved(NamedTuple):
    """What a folder holds."""

    pages: tuple[SavedPage, ...]
    unread: tuple[tuple[str, str], ...]
    """(file, why) of what could not be read."""


def saved_pages(folder: Path) -> Saved:
    """Every page under a folder, by name. Raises SettingWrong when it is none."""
    if not folder.is_dir():
        raise SettingWrong(f"--pages {folder}: is no folder.", chinese=f"--pages {folder}：不是目录。")
    pages: list[SavedPage] = []
    unread: list[tuple[str, str]] = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")):
        if not path.resolve().is_relative_to(folder.resolve()):
            unread.append((path.relative_to(folder).as_posix(), "it leads out of the folder"))
            continue
        try:
            pages.append(_page(path))
        except Unreadable as why:
            unread.append((path.relative_to(folder).as_posix(), str(why)))
        except OSError as why:
            unread.append((path.relative_to(folder).as_posix(), why.strerror or str(why)))
    return Saved(tuple(pages), tuple(unread))


def _page(path: Path) -> SavedPage:
    body = path.read_bytes()
    made = load("web.readable").readable(body, name=path.name)
    head = body[:_HEAD].decode("utf-8", "replace")
    told = [one.removeprefix("canonical:") for one in made.declared if one.startswith("canonical:")]
    told += [f"https://doi.org/{one.removeprefix('doi:')}" for one in made.declared if one.startswith("doi:")]
    where = (_SAVED_FROM, _OG_URL) if made.kind == "html" else (_FIELD,)
    told += [next(filter(None, found.groups())) for one in where for found in one.finditer(head)]
    addresses = tuple(dict.fromkeys(address for one in told if (address := _canonical(one))))
    return SavedPage(
        name=path.name, addresses=addresses, title=made.title, published=made.published, text=clean(made.text)
    )


def _canonical(told: str) -> str:
    try:
        return canonical(told)
    except ValueError:
        return ""
