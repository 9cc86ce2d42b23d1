"""What stands inside a line and would lose its meaning as bare text: formulas, raised digits, numbers of footnotes."""

import re

from lxml import html

from moot.web.places import leave, put

_RAISED = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_FORMULAS = frozenset({"katex", "mwe-math-element", "MathJax", "MathJax_Preview", "mjx-chtml"})
_TEX = re.compile(r"\s*math/tex(\s*;\s*mode=display)?", re.I)
_DISPLAYED = re.compile(r"^\{\\displaystyle\s*(.*)\}$", re.S)


def write_formulas(tree: html.HtmlElement) -> None:
    """MathML, KaTeX and MathJax as their LaTeX, else as their text. To be done before what is hidden goes."""
    for script in list(tree.iter("script")):
        kind = _TEX.fullmatch(script.get("type", ""))
        if kind and script.text:
            mark = "$$" if kind[1] else "$"
            leave(script, f"{mark}{script.text.strip()}{mark}", tag="p" if kind[1] else "span")
    for element in list(tree.iter("math")):
        _formula(element)
    for element in list(tree.iter("span", "mjx-container")):
        if _FORMULAS.intersection(element.get("class", "").split()) - {"katex", "mwe-math-element"}:
            element.drop_tree()  # MathJax's drawing of what its script says


def write_raised(tree: html.HtmlElement) -> None:
    """`km<sup>2</sup>` as km², `CO<sub>2</sub>` as CO₂, a footnote's number as [2]; bare they join the word before."""
    for element in list(tree.iter("sup", "sub")):
        text = "".join(element.itertext()).strip()
        if element.tag == "sub":
            leave(element, text.translate(_LOWERED) if text.isdecimal() else text, tag="span")
            continue
        text = text.strip("[]")
        link = element.find(".//a")
        if link is None and isinstance(element.getparent(), html.HtmlElement) and element.getparent().tag == "a":
            link = element.getparent()
        if link is not None and "#" in link.get("href", "") and re.fullmatch(r"\d{1,3}|[*†‡§a-z]", text):
            leave(element, f"[{text}]", tag="span")
        else:
            leave(element, text.translate(_RAISED) if re.fullmatch(r"[+\-−]?\d{1,3}", text) else text, tag="span")


def _formula(element: html.HtmlElement) -> None:
    notes = (note.text for note in element.iter("annotation") if "tex" in note.get("encoding", "") and note.text)
    tex = (next(notes, "") or element.get("alttext", "")).strip()
    shown = _DISPLAYED.match(tex)
    tex = (shown[1] if shown else tex).strip()
    text = f"${tex}$" if tex else " ".join(element.text_content().split())
    whole = next((up for up in element.iterancestors() if _FORMULAS.intersection(up.get("class", "").split())), element)
    span = html.Element("span")
    span.text = text
    put(whole, span)
