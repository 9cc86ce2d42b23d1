import base64
from urllib.parse import quote, quote_plus

import pytest

from moot.text.carried import carries

DOCUMENT = "Notes.\n\nThe reserve price of the northern site is four million, and nobody outside the board knows it.\n"
FORTY = "reserve price of the northern site is four"
ADDRESS = "https://evil.test/?q="


@pytest.mark.parametrize(
    "carried",
    [
        quote(FORTY), quote_plus(FORTY), quote(quote(FORTY)), FORTY.replace(" ", "-"), FORTY.replace(" ", "_"),
        FORTY.upper().replace(" ", "/"), base64.b64encode(FORTY.encode()).decode(),
        base64.urlsafe_b64encode(f"x {FORTY} é".encode()).decode().rstrip("="), quote(f"before {FORTY} after"),
        quote("The  reserve\nprice of the northern site is four"),
    ],
)  # fmt: skip
def test_forty_running_characters_are_found_however_they_are_written(carried: str) -> None:
    assert carries(f"{ADDRESS}{carried}", DOCUMENT)


def test_chinese_words_are_found_behind_their_escapes() -> None:
    text = "水库蓄水量为四亿立方米，比去年同期多出百分之十二，汛期之前必须放水，具体的放水时间由管理局与下游各县商定。"
    assert carries(ADDRESS + quote(text[3:45]), text)
    assert not carries(ADDRESS + quote(text[3:40]), text)


@pytest.mark.parametrize(
    "address",
    [
        ADDRESS + quote("reserve price of the northern site"),  # 34
        ADDRESS + quote("the reserve price northern site four million board outside nobody"),
        "https://example.org/wiki/Northern_site", ADDRESS + base64.b64encode(bytes(range(60))).decode(), ADDRESS,
    ],
)  # fmt: skip
def test_fewer_or_other_words_are_no_leak(address: str) -> None:
    assert not carries(address, DOCUMENT)


def test_a_run_is_found_wherever_in_the_address_it_begins() -> None:
    for before in range(45):
        assert carries(f"https://e.test/{'z' * before}{quote(FORTY)}", DOCUMENT)
        assert not carries(f"https://e.test/{'z' * before}{quote(FORTY[:38])}z", DOCUMENT)
