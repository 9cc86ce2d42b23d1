"""A report as a tree: nothing is lost on the way, numbers know their passages, HTML is text."""

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from moot.evidence.exports.document import Cite, Heading, Listing, Math, Table, Text
from moot.evidence.exports.parse import document
from moot.values.evidence import Citation
from moot.values.report import Reference, Report, Surroundings
from moot.values.value import Mark, RunId

_SIGNS = "*_`~[]()<>#|-+>!\\$&:;\"'=.0123456789 \t\n⸢⸣{}^"
texts = st.text(st.one_of(st.sampled_from(_SIGNS), st.characters(exclude_categories=["Cs", "Cc"])), max_size=200)


def reply(text: str) -> Report:
    return Report(title="T", markdown=text, draft=text, surroundings=Surroundings(run=RunId("k3f9q2m8xz")))


def letters(text: str) -> str:
    """The letters and digits of a text, each counted, whatever their order."""
    return "".join(sorted(sign for sign in text if sign.isalnum()))


def held(node: object) -> str:
    """Every word in a tree."""
    if isinstance(node, str):
        return node
    if isinstance(node, tuple):
        return "".join(map(held, node))
    names = getattr(node, "__slots__", ())
    return "".join(held(getattr(node, name)) for name in names if name not in ("index", "align"))


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(texts)
def test_no_letter_of_any_text_is_lost(text: str) -> None:
    tree = document(reply("# T\n\n" + text))
    numbers_of_lists = re.sub(r"(?m)^[\s>*+-]*(?:\d{1,9}[.)](?:\s|$)[\s>*+-]*)+", "", text)
    expected = letters(re.sub(r"&#?\w+;", "", numbers_of_lists))
    found = letters(held(tree.blocks))
    assert not (set(expected) - set(found)), text


async def test_each_number_knows_the_passages_it_stands_for_and_what_its_sentence_is_worth(english: Report) -> None:
    tree = document(english)
    shown = [english.markdown[reference.start : reference.end] for reference in english.references]
    numbered = list(zip(shown, tree.notes, strict=True))
    assert [(shown, note.number, [c.n for c in note.citations], note.status) for shown, note in numbered] == [
        ("[1]", 1, [1], "verified"),
        ("[2]", 2, [1], numbered[1][1].status),
        ("[1]", 1, [1], numbered[1][1].status),
        ("[1]", 1, [2], "unsupported"),
        ("[1]", 1, [1], numbered[4][1].status),
    ]
    assert numbered[1][1].status in ("verified", "weak")


def words_of(blocks: object, kind: type) -> list[object]:
    if isinstance(blocks, kind):
        return [blocks]
    if isinstance(blocks, tuple):
        return [found for block in blocks for found in words_of(block, kind)]
    return [found for name in getattr(blocks, "__slots__", ()) for found in words_of(getattr(blocks, name), kind)]


async def test_code_and_math_stand_as_they_were_written(english: Report) -> None:
    tree = document(english)
    assert [math.text for math in words_of(tree.blocks, Math) if isinstance(math, Math)] == ["$a_1 * b_2 * c$"]
    listings = [one.code for one in words_of(tree.blocks, Listing) if isinstance(one, Listing)]
    assert 'print("[9] <b>")' in listings
    assert "code [1]" in held(tree.blocks)
    assert len(words_of(tree.blocks, Cite)) == len(english.references)


async def test_a_table_keeps_its_numbers_and_how_its_columns_stand(english: Report) -> None:
    tables = [table for table in words_of(document(english).blocks, Table) if isinstance(table, Table)]
    assert [cell.align for cell in tables[0].head] == ["left", "right"]
    assert any(isinstance(word, Cite) for word in tables[0].rows[0][1].words)


async def test_the_title_is_no_section_and_the_sources_are_not_twice(english: Report) -> None:
    tree = document(english)
    headings = [held(block.words) for block in tree.blocks if isinstance(block, Heading)]
    assert headings == ["Short answer", "Findings", "Gaps", "Coverage"]
    assert [entry.number for entry in tree.cited] == [1, 2]
    assert {entry.title for entry in tree.uncited} == {"水库年报", "Unused"}


@pytest.mark.parametrize(
    "text", [">" * 5_000 + " x", "*" * 999 + "x" + "*" * 999, "- " * 2_000 + "x", "[" * 5_000 + "x"]
)
def test_what_nests_without_end_is_shown_as_it_stands(text: str) -> None:
    assert "x" in held(document(reply(text)).blocks)


def test_a_sign_of_our_own_in_a_text_stays() -> None:
    assert "⸢0⸣ and ⸢7⸣" in held(document(reply("⸢0⸣ and ⸢7⸣")).blocks)


def test_an_empty_report_and_one_of_a_title_alone_have_their_title() -> None:
    empty = reply("").model_copy(update={"title": " "})
    assert (document(empty).title, document(empty).blocks) == ("k3f9q2m8xz", ())
    assert document(reply("# Only this\n")).blocks == ()


def test_links_lead_to_the_web_or_are_words() -> None:
    tree = document(
        reply("[a](javascript:alert(1)) [b](https://e.org/x) [c](data:text/html,x) ![d](http://t.org/p.png)")
    )
    assert "javascript" not in str(words_of(tree.blocks, Text)) or "alert(1)" in held(tree.blocks)
    links = re.findall(r"Link\(to='([^']*)'", str(tree.blocks))
    assert links == ["https://e.org/x", "http://t.org/p.png"]


def test_ten_thousand_numbers_are_read_in_seconds() -> None:
    body, references = "", []
    for at in range(10_000):
        body += f"Sentence {at} says so [1].\n\n"
        citation = Citation(mark=Mark("S1234"), n=at + 1)
        references.append(Reference(start=len(body) - 6, end=len(body) - 3, citations=(citation,)))
    report = reply(body).model_copy(update={"references": tuple(references), "body_end": len(body)})
    began = time.perf_counter()
    assert len(words_of(document(report).blocks, Cite)) == 10_000
    assert time.perf_counter() - began < 20
