"""The cited works as BibTeX: keys, kinds, what is escaped and what is taken letter by letter."""

import pytest

from moot.evidence.exports.bibtex import bibtex
from moot.values.evidence import Shown, Work
from moot.values.report import Numbered, Report, Surroundings
from moot.values.value import Mark, RunId


def cited(*addresses: str, title: str = "The Title", authors: tuple[str, ...] = (), published: str = "") -> Report:
    """A report that cites each address as a work of its own."""
    sources = tuple(
        Numbered(
            number=n, authors=authors, published=published,
            source=Shown(mark=Mark(f"S{n:04x}"), address=address, title=title, text_hash=f"{n:064x}"),
        )
        for n, address in enumerate(addresses, 1)
    )  # fmt: skip
    return Report(title="T", draft="", surroundings=Surroundings(run=RunId("k3f9q2m8xz")), sources=sources)


def written(report: Report) -> str:
    return bibtex(report).decode("utf-8")


@pytest.mark.parametrize(
    ("address", "field"),
    [
        ("//doi.org/10.1000/ABC.7", "doi = {10.1000/abc.7}"),
        ("//publisher.example/doi/full/10.1000/abc_7?x=1", "doi = {10.1000/abc_7}"),
        ("//arxiv.org/abs/2401.01234v2", "eprint = {2401.01234}"),
        ("//arxiv.org/pdf/hep-th/9901001", "eprint = {hep-th/9901001}"),
    ],
)
def test_a_work_with_a_doi_or_an_arxiv_id_is_an_article(address: str, field: str) -> None:
    text = written(cited(address))
    assert text.startswith("@article{")
    assert field in text


def test_the_works_own_keys_come_before_its_address() -> None:
    report = cited("//host.example/paper")
    keys = ("doi:10.5555/12", "arxiv:2001.00001")
    work = Work(id=keys[0], number=1, addresses=("//host.example/paper",), keys=keys, publisher="A & B")
    text = written(report.model_copy(update={"works": (work,)}))
    assert "doi = {10.5555/12}" in text
    assert "eprint = {2001.00001}" in text
    assert "archiveprefix = {arXiv}" in text
    assert "journal = {A \\& B}" in text


def test_anything_else_is_online_with_the_day_it_was_read() -> None:
    assert written(cited("//www.example.org/a")).startswith("@online{exampletitle,")


def test_a_key_is_author_year_and_first_word_in_ascii() -> None:
    names = ("Élodie Müller", "Li Wei")
    text = written(cited("//e.org/1", title="The Große Frage", authors=names, published="2021-03-04"))
    assert text.startswith("@online{muller2021groe,")
    assert "author = {Élodie Müller and Li Wei}" in text
    assert "year = {2021}" in text
    assert "date = {2021-03-04}" in text
    assert written(cited("//e.org/1", title="水库年报", authors=("王小明",))).startswith("@online{e,")


def test_keys_that_clash_get_letters() -> None:
    report = cited(*(f"//example.org/{n}" for n in range(29)))
    keys = [line.partition("{")[2].rstrip(",") for line in written(report).splitlines() if line.startswith("@")]
    assert keys[:3] == ["exampletitle", "exampletitlea", "exampletitleb"]
    assert keys[26:29] == ["exampletitlez", "exampletitleaa", "exampletitleab"]
    assert len(set(keys)) == 29


def test_signs_of_tex_are_escaped_in_words_and_not_in_addresses() -> None:
    text = written(cited("//e.org/a_b%20c#!d", title="& % $ # _ { } ~ ^ \\"))
    assert r"title = {{\& \% \$ \# \_ \{ \} \textasciitilde{} \textasciicircum{} \textbackslash{}}}" in text
    assert "url = {https://e.org/a_b%20c#!d}" in text


def test_a_name_that_holds_and_stays_one_name() -> None:
    text = written(cited("//e.org/1", authors=("Smith and Sons", "Ann Lee")))
    assert "author = {{Smith and Sons} and Ann Lee}" in text


async def test_every_cited_work_has_an_entry_and_no_other(english: Report) -> None:
    assert written(english).count("\n}") == len({one.number for one in english.sources if one.number}) == 2
    assert "urldate = {2026-11-30}" in written(english)
