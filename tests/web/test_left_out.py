"""A reader of Chinese is told in Chinese why a document was left out."""

from pathlib import Path

import pytest

from moot.text.scripts import cjk_share
from moot.web.chosen import nothing_in
from moot.web.left_out import in_chinese
from moot.web.readable import _REFUSED
from moot.web.shelf import Folder


@pytest.mark.parametrize("code", sorted({code for code, _ in _REFUSED.values()}))
def test_every_kind_that_is_refused_is_told_in_chinese_after_its_code(code: str) -> None:
    assert in_chinese(f"{code}: whatever").startswith(f"{code}：")


def test_what_a_walk_leaves_out_is_told_in_chinese(tmp_path: Path) -> None:
    (tmp_path / ".secret.md").write_text("x")
    (tmp_path / "out.md").symlink_to("/etc/passwd")
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    (tmp_path / ".gitignore").write_text("left.md\n")
    (tmp_path / "left.md").write_text("x")
    skipped = Folder(tmp_path, name="d").walk().skipped
    assert len(skipped) >= 4
    assert [why for _, why in skipped if not cjk_share(in_chinese(why))] == []
    assert "隐藏文件" in nothing_in(Folder(tmp_path, name="d"), skipped).chinese


def test_a_reason_without_chinese_stays_as_it_is() -> None:
    assert in_chinese("a pipe") == "a pipe"
