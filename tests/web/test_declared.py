"""What pages and PDFs declare of themselves."""

import io

from reportlab.pdfgen import canvas

from moot.web.prepared import prepare
from moot.web.readable import readable

PAPER = """<!doctype html><html><head>
<meta name="citation_doi" content="10.1234/Dam.5"><meta name="DC.Identifier" content="doi:10.1234/dam.5">
<meta name="citation_arxiv_id" content="2101.00001"><meta name="citation_pmid" content="123456">
<meta name="citation_reference" content="citation_doi=10.9999/other">
<meta property="og:site_name" content="Journal of  Dams"><link rel="shortlink canonical" href="https://example.org/dam">
<script type="application/ld+json">{"@graph": [{"@type": ["NewsArticle"], "publisher": {"name": "The Post"}}]}</script>
</head><body><p>The dam holds water. See doi:10.9999/other.</p></body></html>"""


def pdf(*, subject: str = "", keywords: str = "") -> bytes:
    made = io.BytesIO()
    sheet = canvas.Canvas(made, invariant=1)
    sheet.setTitle("On dams")
    sheet.setSubject(subject)
    sheet.setKeywords(keywords)
    sheet.drawString(72, 700, "The dam holds water.")
    sheet.save()
    return made.getvalue()


def test_a_page_declares_its_identifiers_address_type_and_publisher() -> None:
    assert readable(PAPER.encode(), name="p.html").declared == (
        "doi:10.1234/Dam.5",
        "identifier:doi:10.1234/dam.5",
        "arxiv:2101.00001",
        "pmid:123456",
        "publisher:Journal of Dams",
        "canonical:https://example.org/dam",
        "type:NewsArticle",
        "publisher:The Post",
    )


def test_what_a_page_declares_is_kept_in_the_index() -> None:
    assert '"declared":["doi:10.1234/Dam.5"' in prepare(PAPER.encode(), name="p.html").about


def test_a_page_that_declares_nothing_has_nothing() -> None:
    assert readable(b"<html><body><p>The dam holds water.</p>", name="p.html").declared == ()


def test_broken_json_and_endless_values_are_passed_over() -> None:
    head = (
        '<script type="application/ld+json">{"@type": </script>' + f'<meta name="citation_doi" content="{"1" * 400}">'
    )
    assert readable(f"<html><head>{head}</head><body><p>Water.</p>".encode(), name="p.html").declared == ()


def test_a_pdf_declares_the_only_doi_in_its_own_data() -> None:
    assert readable(pdf(subject="Dams 12, doi:10.1234/Dam.5."), name="p.pdf").declared == ("doi:10.1234/dam.5",)


def test_a_pdf_with_two_dois_in_its_data_declares_none() -> None:
    assert readable(pdf(subject="10.1234/a", keywords="10.1234/b"), name="p.pdf").declared == ()
