"""The parts of a Word document that python-docx has no words for: runs that look so, links, bookmarks."""

import re
from types import ModuleType
from typing import Any

from moot.values.evidence import Citation

_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_LONGEST_NAME = 40
_MONO = "Consolas"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def in_w(name: str) -> str:
    """A tag's name in the namespace of Word."""
    return f"{{{_W}}}{name}"


class Look:
    """How a run of words looks: what its surroundings ask for."""

    def __init__(self, **marks: bool) -> None:
        self.marks = marks

    def but(self, mark: str) -> "Look":
        """The same with one mark more."""
        return Look(**self.marks, **({mark: True} if mark not in self.marks else {}))


class Parts:
    """Makes parts for one file."""

    def __init__(self, file: Any, oxml: ModuleType) -> None:
        self._file = file
        self._oxml = oxml
        self._names: dict[str, int] = {}

    def run(self, text: str, parent: Any, look: Look) -> Any:
        """Adds a run of text; a line break in it stays one."""
        made = self._oxml.parse_xml(f'<w:r xmlns:w="{_W}"/>')
        look_of = made.get_or_add_rPr()
        for name in (name for name in ("bold", "italic", "strike") if name in look.marks):
            look_of.append(self.element({"bold": "b", "italic": "i", "strike": "strike"}[name]))
        if "mono" in look.marks:
            look_of.insert(0, self.element("rFonts", ascii=_MONO, hAnsi=_MONO, cs=_MONO))
        if "link" in look.marks:
            look_of.append(self.element("color", val="0B5C8A"))
            look_of.append(self.element("u", val="single"))
        made.text = clean(text)  # before it stands in the document: what is sought in it is sought in all of it then
        parent.append(made)
        return made

    def hyperlink(self, paragraph: Any, *, to: str = "", anchor: str = "") -> Any:
        """A link in a paragraph: to an address, or to a place in this document."""
        made = self._oxml.parse_xml(f'<w:hyperlink xmlns:w="{_W}" xmlns:r="{_R}"/>')
        if to:
            made.set(f"{{{_R}}}id", self._file.part.relate_to(clean(to), f"{_R}/hyperlink", is_external=True))
        else:
            made.set(in_w("anchor"), anchor)
        paragraph._p.append(made)
        return made

    def bookmark(self, paragraph: Any, name: str) -> None:
        at = self._names.setdefault(name, len(self._names) + 1)
        paragraph._p.append(self.element("bookmarkStart", id=str(at), name=name))
        paragraph._p.append(self.element("bookmarkEnd", id=str(at)))

    def element(self, tag: str, **attributes: str) -> Any:
        made = self._oxml.parse_xml(f'<w:{tag} xmlns:w="{_W}"/>')
        for name, value in attributes.items():
            made.set(in_w(name), value)
        return made


def bookmark_name(citation: Citation) -> str:
    """A bookmark's name: letters, digits and `_`, 40 at most."""
    tail = f"_{citation.version}_{citation.n}"
    return f"p_{citation.mark[: _LONGEST_NAME - len(tail) - 2]}{tail}"


def clean(text: str) -> str:
    """Text as XML may hold it."""
    return _NO_XML.sub("\ufffd", text)
