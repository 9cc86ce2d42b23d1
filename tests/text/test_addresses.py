"""One address of a page, however it was written."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moot.text.addresses import canonical, readable
from moot.text.marks import mark_of

TABLE = [
    ("https://Example.org:443/report/./a/../b?utm_source=x&id=7#sec2", "//example.org/report/b?id=7", "S2122"),
    ("http://example.org/report/b?id=7", "//example.org/report/b?id=7", "S2122"),
    ("https://example.org/report/b/?id=7", "//example.org/report/b/?id=7", "Sd515"),
    ("https://example.org", "//example.org/", "S2b1b"),
    ("https://例子.测试/a", "//xn--fsqu00a.xn--0zwm56d/a", "Sd380"),
    ("https://example.org/a%7Eb/%e4%b8%ad", "//example.org/a~b/%E4%B8%AD", "S5762"),
    ("https://example.org/p;jsessionid=12AB?x=1&fbclid=9", "//example.org/p?x=1", "S3ae5"),
    ("//example.org/page/110", "//example.org/page/110", "S931a"),
    ("//example.org/page/157", "//example.org/page/157", "S931a"),
]


@pytest.mark.parametrize("raw, address, mark", TABLE)
def test_the_table_of_addresses_and_marks_is_exact(raw: str, address: str, mark: str) -> None:
    assert canonical(raw) == address
    assert mark_of(address) == mark


@pytest.mark.parametrize(
    "raw, address",
    [
        ("  https://example.org/a  ", "//example.org/a"),
        ("HTTP://EXAMPLE.ORG./a", "//example.org/a"),
        ("http://example.org:80", "//example.org/"),
        ("http://example.org:443/", "//example.org:443/"),
        ("https://example.org:8080/a", "//example.org:8080/a"),
        ("https://example.org:/a", "//example.org/a"),
        ("https://example.org/中?q=文", "//example.org/%E4%B8%AD?q=%E6%96%87"),
        ("https://example.org/%2e%2e/a", "//example.org/a"),
        ("https://example.org/a/b/..", "//example.org/a/"),
        ("https://example.org/a%2Fb", "//example.org/a%2Fb"),
        ("https://example.org/a?spm=1&gclid=2&scm=3&b=2&a=1", "//example.org/a?b=2&a=1"),
        ("https://example.org/a?utm_campaign=x", "//example.org/a"),
        ("https://example.org/a?q=utm_source", "//example.org/a?q=utm_source"),
        ("https://example.org/a#!/inbox", "//example.org/a#!/inbox"),
        ("https://example.org/a b", "//example.org/a%20b"),
        ("https://[2001:DB8::1]:443/a", "//[2001:db8::1]/a"),
        ("https://①②⑦.example/", "//127.example/"),
        ("https://ＥＸＡＭＰＬＥ。org/", "//example.org/"),
        ("https://i❤.ws/", "//xn--i-7iq.ws/"),
        ("docs://python/with", "docs://python/with"),
        ("docs://d/%e4.md#page=2", "docs://d/%e4.md#page=2"),
        ("rag://dify/set/7", "rag://dify/set/7"),
        ("calc:process#1/1", "calc:process#1/1"),
        ("market:prices/600519.SH", "market:prices/600519.SH"),
    ],
)  # fmt: skip
def test_what_is_one_address_is_written_one_way(raw: str, address: str) -> None:
    assert canonical(raw) == address


@pytest.mark.parametrize(
    "raw",
    ["", "example.org/a", "ftp://example.org/a", "mailto:a@b.c", "http://a:b@example.org/", "http://a@example.org/",
     "https:///x", "https://", "javascript:alert(1)", "http://exa mple.org/", "http://:80/", "https://\ufdd0.org/"],
)  # fmt: skip
def test_what_is_no_address_of_a_page_is_a_value_error(raw: str) -> None:
    with pytest.raises(ValueError):
        canonical(raw)


@given(st.text(st.characters(codec="utf-8"), max_size=40), st.text(max_size=30), st.text(max_size=30))
def test_a_canonical_address_stays_as_it_is(path: str, query: str, fragment: str) -> None:
    once = canonical(f"https://example.org/{path}?{query}#!{fragment}")
    assert canonical(once) == once


@pytest.mark.slow
def test_addresses_and_marks_take_less_than_a_20000th_of_a_second() -> None:
    addresses = [f"https://Example.org:443/r/./{n}/../b%7E?utm_source=x&id={n}#s" for n in range(10_000)]
    began = time.process_time()
    for address in addresses:
        mark_of(canonical(address))
    assert len(addresses) / (time.process_time() - began) >= 20_000


@pytest.mark.parametrize(
    ("address", "read"),
    [
        ("docs://docs/%E6%89%8B%E5%86%8C%20a.md", "docs://docs/手册%20a.md"),
        ("//example.org/%E5%8C%97%E4%BA%AC?q=%C3%A9%2F", "https://example.org/北京?q=é%2F"),
        ("//example.org/%E5%8C", "https://example.org/%E5%8C"),
        ("//example.org/a%E3%80%80b%E2%80%AEc", "https://example.org/a%E3%80%80b%E2%80%AEc"),
    ],
)
def test_a_reader_is_shown_names_in_their_own_letters(address: str, read: str) -> None:
    assert readable(address) == read
