import time

import pytest

from moot.web.readable import Readable, readable

LONG = "Some long paragraph of text that says much about reservoirs and water. " * 8

LD = '<script type="application/ld+json">'


def page(inside: str, head: str = "") -> Readable:
    return readable(f"<!doctype html><html><head>{head}</head><body>{inside}</body></html>".encode(), name="p.html")


def test_a_page_of_one_sentence_is_read() -> None:
    assert page("<p>The Eiffel Tower in Paris is 330 m tall.</p>").text == "The Eiffel Tower in Paris is 330 m tall.\n"


def test_menus_and_feet_go_and_the_article_stays() -> None:
    made = page(f"<nav><a href=/>Home</a></nav><article><h1>Dam</h1><p>{LONG}</p></article><footer>Imprint</footer>")
    assert made.text.startswith("# Dam\n\nSome long")
    assert "Home" not in made.text
    assert "Imprint" not in made.text


@pytest.mark.parametrize(
    ("head", "title", "published", "authors"),
    [
        ('<title>T</title><meta property="og:title" content="Og">', "Og", "", ()),
        ("<title>The\n title</title>", "The title", "", ()),
        ("", "H", "", ()),
        ('<meta property="article:published_time" content="2024-03-05T10:00Z">', "H", "2024-03-05", ()),
        (f'{LD}{{"datePublished":"2023-01-02","author":{{"name":"Bo"}}}}</script>', "H", "2023-01-02", ("Bo",)),
        (f'{LD}{{broken</script><meta name="author" content="Ann Lee">', "H", "", ("Ann Lee",)),
        (
            '<meta name="citation_title" content="Paper"><meta name="citation_author" content="A">'
            '<meta name="citation_author" content="B"><meta name="citation_publication_date" content="2020/04/05">',
            "Paper", "2020-04-05", ("A", "B"),
        ),
    ],
)  # fmt: skip
def test_a_page_says_its_title_date_and_authors(
    head: str, title: str, published: str, authors: tuple[str, ...]
) -> None:
    made = page(f"<h1>H</h1><p>{LONG}</p>", head)
    assert (made.title, made.published, made.authors) == (title, published, authors)


def test_a_table_of_links_is_there() -> None:
    rows = "".join(f"<tr><td><a href=/{i}>City {i}</a></td><td><a href=/n{i}>{i}000</a></td></tr>" for i in range(12))
    made = page(f"<h1>Cities</h1><table>{rows}</table>")
    assert all(f"| City {i} | {i}000 |" in made.text for i in range(12))


def test_a_cell_keeps_its_bar_its_breaks_and_its_spans() -> None:
    table = (
        "<table><caption>Cap</caption><tr><th>A<th colspan=2>B</tr><tr><td rowspan=2>x<br>y<td>3 | 4<td>z</tr>"
        "<tr><td><ul><li>p<li>q</ul><td>6</tr></table>"
    )
    made = page(f"<p>{LONG}</p>{table}<p>{LONG}</p>")
    assert "Cap\n\n| A | B | B |\n| --- | --- | --- |\n| x y | 3 \\| 4 | z |\n| x y | p q | 6 |" in made.text


def test_a_table_of_too_many_rows_says_how_many_are_missing() -> None:
    made = page("<table>" + "<tr><td>a<td>1</tr>" * 600 + "</table>")
    assert made.text.count("| a | 1 |") == 501
    assert "(99 more rows left out)" in made.text


def test_code_formulas_definitions_and_pictures_in_words_are_kept() -> None:
    made = page(
        f"<article><h1>H</h1><p>{LONG}</p><pre><code class='language-py'>if a:\n    b | c</code></pre>"
        "<dl><dt>Term<dd>Meaning</dl>"
        '<p>Now <math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math> it is.</p>'
        f"<figure><img alt='A dam from above'><figcaption>Figure 1</figcaption></figure><p>{LONG}</p></article>"
    )
    for part in ("```py\nif a:\n    b | c\n```", "Term: Meaning", "Now $x^2$ it is.", "A dam from above", "Figure 1"):
        assert part in made.text


@pytest.mark.parametrize(
    ("hidden", "kind"),
    [
        ("<p style='display: none'>SECRET</p>", "by style"),
        ("<p style='color:red;visibility:hidden'>SECRET</p>", "by style"),
        ("<p style='font-size:0'>SECRET</p>", "by style"),
        ("<p style='position:absolute; left:-9999px'>SECRET</p>", "by style"),
        ("<p style='color:#fff; background: white'>SECRET</p>", "white on white"),
        ("<p hidden>SECRET</p>", "by attribute"),
        ("<p aria-hidden=true>SECRET</p>", "aria-hidden"),
        ("<style>.gone, #x {display:none}</style><p class='a gone'>SECRET</p>", "by style sheet"),
        ("<style>#x {display:none}</style><p id=x>SECRET</p>", "by style sheet"),
    ],
)
def test_what_no_reader_sees_is_dropped_and_counted(hidden: str, kind: str) -> None:
    made = page(f"<p>{LONG}</p>{hidden}<p>{LONG}</p>")
    assert "SECRET" not in made.text
    assert made.notes == (f"hidden_text: 1 {kind}",)


def test_comments_are_dropped_and_rules_for_print_hide_nothing() -> None:
    sheet = "<style>@media print {.x {display:none}}</style>"
    made = page(f"{sheet}<!-- SECRET --><p>{LONG}</p><p class=x>Seen by readers.</p>")
    assert "SECRET" not in made.text
    assert "Seen by readers." in made.text
    assert made.notes == ()


@pytest.mark.parametrize("depth", [200, 300, 20_000])
def test_text_in_the_depth_of_a_page_is_found(depth: int) -> None:
    made = page("<div>" * depth + f"<p>{LONG}</p>" + "</div>" * depth)
    assert "reservoirs and water" in made.text


@pytest.mark.parametrize(
    "body", ["<p>a<p>b<table><tr><td>", "<html><body>text < 5 & m", "<p>" + "x" * 100_000, "<!doctype html>" + LONG]
)
def test_broken_pages_are_read_as_far_as_they_go(body: str) -> None:
    assert readable(body.encode(), name="p.html").text.strip()


def test_forty_kilobytes_take_at_most_a_moment() -> None:
    page(f"<p>{LONG}</p>")  # what is loaded once is no matter of this page
    body = "".join(f"<p>Paragraph {i} says that number {i} is followed by {i + 1}.</p>" for i in range(600))
    begun = time.process_time()
    assert "Paragraph 599" in page(body).text
    assert time.process_time() - begun < 1
