"""Which script a character belongs to."""

from moot.text.scripts import cjk_share, is_cjk, is_han, is_hangul, is_kana


def test_scripts_are_told_apart() -> None:
    assert [is_han(ch) for ch in "水々かカ한a。"] == [True, True, False, False, False, False, False]
    assert [is_kana(ch) for ch in "水かカｶ한a"] == [False, True, True, True, False, False]
    assert [is_hangul(ch) for ch in "水か한ㄱa"] == [False, False, True, True, False]
    assert [is_cjk(ch) for ch in "水か한a1。𠀀"] == [True, True, True, False, False, False, True]


def test_the_share_counts_letters_only() -> None:
    assert cjk_share("水库 ab 123。") == 0.5
    assert cjk_share("abc") == cjk_share("123。") == cjk_share("") == 0.0
    assert cjk_share("水库") == 1.0
