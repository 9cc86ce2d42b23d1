"""A report as a PDF, read back: every character and every citation is there, links lead on, nothing is run."""

import re
import unicodedata
from collections.abc import Iterator

import pypdfium2
import pypdfium2.raw as raw
import pytest
import typst
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.evidence.exports.pdf import pdf, text_layer
from moot.values.errors import SettingWrong
from moot.values.report import Report, Surroundings
from moot.values.value import RunId

_CODE = [
    *('#import "x": *', '#read("/etc/passwd")', "$sum_(i)$ \\ #let x = 1", "<label> @ref = heading"),
    *("*[_`~/*c*/ // c", "\\u{41}"),
]
_SOME = st.one_of(
    st.sampled_from("#$\\*_`<>@=-+/\"'[](){}~\n"), st.characters(max_codepoint=0x17F, exclude_categories=["C"])
)


def reply(text: str, title: str = "T") -> Report:
    return Report(title=title, markdown=text, draft=text, surroundings=Surroundings(run=RunId("k3f9q2m8xz")))


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text))


def links(made: bytes) -> Iterator[str]:
    """The addresses that a PDF's links lead to, `` for a place within."""
    opened = pypdfium2.PdfDocument(made)
    for page in opened:
        at = raw.c_int(0)
        link = raw.FPDF_LINK()
        while raw.FPDFLink_Enumerate(page.raw, at, link):
            action = raw.FPDFLink_GetAction(link)
            size = raw.FPDFAction_GetURIPath(opened.raw, action, None, 0) if action else 0
            body = raw.create_string_buffer(size) if size else None
            if body:
                raw.FPDFAction_GetURIPath(opened.raw, action, body, size)
            yield body.value.decode() if body else ""
    opened.close()


async def test_a_pdf_holds_every_citation_with_its_exact_words(report: Report) -> None:
    shown = letters(text_layer(pdf(report)))
    for quote in report.quotes:
        assert letters(quote.words) in shown
        assert letters(str(quote.citation)) in shown
    body = report.markdown[: report.body_end]
    for line in (line for line in body.splitlines() if not line.startswith("```") and not set(line) <= set("|:- ")):
        for word in re.split(r"[|*`\s]", line.replace("\\", "")):
            assert letters(word) in shown, line


async def test_numbers_lead_to_passages_and_addresses_to_the_web(english: Report) -> None:
    found = list(links(pdf(english)))
    assert found.count("") >= len(english.references)
    assert "https://www.example.org/eiffel_tower" in found


async def test_pages_are_numbered_and_the_outline_is_the_headings(english: Report) -> None:
    made = pdf(english)
    opened = pypdfium2.PdfDocument(made)
    outline = [item.get_title() for item in opened.get_toc()]
    assert outline == ["Short answer", "Findings", "Gaps", "Coverage", "Sources", "Also read, not cited"]
    for n, page in enumerate(opened, 1):
        assert f"{n} / {len(opened)}" in page.get_textpage().get_text_range()
    assert opened.get_metadata_dict()["Title"] == "Two towers"
    opened.close()


async def test_the_same_report_gives_the_same_bytes(english: Report) -> None:
    assert pdf(english) == pdf(english)


async def test_chinese_without_a_chinese_font_is_refused_with_what_to_install(chinese: Report) -> None:
    with pytest.raises(SettingWrong, match=r"fonts-noto-cjk.*dnf install.*brew install") as refused:
        pdf(chinese, typst.Fonts(include_system_fonts=False))
    assert refused.value.code == "font_missing"
    assert "fonts-noto-cjk" in refused.value.chinese


def test_a_character_that_no_font_can_draw_is_named_and_never_a_box() -> None:
    with pytest.raises(SettingWrong, match=r"U\+10330") as refused:
        pdf(reply("Gothic \U00010330 here."), typst.Fonts(include_system_fonts=False))
    assert refused.value.code == "font_missing"
    with pytest.raises(SettingWrong, match="emoji"):
        pdf(reply("A face 🤠."), typst.Fonts(include_system_fonts=False))


@pytest.mark.parametrize("text", _CODE)
def test_what_would_be_code_to_the_typesetter_is_words(text: str) -> None:
    shown = text_layer(pdf(reply(f"Start `{text.replace('`', '')}` end.\n\n```\n{text}\n```\n", title=text)))
    assert "root:" not in shown
    assert letters(text) in letters(shown)
    assert "#" not in text or "#" in shown


async def test_a_hostile_report_is_set_as_words(hostile: Report) -> None:
    family = "👩‍👩‍👧"  # in few fonts
    drawn = hostile.model_copy(update={"markdown": hostile.markdown.replace(family, "☺" * len(family))})
    shown = text_layer(pdf(drawn))
    for words in ("<script>alert(1)</script>", '#read("/etc/passwd")', "\\input{x}", "&amp;", "שלום", "مرحبا"):
        assert letters(words) in letters(shown), words


@pytest.mark.parametrize("markdown", ["", "# Only a title\n"])
def test_an_empty_report_and_one_of_a_title_alone_are_pdfs(markdown: str) -> None:
    shown = text_layer(pdf(reply(markdown, title="")))
    assert ("Only a title" if markdown else "k3f9q2m8xz") in shown


def test_a_hyphen_at_the_end_of_a_line_is_held() -> None:
    shown = text_layer(pdf(reply("Words: A-", title="A-")))
    assert "A-" in shown


def test_long_words_and_long_code_lines_stay_whole() -> None:
    word, line = "x" * 400, "y = " + "+".join("abcdefgh" for _ in range(60))
    shown = letters(text_layer(pdf(reply(f"A {word} word.\n\n```\n{line}\n```\n"))))
    assert word in shown
    assert letters(line) in shown


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(_SOME, max_size=80))
def test_whatever_is_in_a_report_its_pdf_opens_and_holds_it(text: str) -> None:
    shown = unicodedata.normalize("NFKD", text_layer(pdf(reply("Words: " + text, title=text))))
    kept = {sign for sign in unicodedata.normalize("NFKD", " ".join(text.split())) if sign.isalnum()}
    assert kept <= set(shown)
