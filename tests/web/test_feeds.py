import pytest

from moot.web.faults import Unreadable
from moot.web.readable import readable

RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Dam News</title><link>https://dams.example/</link>
<description>All of it</description><language>en</language>
<item><title>Level &amp; flow</title><link>https://dams.example/1</link><pubDate>Tue, 05 Mar 2024 10:00:00 GMT</pubDate>
<dc:creator>Ann</dc:creator><description>short</description>
<content:encoded><![CDATA[<h1>Big</h1><p>It holds <b>400</b>
m<sup>3</sup>.</p><script>x()</script>]]></content:encoded></item>
<item><title>水库</title><description>&lt;p&gt;蓄水量&lt;/p&gt;</description></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="zh"><title>水利</title><entry>
<title type="html">One &lt;b&gt;two&lt;/b&gt;</title>
<link rel="self" href="https://a.example/self"/><link href="https://a.example/1"/><updated>2024-01-02T03:04:05Z</updated>
<author><name>Bo</name></author><content type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml"><p>Words.</p></div></content></entry></feed>"""
RDF = """<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Old</title></channel><item><title>First</title>
<link>https://o.example/1</link><dc:date>2020-05-06</dc:date></item></rdf:RDF>"""


def test_items_are_listed_with_their_days_addresses_and_words() -> None:
    made = readable(RSS.encode(), name="feed")
    assert made.text == (
        "# Dam News\n\nAll of it\n\n## Level & flow\n\n2024-03-05 · Ann · https://dams.example/1\n\nBig\n\n"
        "It holds **400**\nm³.\n\n## 水库\n\n蓄水量\n"
    )
    assert (made.kind, made.title, made.language, made.published) == ("feed", "Dam News", "en", "2024-03-05")
    assert made.links == (("Level & flow", "https://dams.example/1"),)


@pytest.mark.parametrize(
    ("feed", "text"),
    [
        (ATOM, "# 水利\n\n## One **two**\n\n2024-01-02 · Bo · https://a.example/1\n\nWords.\n"),
        (RDF, "# Old\n\n## First\n\n2020-05-06 · https://o.example/1\n"),
    ],
)
def test_every_form_of_feed_is_read(feed: str, text: str) -> None:
    made = readable(feed.encode(), name="x.xml")
    assert (made.kind, made.text) == ("feed", text)


def test_a_feed_of_another_charset_and_with_broken_marks_is_read() -> None:
    feed = '<?xml version="1.0" encoding="gbk"?><rss><channel><title>水库 & 大坝</title></channel></rss>'
    assert readable(feed.encode("gbk"), name="x").text.startswith("# 水库")


def test_entities_of_a_feed_are_never_opened() -> None:
    feed = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><title>&x;</title></channel></rss>'
    with pytest.raises(Unreadable, match="entities"):
        readable(feed.encode(), name="x")


def test_a_feed_that_writes_about_entities_is_read() -> None:
    words = "<![CDATA[<p>Write &lt;!ENTITY x&gt;.</p><!DOCTYPE html [<!ENTITY y 'z'>]>]]>"
    made = readable(
        f"<rss><channel><item><title>T</title><description>{words}</description></item></channel></rss>".encode()
    )
    assert "Write <!ENTITY x>." in made.text


def test_a_feed_of_too_many_items_is_cut_and_says_so() -> None:
    items = "".join(f"<item><title>Item {n}</title></item>" for n in range(510))
    made = readable(f"<rss><channel><title>T</title>{items}</channel></rss>".encode(), name="x")
    assert made.notes == ("items_left_out: 10 beyond the first 500",)
    assert "Item 499" in made.text
    assert "Item 500" not in made.text
