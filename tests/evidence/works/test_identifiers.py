"""By which identifiers two addresses are one work."""

import pytest

from moot.evidence.works.identifiers import domain_of, identifiers_of, kind_of

REFERENCES = "\n".join(f"[{n}] A. Nother, *On dams*, 2001, doi:10.9999/dam.{n}" for n in range(1, 41))


@pytest.mark.parametrize(
    ("address", "identifier"),
    [
        ("//doi.org/10.1234/Dam.5", "doi:10.1234/dam.5"),
        ("//dx.doi.org/10.1234/dam%285%29", "doi:10.1234/dam(5)"),
        ("//publisher.example/doi/full/10.1234/dam.5", "doi:10.1234/dam.5"),
        ("//publisher.example/articles/10.1234/dam.5.pdf", "doi:10.1234/dam.5"),
        ("//publisher.example/10.1234/dam.5/full?x=1", "doi:10.1234/dam.5"),
        ("//doi.org/10.48550/arXiv.2101.00001", "arxiv:2101.00001"),
        ("//arxiv.org/abs/2101.00001v2", "arxiv:2101.00001"),
        ("//arxiv.org/pdf/2101.00001.pdf", "arxiv:2101.00001"),
        ("//arxiv.org/abs/hep-th/9901001v3", "arxiv:hep-th/9901001"),
        ("//pubmed.ncbi.nlm.nih.gov/123456/", "pmid:123456"),
        ("//pmc.ncbi.nlm.nih.gov/articles/PMC123/", "pmcid:123"),
        ("//www.ncbi.nlm.nih.gov/pmc/articles/PMC123", "pmcid:123"),
    ],
)
def test_an_address_holds_an_identifier(address: str, identifier: str) -> None:
    assert identifiers_of(address, (), "")[0] == identifier


@pytest.mark.parametrize(
    ("declared", "identifier"),
    [
        ("doi:https://doi.org/10.1234/dam.5.", "doi:10.1234/dam.5"),
        ("identifier:doi:10.1234/dam.5);", "doi:10.1234/dam.5"),
        ("doi:10.48550/arXiv.2101.00001", "arxiv:2101.00001"),
        ("arxiv:arXiv:2101.00001v1", "arxiv:2101.00001"),
        ("pmid:PMID:0123456", "pmid:123456"),
        ("pmcid:PMC77", "pmcid:77"),
        ("isbn:0-306-40615-2", "isbn:9780306406157"),
        ("identifier:urn:isbn:978-0-306-40615-7", "isbn:9780306406157"),
    ],
)
def test_a_declared_identifier_is_read_in_its_one_form(declared: str, identifier: str) -> None:
    assert identifiers_of("docs://d/a.html", (declared,), "") == (identifier,)


@pytest.mark.parametrize("declared", ["isbn:0-306-40615-3", "identifier:4711", "pmid:n/a", "doi:none", "canonical:"])
def test_what_is_no_identifier_gives_none(declared: str) -> None:
    assert identifiers_of("docs://d/a.html", (declared,), "") == ()


@pytest.mark.parametrize(
    "text",
    [
        "# On dams\n\nA. Nother (2020). https://doi.org/10.1234/Dam.5.\n\nDams hold water.",
        "# 论水坝\n\nDOI：10.1234/dam.5。\n\n水坝蓄水。",
        f"# On dams\n\ndoi:10.1234/dam.5\n\nShort.\n\n## References\n\n{REFERENCES}",
    ],
)
def test_the_only_doi_in_a_head_is_the_texts(text: str) -> None:
    assert identifiers_of("docs://d/a.pdf", (), text) == ("doi:10.1234/dam.5",)


@pytest.mark.parametrize(
    "text",
    [
        f"# On dams\n\nShort.\n\n## References\n\n{REFERENCES}",
        f"# On dams\n\nShort.\n\n**References**\n\n{REFERENCES[:60]}",
        f"# 论水坝\n\n参考文献：\n\n{REFERENCES[:60]}",
        REFERENCES[:60],
        "See doi:10.1234/a and doi:10.1234/b.",
        "Dams. " * 300 + "doi:10.1234/dam.5",
    ],
)
def test_a_list_of_references_never_gives_a_doi(text: str) -> None:
    assert identifiers_of("docs://d/a.pdf", (), text) == ()


def test_a_doi_that_the_press_tells_of_is_not_its_own() -> None:
    text = "Dams leak, a study says (doi:10.1234/dam.5)."
    assert identifiers_of("//news.example/dams", (), text, source_class="press") == ("link://news.example/dams",)


@pytest.mark.parametrize(
    ("address", "canonical", "links"),
    [
        (
            "//m.example.org/a?x=1",
            "https://www.example.org/a",
            {"link://www.example.org/a", "link://m.example.org/a?x=1"},
        ),
        ("//example.org/a", "/b", {"link://example.org/b", "link://example.org/a"}),
        ("//example.org/a", "https://example.org/", {"link://example.org/a"}),
        ("//example.org/a", "https://other.org/a", {"link://example.org/a"}),
        ("//ann.github.io/a", "https://bob.github.io/a", {"link://ann.github.io/a"}),
        ("//a.example.co.uk/a", "https://other.co.uk/a", {"link://a.example.co.uk/a"}),
        ("docs://d/saved.html", "https://example.org/a", {"link://example.org/a"}),
        ("//example.org/a", "javascript:void(0)", {"link://example.org/a"}),
    ],
)
def test_a_canonical_link_counts_on_its_own_domain_only(address: str, canonical: str, links: set[str]) -> None:
    assert set(identifiers_of(address, (f"canonical:{canonical}",), "")) == links


def test_the_strongest_identifier_comes_first() -> None:
    declared = ("isbn:9780306406157", "pmid:5", "doi:10.1234/dam.5", "arxiv:2101.00001")
    kinds = [one.partition(":")[0] for one in identifiers_of("//example.org/a", declared, "")]
    assert kinds == ["doi", "arxiv", "pmid", "isbn", "link"]


def test_dois_of_preprints_and_data_are_of_other_kinds() -> None:
    kinds = {kind_of(f"doi:{doi}") for doi in ("10.1234/a", "10.1101/2020.01.01.1", "10.5281/zenodo.1")}
    assert kinds == {"doi", "doi preprint", "doi data"}


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("//a.b.example.com/x", "example.com"),
        ("//b.co.uk:8080/", "b.co.uk"),
        ("//127.0.0.1/x", "127.0.0.1"),
        ("docs://d/x", ""),
    ],
)
def test_the_registrable_domain_of_an_address(address: str, domain: str) -> None:
    assert domain_of(address) == domain
