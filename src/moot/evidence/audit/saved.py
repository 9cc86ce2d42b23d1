"""Pages that were saved from the web, as texts to check against; and which of them an address means."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from moot.evidence.texts import About
from moot.text.passages import cut
from moot.values.evidence import Passage
from moot.values.value import Value


class SavedPage(Value):
    """A page as it was saved."""

    name: str
    """Of its file."""
    addresses: tuple[str, ...] = ()
    """In canonical form, as the page itself says where it was."""
    title: str = ""
    published: str = ""
    text: str


class PageTexts:
    """The texts of saved pages by their hash. Implements `Texts`."""

    def __init__(self, pages: Iterable[SavedPage]) -> None:
        self._pages = {self.hash_of(page): page for page in pages}
        self._passages: dict[str, tuple[Passage, ...]] = {}

    def hash_of(self, page: SavedPage) -> str:
        return hashlib.sha256(page.text.encode("utf-8")).hexdigest()

    def count(self, text_hash: str) -> int:
        """How many passages that text has; 0 when there is none."""
        if text_hash not in self._passages:
            page = self._pages.get(text_hash)
            self._passages[text_hash] = cut(page.text) if page else ()
        return len(self._passages[text_hash])

    async def text(self, text_hash: str) -> str:
        if text_hash not in self._pages:
            raise KeyError("no page was saved")
        return self._pages[text_hash].text

    async def passages(self, text_hash: str) -> tuple[Passage, ...]:
        self.count(text_hash)
        return self._passages[text_hash]

    async def about(self, text_hash: str) -> About:
        page = self._pages.get(text_hash)
        return About((), page.published if page else "")

    async def is_intact(self, text_hash: str) -> bool:
        return text_hash in self._pages

    async def bytes_of(self, sha256: str) -> bytes | None:
        return self._pages[sha256].text.encode("utf-8") if sha256 in self._pages else None


def matched(written: Mapping[str, str], pages: Sequence[SavedPage]) -> dict[str, SavedPage]:
    """Address → its page: by what the page says of itself, else by its file's name when only one fits."""
    by_address = {address: page for page in reversed(pages) for address in page.addresses}
    by_name: dict[str, list[SavedPage]] = {}
    for page in pages:
        by_name.setdefault(_slug(page.name.rpartition(".")[0] or page.name), []).append(page)
    found: dict[str, SavedPage] = {}
    for address in written:
        told = by_address.get(address) or by_address.get(_other_slash(address)) or _by_name(address, by_name)
        if told is not None:
            found[address] = told
    return found


def _other_slash(address: str) -> str:
    """The address with its last slash taken away or added: a saved page rarely tells the two apart."""
    return address.removesuffix("/") if address.endswith("/") else f"{address}/"


def _by_name(address: str, by_name: Mapping[str, Sequence[SavedPage]]) -> SavedPage | None:
    whole = address.removeprefix("//").removeprefix("www.")
    host, _, path = whole.partition("/")
    last = path.rstrip("/").rpartition("/")[2]
    for name in (
        whole,
        f"www.{whole}",
        path,
        last,
        last.partition("?")[0],
        last.rpartition(".")[0],
        "" if path else host,
    ):
        fitting = by_name.get(_slug(name), ()) if _slug(name) else ()
        if len(fitting) == 1:
            return fitting[0]
    return None


def _slug(name: str) -> str:
    return re.sub(r"[\W_]+", "-", re.sub(r"%[0-9A-F]{2}", "-", name).casefold()).strip("-")
