"""Which class a source has, by its address and what its page declares. It orders and labels; it decides no check."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import get_args

from moot.values.evidence import SourceClass

_BY_TYPE: Mapping[str, SourceClass] = {
    "newsarticle": "press", "reportagenewsarticle": "press", "analysisnewsarticle": "press",
    "opinionnewsarticle": "press",
    "scholarlyarticle": "research", "medicalscholarlyarticle": "research", "discussionforumposting": "forum",
    "qapage": "forum", "videoobject": "video", "video.other": "video", "video.movie": "video",
    "socialmediaposting": "social", "corporation": "company", "localbusiness": "company", "product": "company",
}  # fmt: skip
ORDER: tuple[SourceClass, ...] = get_args(SourceClass)
"""The classes, those first that a reader should look at first."""


def class_of(address: str, declared: Sequence[str] = ()) -> SourceClass:
    """The class of the source at an address; `unknown` when neither its name nor its markup tells."""
    named = _by_name(address)
    if named is not None:
        return named
    for one in declared:
        kind, _, value = one.partition(":")
        if kind in ("doi", "arxiv", "pmid", "pmcid"):
            return "research"
        if kind == "type" and value.casefold() in _BY_TYPE:
            return _BY_TYPE[value.casefold()]
    return "unknown"


def _by_name(address: str) -> SourceClass | None:
    """By the longest name that is the address's host, one above it, or the beginning of its path."""
    table = _table()
    if not address.startswith("//"):
        collection = "/".join(address.split("/")[:3])
        return table.get(collection)
    host, _, path = address.removeprefix("//").partition("/")
    labels = host.partition(":")[0].split(".")
    first = path.partition("/")[0]
    for at in range(len(labels)):
        name = ".".join(labels[at:])
        for written in (f"{name}/{first}", name, f"{labels[at]}.*" if at == len(labels) - 2 else name):
            if written in table:
                return table[written]
    return None


@lru_cache(maxsize=1)
def _table() -> Mapping[str, SourceClass]:
    text = resources.files("moot.evidence").joinpath("classes.toml").read_text("utf-8")
    read = tomllib.loads(text)
    return {name: source_class for source_class in ORDER for name in read.get(source_class, ())}
