"""Small acts on a tree of HTML: an element gives its place to another, to a word, or to nothing."""

from lxml import html


def put(element: html.HtmlElement, new: html.HtmlElement) -> None:
    """Puts another element in an element's place."""
    parent = element.getparent()
    if parent is not None:
        new.tail = element.tail
        parent.replace(element, new)


def leave(element: html.HtmlElement, words: str, *, tag: str = "p") -> None:
    """Puts words in an element's place, as a paragraph or as another tag."""
    line = html.Element(tag)
    line.text = words
    put(element, line)


def drop(element: html.HtmlElement) -> None:
    """Takes an element out, not the text after it."""
    if element.getparent() is not None:
        element.drop_tree()


def words_in(element: html.HtmlElement) -> str:
    """An element's text on one line."""
    return " ".join(element.text_content().split())
