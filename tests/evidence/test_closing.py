"""The sections behind a draft, in the words of those who said them."""

import pytest

from moot.evidence.closing import as_said


@pytest.mark.parametrize(
    ("found", "quotes", "said"),
    [
        ("保期 务器 服务 质保", ("服务器的质保期为36个月。", ""), "服务器 质保期"),
        ("dam lindal", ("It holds 340 m³.", "The Lindal Dam holds 310 m³."), "Lindal Dam"),
        ("hold water", ("The dam holds 310 m³ of water.", ""), "holds water"),
        ("height", ("The tower is 330 m tall.", "It is 300 m tall."), "height"),
        ("", ("The tower is 330 m tall.", ""), ""),
    ],
)
def test_what_two_sides_share_is_written_as_they_write_it(found: str, quotes: tuple[str, str], said: str) -> None:
    assert as_said(found, quotes) == said
