"""Opens a document that is a ZIP archive, or refuses it: a bomb, a locked one, one of odd names or own entities.

Readers get its XML alone; media, macros and embedded files are never unpacked, and nothing is written to disk.
"""

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers.expat import ExpatError

from lxml import etree

from moot.web.faults import PARSER_FAULTS, Unreadable

MAX_MEMBERS, MAX_BYTES, MAX_RATIO, FREE_BYTES = 2_000, 200_000_000, 100, 1_000_000
ARCHIVE_FAULTS: tuple[type[Exception], ...] = (
    *PARSER_FAULTS, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, ExpatError, etree.LxmlError,
)  # fmt: skip
"""What a reader of archives may raise on a broken one."""

_TEXTS = (".xml", ".rels", ".vml", ".xhtml", ".html", ".htm", ".opf", ".ncx")
_ENTITY = re.compile(rb"<\s*!\s*(?:ENTITY|DOCTYPE[^>]{0,2000}\[)", re.I)
_SILENT = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.S)
_ROOT = re.compile(rb"<[A-Za-z_:]")
_DTD = re.compile(rb"<\s*!\s*(?:ENTITY|DOCTYPE)", re.I)
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class About(NamedTuple):
    """What an Office file says of itself."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""


class Archive:
    """The members of an archive that passed. Reads one at a time; keeps nothing."""

    def __init__(self, body: bytes, *, kind: str) -> None:
        self.kind = kind
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(body))
        except ARCHIVE_FAULTS as fault:
            raise Unreadable("broken", f"no {kind} file that can be opened: {str(fault)[:100]}") from fault
        self._infos = {info.filename: info for info in self._zip.infolist() if not info.is_dir()}
        self._check(self._zip.infolist())

    @property
    def names(self) -> tuple[str, ...]:
        """Its members, in the order of its directory."""
        return tuple(self._infos)

    def read(self, name: str) -> bytes:
        """A member, unpacked. Raises Unreadable when it is not there or broken."""
        if name not in self._infos:
            raise Unreadable("broken", f"no {self.kind} file: {name[:100]} is missing in it")
        try:
            return self._zip.read(self._infos[name])
        except ARCHIVE_FAULTS as fault:
            raise Unreadable("broken", f"{name[:100]} in it is broken: {str(fault)[:100]}") from fault

    def xml_only(self, changed: Mapping[str, bytes], *, most: int = MAX_BYTES) -> io.BytesIO:
        """The same archive with its XML as it is, or as changed, and every other member empty: what a foreign parser
        is given. No member of XML may be longer than `most`."""
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as new:
            for name, info in self._infos.items():
                if name in changed or (_is_text(name) and "embeddings/" not in name):
                    new.writestr(name, self._xml(info, changed.get(name), most=most))
                else:
                    new.writestr(name, b"")
        made.seek(0)
        return made

    def about(self) -> About:
        """Title, authors and day of an Office file's own properties."""
        if "docProps/core.xml" not in self._infos:
            return About()
        root = xml_tree(self.read("docProps/core.xml"))
        told = {etree.QName(part).localname: (part.text or "").strip() for part in root.iter(etree.Element)}
        authors = [name.strip() for name in re.split(r"[;；]", told.get("creator", "")) if name.strip()]
        return About(told.get("title", "")[:300], tuple(authors[:20]), _day(told.get("created", "")))

    def _xml(self, info: zipfile.ZipInfo, changed: bytes | None, *, most: int) -> bytes:
        if info.file_size > most:
            raise Unreadable("too_large", f"{info.filename[:100]} in it opens to {info.file_size:,} bytes")
        found = changed if changed is not None else self.read(info.filename)
        if _DTD.search(_prolog(found)):
            raise Unreadable("broken", f"{info.filename[:100]} in it declares a document type, as no {self.kind} does")
        return found

    def _check(self, infos: list[zipfile.ZipInfo]) -> None:
        if len(infos) > MAX_MEMBERS:
            raise Unreadable("too_large", f"{len(infos):,} members in it, at most {MAX_MEMBERS:,}")
        if sum(info.file_size for info in infos) > MAX_BYTES:
            raise Unreadable("too_large", f"it opens to more than {MAX_BYTES // 1_000_000} MB")
        for info in infos:
            if info.flag_bits & 1:
                raise Unreadable("encrypted", "it can be opened with a password only")
            if info.file_size - FREE_BYTES > MAX_RATIO * info.compress_size:
                raise Unreadable("too_large", f"{info.filename[:100]} in it is packed more than {MAX_RATIO} to 1")
            parts = info.filename.replace("\\", "/").split("/")
            if info.filename.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
                raise Unreadable("broken", f"a member of it is named {info.filename[:100]!r}, as no {self.kind} does")
            if info.compress_type not in _PLAIN:
                raise Unreadable("broken", f"{info.filename[:100]} in it is packed in a way no {self.kind} is")


def xml_tree(body: bytes) -> etree._Element:
    """A tree of XML; no entity is opened, nothing is loaded. Raises Unreadable(broken)."""
    if _ENTITY.search(_prolog(body)):
        raise Unreadable("broken", "it declares entities of its own")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    try:
        root = etree.fromstring(body, parser)
    except (etree.LxmlError, ValueError) as fault:
        raise Unreadable("broken", f"no XML can be made of it: {str(fault)[:100]}") from fault
    if root is None:
        raise Unreadable("broken", "no XML can be made of it")
    return root


def _prolog(body: bytes) -> bytes:
    """What stands before the first element, where alone entities can be declared, in any width of characters."""
    plain = _SILENT.sub(b"", body.replace(b"\0", b""))
    root = _ROOT.search(plain)
    return plain[: root.start()] if root else plain


def _is_text(name: str) -> bool:
    return name.lower().endswith(_TEXTS)


def _day(told: str) -> str:
    found = re.match(r"\d{4}-\d{2}-\d{2}", told)
    return found[0] if found else ""
