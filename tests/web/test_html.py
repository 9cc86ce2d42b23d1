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


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("It covers 186 km<sup>2</sup>.", "It covers 186 km²."),
        ("About 10<sup>−6</sup> of it.", "About 10⁻⁶ of it."),
        ("CO<sub>2</sub> and H<sub>2</sub>O.", "CO₂ and H₂O."),
        ("The 1<sup>st</sup> of x<sub>max</sub>.", "The 1st of xmax."),
        ("It is 330 m high.<sup><a href='#fn1'>1</a></sup>", "It is 330 m high.[1]"),
        ("It is 330 m high.<a href='#fn1'><sup>[12]</sup></a>", "It is 330 m high.[12]"),
        ("Call open_stream(*args) and a[0] # now.", "Call open_stream(*args) and a[0] # now."),
        ('Now <script type="math/tex">x_1^2</script> is.', "Now $x_1^2$ is."),
        ('Now <math alttext="{\\displaystyle Q=Av}"><mi>Q</mi></math> is.', "Now $Q=Av$ is."),
        ("Zero\u200b\u200c\u200d\u200bwidth.", "Zerowidth."),
    ],
)
def test_what_stands_inside_a_line_keeps_its_meaning(line: str, read: str) -> None:
    for around in ("", f"<p>{LONG}</p>"):  # our own conversion, and trafilatura's
        made = page(f"<article><h1>H</h1>{around}<p>{line}</p>{around}</article>")
        assert read in made.text, made.extractor


def test_footnotes_stay_under_their_numbers_without_their_arrows() -> None:
    notes = "<section class=footnotes><ol><li>First. <a href='#r'>↩</a><li>Second. <a href='#r'>^</a></ol></section>"
    assert page(f"<article><h1>H</h1><p>{LONG}</p></article>{notes}").text.endswith("\n\n[1] First.\n\n[2] Second.\n")


def test_terms_that_share_a_text_stand_together() -> None:
    assert "A, B: both\n\nC: one\n\nC: two" in page("<dl><dt>A<dt>B<dd>both<dt>C<dd>one<dd>two</dl>").text


def test_a_table_that_lays_out_a_page_is_none() -> None:
    rows = "<tr><td><a href=/>Home</a><td><h1>Dam</h1><p>{}</p>{}<tr><td colspan=2>Foot"
    data = "<table><tr><td>a<td>1<tr><td>b<td>2</table>"
    made = page(f"<table>{rows.format(LONG, data)}</table>")
    assert "# Dam\n\nSome long" in made.text
    assert "| a | 1 |\n| --- | --- |\n| b | 2 |" in made.text
    assert made.text.count("|") == 9


@pytest.mark.parametrize(
    ("rows", "is_table"),
    [
        ("<tr><td>River<td>Orrin<tr><td>Mouth<td>Senn", True),
        ("<tr><td>River<td>Orrin<tr><td>Mouth", False),
        (f"<tr><td>River<td>{LONG}<tr><td>Mouth<td>Senn", False),
        ("<tr><td>River<td><div>Orrin</div><tr><td>Mouth<td>Senn", False),
        ("<tr><td>River", False),
    ],
)
def test_even_rows_of_short_cells_are_data_without_header_or_digit(rows: str, is_table: bool) -> None:
    assert ("| Mouth | Senn |" in page(f"<p>{LONG}</p><table>{rows}</table>").text) == is_table


def test_words_in_a_cell_are_parted_where_a_reader_sees_them_parted() -> None:
    row = "<tr><td>1<b>2</b>3<td>a<br>b<td><p>c</p><p>d</p><td><img alt='38 dB'>"
    assert "| 123 | a b | c d | 38 dB |" in page(f"<table><tr><th>a<th>b<th>c<th>d</tr>{row}</table>").text


def test_boxes_called_menu_or_foot_go_unless_they_hold_the_page() -> None:
    boxes = "<div class=top-nav><a href=/>Home</a></div><div id=footer>Imprint</div><div role=navigation>Next</div>"
    made = page(f"{boxes}<h1>Dam</h1><p>Short text, so that our own conversion does it.</p><h2>A</h2><h2>B</h2>")
    assert made.text == "# Dam\n\nShort text, so that our own conversion does it.\n\n## A\n\n## B\n"
    assert "reservoirs" in page(f"<div class=menu><h1>Dam</h1><p>{LONG}</p></div>").text


def test_a_title_outside_the_article_stands_over_it_and_a_link_to_itself_goes() -> None:
    made = page(f"<h1>Dam<a href=#dam>¶</a></h1><div class=content><p>{LONG}</p><p>{LONG}</p></div>")
    assert made.text.startswith("# Dam\n\nSome long")


def test_links_of_the_body_are_told_apart_from_those_around_it() -> None:
    links = "".join(f"<a href=/{n}>Link {n}</a> " for n in range(250))
    made = page(f"<nav><a href=/m>Menu</a></nav><main><p><a href=#top>Top</a> <a href=/0><img></a>{links}</p></main>")
    assert made.links[:2] == (("Link 0", "/0"), ("Link 1", "/1"))
    assert len(made.links) == 200
    based = page("<p><a href=x>X</a></p>", "<base href='https://a.example/b/'>")
    assert based.links == (("X", "https://a.example/b/x"),)


def test_a_run_of_signs_without_width_is_counted_as_hidden() -> None:
    run = "\u200b\u200c" * 20
    assert page(f"<p>{LONG}</p><p>a{run}b</p>").notes == ("hidden_text: 1 zero-width",)


def test_a_table_of_too_many_rows_is_noted() -> None:
    assert page("<table>" + "<tr><td>a<td>1" * 600 + "</table>").notes == (
        "rows_left_out: 99 of tables beyond their first 500",
    )


def test_code_that_trafilatura_drops_brings_the_whole_page_back() -> None:
    example = "<h2>Examples</h2><div class=wrap><pre>let x = 1;</pre></div>"
    made = page(f"<main><h1>Waker</h1><div><p>{LONG}</p></div>{example}</main>")
    assert "## Examples\n\n```\nlet x = 1;\n```" in made.text
    assert LONG.strip() in made.text


def test_one_of_many_articles_is_not_the_page() -> None:
    posts = "".join(f"<article><h2>Post {n}</h2><p>Words of post {n}.</p></article>" for n in range(4))
    made = page(f"<nav>Menu</nav>{posts}")
    assert all(f"Words of post {n}." in made.text for n in range(4))
    assert "Menu" not in made.text
