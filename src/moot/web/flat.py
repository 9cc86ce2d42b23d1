"""The text of HTML without building a tree of it: for pages nested deeper than a parser follows."""

from html.parser import HTMLParser

_SKIPPED = frozenset("script style template noscript head nav svg".split())
_INLINE = frozenset("a abbr b bdi cite code em i kbd mark q s small span strong sub sup time u var wbr".split())


def flat_text(text: str) -> str:
    """Visible text, a paragraph a block. Never recurses."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    blocks = ("".join(reader.parts)).split("\0")
    return "\n\n".join(line for block in blocks if (line := " ".join(block.split())))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._skipping = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skipping += tag in _SKIPPED
        if tag not in _INLINE:
            self.parts.append("\0")

    def handle_endtag(self, tag: str) -> None:
        self._skipping = max(self._skipping - (tag in _SKIPPED), 0)
        if tag not in _INLINE:
            self.parts.append("\0")

    def handle_data(self, data: str) -> None:
        if not self._skipping:
            self.parts.append(data)
