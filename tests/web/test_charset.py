import pytest

from moot.web.charset import decode
from moot.web.faults import Unreadable

UNLABELLED = {
    "big5": "根據最新的調查報告，水庫的蓄水量為四億噸，比去年增加了百分之十二。",
    "gbk": "根据最新的调查报告，水库蓄水量为四亿吨，比去年增加了百分之十二。",
    "shift_jis": "このダムの貯水量は四億トンであり、昨年より十二パーセント増加した。",
    "euc-jp": "このダムの貯水量は四億トンであり、昨年より十二パーセント増加した。",
    "euc-kr": "이 댐의 저수량은 사억 톤이며 지난해보다 십이 퍼센트 증가했다고 밝혔다.",
    "cp1251": "Объём водохранилища составляет четыреста миллионов тонн воды, это много.",
    "koi8-r": "Объём водохранилища составляет четыреста миллионов тонн воды, это много.",
    "cp1252": "L’été dernier, le réservoir contenait déjà quatre cents millions de mètres cubes.",
    "utf-16-le": "Plain English words in UTF-16 without any mark at their beginning.",
    "utf-16-be": "Plain English words in UTF-16 without any mark at their beginning.",
}


@pytest.mark.parametrize("charset", UNLABELLED)
@pytest.mark.parametrize("times", [1, 8])
def test_a_text_of_seventy_bytes_without_a_label_is_read_right(charset: str, times: int) -> None:
    text = UNLABELLED[charset] * times
    assert decode(text.encode(charset)).text == text


@pytest.mark.parametrize("charset", ["utf-8", "utf-16", "utf-32"])
def test_a_mark_at_the_beginning_decides(charset: str) -> None:
    body = "水库 reservoir".encode("utf-8-sig" if charset == "utf-8" else charset)
    assert decode(body, header="latin-1").text == "水库 reservoir"


def test_a_page_label_beats_a_header_that_never_errs() -> None:
    body = '<html><meta charset="gb2312"><p>水库蓄水量</p>'.encode("gbk")
    assert "水库蓄水量" in decode(body, header="iso-8859-1").text


def test_utf_8_beats_a_header_that_never_errs() -> None:
    assert decode("Größe".encode(), header="iso-8859-1").text == "Größe"


def test_a_header_that_fits_is_taken() -> None:
    assert decode("水库".encode("big5hkscs", "ignore") + "庫".encode("big5"), header="big5").charset == "big5hkscs"


@pytest.mark.parametrize("label", ["hex", "rot13", "no-such-charset", "base64", ""])
def test_a_label_that_is_no_charset_is_ignored(label: str) -> None:
    assert decode("café".encode(), header=label).text == "café"


def test_text_encoded_twice_is_mended_and_noted() -> None:
    twice = "café, été, naïve, déjà".encode().decode("cp1252").encode()
    found = decode(twice)
    assert found.text == "café, été, naïve, déjà"
    assert found.notes == ("charset_mended: 6 pairs of twice encoded UTF-8",)


def test_a_few_broken_bytes_are_replaced_and_noted() -> None:
    body = ("水库蓄水量为四亿吨，" * 40).encode() + b"\xff" + "全省最大。".encode()
    found = decode(body)
    assert found.text.endswith("全省最大。")
    assert found.text.count("\ufffd") == 1
    assert found.notes[0].startswith("charset_doubtful: 1 ")


def test_bytes_of_no_charset_are_unreadable() -> None:
    with pytest.raises(Unreadable) as caught:
        decode(b"\xff\xfe\x00\x00" + b"\xff\xff\xff\xff" * 50)
    assert caught.value.code == "unreadable"


def test_lines_signs_and_direction_are_tidied() -> None:
    found = decode("a\r\nb\rc\x00\x07d\u202ee\ufeff e\u0301".encode())
    assert found.text == "a\nb\ncde é"
    assert found.notes == ("bidi_dropped: 1",)
