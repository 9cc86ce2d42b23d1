"""What in a draft is code or math."""

import pytest

from moot.evidence.drafts.edits import Edits
from moot.evidence.drafts.untouched import untouched


@pytest.mark.parametrize(
    "text, parts",
    [
        ("a `b` c", ["`b`"]),
        ("``a ` b`` c", ["``a ` b``"]),
        ("a ` b", []),
        ("```\nx `y`\n```\n`z`", ["```\nx `y`\n```", "`z`"]),
        ("```py\nx\n``` no end\ny", ["```py\nx\n``` no end\ny"]),
        ("~~~\nx\n```\n~~~~\nz", ["~~~\nx\n```\n~~~~"]),
        ("   ```\nx\n   ```", ["   ```\nx\n   ```"]),
        ("$x$ and $$y\nz$$ and \\(a\\) and \\[b\\]", ["$x$", "$$y\nz$$", "\\(a\\)", "\\[b\\]"]),
        ("$5 and $6", []),
        ("$ x $ and US$5$", []),
        ("\\[S7f3a.1\\] and \\[3\\]", []),
        ("$x\ny$", []),
    ],
)
def test_code_and_math_are_found(text: str, parts: list[str]) -> None:
    assert [text[start:end] for start, end in untouched(text)] == parts


def test_edits_are_made_at_once_and_places_move_with_them() -> None:
    edits = Edits("one two (three) four")
    edits.replace(0, 3, "1")
    edits.remove(9, 14)
    assert edits.made() == "1 two four"
    assert edits.moved([4, 10, 16]) == [2, 5, 6]
