"""Reads a report's Markdown into a Document. Raw HTML in it is text; nothing of it is lost, and nothing comes alive."""

from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from moot.evidence.exports.atoms import Atoms
from moot.evidence.exports.document import (
    Block,
    Blocks,
    Break,
    Cell,
    Cite,
    Code,
    Document,
    Emphasis,
    Heading,
    Items,
    Link,
    Listing,
    Math,
    Note,
    Paragraph,
    Quotation,
    Rule,
    Strong,
    Struck,
    Table,
    Text,
    Word,
    Words,
)
from moot.evidence.exports.entries import entries
from moot.evidence.exports.plain import plain
from moot.evidence.exports.standing import standings
from moot.values.report import Report

_DEEPEST = 60
"""So many levels nobody means, and a parser leaves out what lies beyond: the text is shown as it stands."""
_SCHEMES = ("http://", "https://", "mailto:")


def document(report: Report) -> Document:
    """The report as a tree. A title that is empty becomes the run's id."""
    body = report.markdown[: report.body_end] if report.body_end else report.markdown
    blocks = _blocks_of(body, Atoms(body, report.references))
    title = " ".join(report.title.split())
    if blocks and isinstance(blocks[0], Heading) and blocks[0].level == 1:
        title, blocks = plain(blocks[0].words), blocks[1:]
    works = entries(report)
    numbers = {(one.source.mark, one.source.version): one.number for one in report.sources}
    notes = tuple(
        Note(numbers.get((r.citations[0].mark, r.citations[0].version), 0), r.citations, status)
        for r, status in zip(report.references, standings(report), strict=True)
    )
    return Document(
        run=report.run,
        locale=report.locale,
        title=title or str(report.run),
        blocks=blocks,
        notes=notes,
        cited=tuple(entry for entry in works if entry.number),
        uncited=tuple(entry for entry in works if not entry.number),
        audit_line=report.audit_line,
    )


def _blocks_of(body: str, atoms: Atoms) -> Blocks:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    # What would vanish, or be fetched: definitions of links, and pictures.
    parser.disable(["reference", "image", "autolink"])
    tokens = parser.parse(atoms.markdown)
    if any(token.level > _DEEPEST - 3 for token in _all(tokens)):
        return tuple(Paragraph(tuple(_text(line, atoms))) for line in atoms.markdown.split("\n") if line.strip())
    return _blocks(SyntaxTreeNode(tokens).children, atoms)


def _all(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _blocks(nodes: Sequence[SyntaxTreeNode], atoms: Atoms) -> Blocks:
    return tuple(_block(node, atoms) for node in nodes)


def _block(node: SyntaxTreeNode, atoms: Atoms) -> Block:
    match node.type:
        case "heading":
            return Heading(int(node.tag[1:]), _inline(node, atoms))
        case "blockquote":
            return Quotation(_blocks(node.children, atoms))
        case "bullet_list" | "ordered_list":
            first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
            return Items(first, tuple(_blocks(item.children, atoms) for item in node.children))
        case "fence" | "code_block":
            return Listing(atoms.restored(node.content).rstrip("\n"), atoms.restored(node.info.strip()))
        case "table":
            return _table(node, atoms)
        case "hr":
            return Rule()
        case _:
            assert node.type == "paragraph", f"no rule makes a {node.type}"
            return Paragraph(_inline(node, atoms))


def _table(node: SyntaxTreeNode, atoms: Atoms) -> Table:
    rows = [
        tuple(
            Cell(_inline(cell, atoms), str(cell.attrs.get("style", "")).removeprefix("text-align:"))
            for cell in row.children
        )
        for part in node.children
        for row in part.children
    ]
    return Table(rows[0], tuple(rows[1:]))


def _cell(cell: SyntaxTreeNode, atoms: Atoms) -> Cell:
    return Cell(_inline(cell, atoms), str(cell.attrs.get("style", "")).removeprefix("text-align:"))


def _inline(node: SyntaxTreeNode, atoms: Atoms) -> Words:
    return tuple(word for inline in node.children for word in _words(inline.children, atoms))


def _words(nodes: Sequence[SyntaxTreeNode], atoms: Atoms) -> Iterator[Word]:
    for node in nodes:
        match node.type:
            case "text":
                yield from _text(node.content, atoms)
            case "softbreak":
                yield Text("\n")
            case "hardbreak":
                yield Break()
            case "code_inline":
                yield Code(atoms.restored(node.content))
            case "em":
                yield Emphasis(tuple(_words(node.children, atoms)))
            case "strong":
                yield Strong(tuple(_words(node.children, atoms)))
            case "s":
                yield Struck(tuple(_words(node.children, atoms)))
            case _:
                assert node.type == "link", f"no rule makes a {node.type}"
                yield from _link(node, atoms)


def _link(node: SyntaxTreeNode, atoms: Atoms) -> Iterator[Word]:
    to, words = atoms.restored(str(node.attrs.get("href", ""))), tuple(_words(node.children, atoms))
    if to.lower().startswith(_SCHEMES):
        yield Link(to, words)
    else:
        yield from words
        yield Text(f" ({to})" if to else "")


def _text(text: str, atoms: Atoms) -> Iterator[Word]:
    for atom in atoms.split(text):
        match atom.kind:
            case "number":
                yield Cite(atom.text, atom.index)
            case "math":
                yield Math(atom.text)
            case _:
                yield Text(atom.text)
