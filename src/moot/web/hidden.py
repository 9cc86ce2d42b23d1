"""Takes out of a page what no reader would see, and counts it: text for machines alone must not become evidence."""

import re
from collections import Counter

from lxml import html

_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?:px|pt|em|rem|%)?\s*(?:;|!|$)"
    r"|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)|(?:left|top|text-indent|margin-left)\s*:\s*-\d{4,}"
    r"|clip\s*:\s*rect\(\s*0",
    re.I,
)
_WHITE = r"(?:#fff(?:fff)?|white|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))\s*(?:;|!|$)"
_INK = re.compile(rf"(?:^|;)\s*color\s*:\s*{_WHITE}", re.I)
_PAPER = re.compile(rf"background(?:-color)?\s*:\s*{_WHITE}", re.I)
_CONDITION = re.compile(r"@[\w-]+[^{}]*\{(?:[^{}]*\{[^{}]*\}\s*)*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re.compile(r"\s*([.#])([\w-]+)\s*")


def drop_hidden(tree: html.HtmlElement) -> Counter[str]:
    """Removes hidden elements; how many of each kind held text."""
    classes, ids = _hidden_rules(tree)
    found: Counter[str] = Counter()
    for element in list(tree.iter()):
        if not isinstance(element.tag, str) or element.tag in (
            "html",
            "body",
            "head",
            "script",
            "style",
            "meta",
            "link",
        ):
            continue
        kind = _kind(element, classes, ids)
        if not kind or element.getparent() is None:
            continue
        if element.text_content().strip():
            found[kind] += 1
        element.drop_tree()
    return found


def _kind(element: html.HtmlElement, classes: frozenset[str], ids: frozenset[str]) -> str:
    """How an element is hidden; `` when it is not."""
    style = element.get("style", "")
    if style and _STYLE.search(style):
        return "by style"
    if style and _INK.search(style) and _PAPER.search(style):
        return "white on white"
    if element.get("hidden") is not None and element.get("hidden") != "until-found":
        return "by attribute"
    if element.get("aria-hidden", "").lower() == "true":
        return "aria-hidden"
    if (classes and classes.intersection(element.get("class", "").split())) or element.get("id", "") in ids:
        return "by style sheet"
    return ""


def _hidden_rules(tree: html.HtmlElement) -> tuple[frozenset[str], frozenset[str]]:
    """Classes and ids that the page's own style sheets hide outright (rules under a condition do not count)."""
    sheets = "\n".join((sheet.text or "")[:200_000] for sheet in tree.iter("style"))
    rules = _RULE.findall(_CONDITION.sub("", sheets))
    selectors = [one for listed, body in rules if _STYLE.search(body) for one in listed.split(",")]
    simple = [found for selector in selectors if (found := _SIMPLE.fullmatch(selector))]
    return (
        frozenset(found[2] for found in simple if found[1] == "."),
        frozenset(found[2] for found in simple if found[1] == "#"),
    )
