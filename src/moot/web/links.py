"""The links of a page's body, as they stand in it: leads for whoever reads it, never sources."""

from lxml import html

from moot.web.around import around

MOST = 200
_LONGEST_TEXT, _LONGEST_HREF = 120, 2_000
_NO_PAGE = ("#", "javascript:", "mailto:", "tel:", "data:", "blob:", "about:")


def links_of(tree: html.HtmlElement) -> tuple[tuple[str, str], ...]:
    """(text, address as the page gives it) of up to 200 links in its body, each address once."""
    found: dict[str, str] = {}
    shut = {link for outside in around(tree) for link in outside.iter("a")}
    for link in tree.iter("a"):
        href = link.get("href", "").strip()
        if not href or len(href) > _LONGEST_HREF or href.lower().startswith(_NO_PAGE) or link in shut:
            continue
        text = " ".join(link.text_content().split()) or " ".join(link.get("title", "").split())
        if text and href not in found:
            found[href] = text[:_LONGEST_TEXT]
        if len(found) == MOST:
            break
    return tuple((text, href) for href, text in found.items())


def base_of(tree: html.HtmlElement) -> str:
    """What the page says its relative links are relative to; `` when it says nothing."""
    base = tree.find(".//base")
    return base.get("href", "").strip() if base is not None else ""
