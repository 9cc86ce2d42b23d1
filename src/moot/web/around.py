"""What stands around a page's body: menus, heads, feet, side columns, by their tags and by what they are called."""

import re
from collections.abc import Iterator

from lxml import html

TAGS = ("nav", "header", "footer", "aside", "form")
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "menubar"})
_NAMES = frozenset(
    "nav navbar navigation menu footer sidebar breadcrumb breadcrumbs crumb crumbs catlinks noprint sphinxsidebar "
    "cookie cookies consent toolbar masthead".split()
)
_PHRASES = frozenset("page-header page-footer site-header site-footer skip-link side-bar related-posts".split())
_BOXES = ("div", "ul", "ol", "section", "p", "table", "td")
_MOST = 0.3
"""A box of this share of all text or more is no mere surrounding, whatever it is called."""


def around(tree: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """Elements that surround the body. A head within an article is part of it: it holds the title."""
    whole = len(tree.text_content())
    for element in tree.iter(*TAGS, *_BOXES):
        if element.tag in TAGS:
            if element is not tree and not _is_head_of_article(element):
                yield element
        elif _is_called_so(element) and len(element.text_content()) < _MOST * whole:
            yield element


def _is_head_of_article(element: html.HtmlElement) -> bool:
    return element.tag == "header" and any(True for _ in element.iterancestors("article", "main"))


def _is_called_so(element: html.HtmlElement) -> bool:
    if element.get("role", "") in _ROLES:
        return True
    told = f"{element.get('class', '')} {element.get('id', '')}".lower()
    if not told.strip():
        return False
    return bool(_PHRASES.intersection(told.split()) or _NAMES.intersection(re.split(r"[^a-z]+", told)))
