"""Which class a source has."""

import pytest

from moot.evidence.classes import class_of
from moot.values.evidence import SourceClass


@pytest.mark.parametrize(
    ("address", "source_class"),
    [
        ("//www.data.gov/x", "official"), ("//www.ons.gov.uk/x", "official"), ("//stats.gov.cn/", "official"),
        ("//www.sec.gov/Archives/a", "primary"), ("//www.sec.gov/news", "official"),
        ("docs://python/library/a", "primary"),
        ("//arxiv.org/abs/1", "research"), ("//cs.example.edu/a", "research"), ("//www.cam.ac.uk/a", "research"),
        ("//en.wikipedia.org/wiki/A", "reference"), ("//plato.stanford.edu/entries/a", "reference"),
        ("//www.reuters.com/a", "press"), ("//stackoverflow.com/q/1", "forum"), ("//www.bilibili.com/v", "video"),
        ("//x.com/a", "social"), ("//notx.com/a", "unknown"), ("docs://notes/a.md", "unknown"), ("calc:a", "unknown"),
    ],
)  # fmt: skip
def test_a_class_is_read_from_the_address(address: str, source_class: SourceClass) -> None:
    assert class_of(address) == source_class


@pytest.mark.parametrize(
    ("declared", "source_class"),
    [
        (("type:WebPage", "type:NewsArticle"), "press"), (("doi:10.1/a",), "research"),
        (("type:video.other",), "video"), (("publisher:The Post",), "unknown"),
    ],
)  # fmt: skip
def test_markup_tells_the_class_where_no_name_does(declared: tuple[str, ...], source_class: SourceClass) -> None:
    assert class_of("//example.org/a", declared) == source_class
    assert class_of("//en.wikipedia.org/a", declared) == "reference"
