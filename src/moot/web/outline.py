"""Underlined headings, indented blocks and grid tables (reStructuredText, pydoc's topics) to flowing Markdown.

A paragraph becomes one line, so that a sentence quoted from it holds no line break. Not a reStructuredText parser:
it reads what Sphinx's text builder writes, and leaves what it does not know as text.
"""

import itertools
import re
from typing import NamedTuple

_UNDERLINE = re.compile(r"^([=\-~^\"'*+#`:.])\1{2,}\s*$")
_ITEM = re.compile(r"^(?:[*+\-•] |\d{1,3}[.)] |[a-z][.)] |#\. )\s*")
_NOTE = re.compile(
    r"^(?:Note|Warning|Caution|Important|Tip|Hint|See also|Changed in version [^:]*|New in version [^:]*"
    r"|Added in version [^:]*|Deprecated since version [^:]*|CPython implementation detail|Example|Examples):\s*$"
)
_SIGNATURE = re.compile(
    r"^(?:(?:async|await|class|static|abstract) )*@?[\w.*]+(?:\[[^\]]*\])?(?:\(.*\))?(?: -> .+| = .+)?$"
)
_CODE = re.compile(
    r"::=|^>>>|^\.\.\. |^(?:def|class|import|from|for|while|with|if|try|return|async|print)\b|[=({\[]\S|#|;$"
)
_GRID = re.compile(r"^\+(?:[-=]+\+)+\s*$")
_SIMPLE = re.compile(r"^={2,}(?: +={2,})+\s*$")
_DIRECTIVE = re.compile(r"^\.\. (?:[\w:-]+::|_[^:]+:|\[)")

_DEEPEST = 20


class _Block(NamedTuple):
    indent: int
    lines: tuple[str, ...]


def outline(text: str) -> str:
    """Markdown of an underlined, indented text."""
    return "\n\n".join(_Writer().written(_blocks(text.expandtabs(8)))) + "\n"


def _blocks(text: str) -> list[_Block]:
    """Runs of lines between blank lines, with the indent of the first."""
    found: list[_Block] = []
    lines: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            lines.append(line.rstrip())
        elif lines:
            found.append(_Block(len(lines[0]) - len(lines[0].lstrip()), tuple(lines)))
            lines = []
    return found


class _Writer:
    """Writes the blocks of one text; made for it, and used once."""

    def __init__(self) -> None:
        self._levels: dict[str, int] = {}
        """A heading's level by the sign it is underlined with, in the order in which they come."""
        self._deep = 0

    def written(self, blocks: list[_Block]) -> list[str]:
        """The Markdown of blocks, each with the deeper ones that hang on it."""
        out: list[str] = []
        at = 0
        self._deep += 1
        while at < len(blocks):
            block = blocks[at]
            end = at + 1
            while end < len(blocks) and blocks[end].indent > block.indent:
                end += 1
            inner = blocks[at + 1 : end]
            out += self._one(block, inner) if self._deep <= _DEEPEST else [_flow(block.lines), *map(_literal, inner)]
            at = end
        self._deep -= 1
        return out

    def _one(self, block: _Block, inner: list[_Block]) -> list[str]:
        """A block with the deeper ones that hang on it."""
        lines = block.lines
        first = lines[0].strip()
        if len(lines) >= 2 and _UNDERLINE.match(lines[1].strip()) and not _ITEM.match(first):
            level = self._levels.setdefault(lines[1].strip()[0], min(len(self._levels) + 1, 5))
            rest = [_Block(block.indent, lines[2:])] if len(lines) > 2 else []
            return ["#" * level + " " + first, *self.written([*rest, *inner])]
        if len(lines) >= 3 and _UNDERLINE.match(first) and _UNDERLINE.match(lines[2].strip()):
            return self._one(_Block(block.indent, lines[1:]), inner)
        if _GRID.match(first) or _SIMPLE.match(first):
            table = _table([line.strip() for line in lines]) or _literal(block)
            return [table, *self.written(inner)]
        if _ITEM.match(first):
            return self._items(block, inner)
        if first.startswith("-[ ") and first.endswith(" ]-"):
            return ["#" * min(len(self._levels) + 1, 5) + " " + first[3:-3], *self.written(inner)]
        if first.startswith(">>> "):
            return [_fence([block, *inner])]
        if _DIRECTIVE.match(first) and not first.startswith(".. ["):
            return self.written(inner) if "code" not in first else [_fence(inner)]
        if _NOTE.match(first) and inner and len(lines) == 1:
            body = self.written(inner)
            return [f"{first} {body[0]}", *body[1:]] if not body[0].startswith(("#", "`", "|", "-")) else [first, *body]
        return self._prose(block, inner)

    def _prose(self, block: _Block, inner: list[_Block]) -> list[str]:
        """A paragraph with an indented example, a signature with its description, or a term with its definition."""
        lines = block.lines
        term = len(lines) > 1 and _indent(lines[1]) == block.indent + 3 and not lines[0].strip().startswith("[")
        signs = [line.strip() for line in (lines[:1] if term else lines)]
        if (term or inner) and all(_SIGNATURE.match(sign) for sign in signs):
            body = [_Block(_indent(lines[1]), lines[1:]), *inner] if term else inner
            return ["##### " + " · ".join(signs), *self.written(body)]
        if term and len(signs[0]) < 80:
            return [f"{signs[0].removesuffix(':')}: {_flow(lines[1:])}", *self.written(inner)]
        if any("::=" in line for line in lines):
            return [_fence([block, *inner])]
        if not inner:
            return [_flow(lines)]
        if lines[-1].endswith(":") or all(_CODE.search(line.strip()) for part in inner for line in part.lines[:1]):
            return [_flow(lines).removesuffix("::") + (":" if lines[-1].endswith("::") else ""), _fence(inner)]
        return [_flow(lines), *self.written(inner)]

    def _items(self, block: _Block, inner: list[_Block]) -> list[str]:
        """List items, one or several in a block; what hangs on the last is nested in it."""
        items: list[list[str]] = []
        for line in block.lines:
            if _ITEM.match(line.strip()) and _indent(line) <= block.indent:
                items.append([line])
            else:
                items[-1].append(line)
        out = [_item(lines) for lines in items]
        hang = " " * (out[-1].index(" ") + 1)
        for part in self.written(inner):
            out[-1] += "\n\n" + "\n".join(hang + line if line else "" for line in part.split("\n"))
        return ["\n".join(out)] if len(out) > 1 and not inner else out


def _item(lines: list[str]) -> str:
    mark = _ITEM.match(lines[0].strip())
    assert mark is not None, "an item begins with its mark"
    sign = mark[0].strip()
    return ("- " if sign in "*+-•" else sign.replace(")", ".") + " ") + _flow(
        (lines[0].strip()[mark.end() :], *lines[1:])
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _flow(lines: tuple[str, ...]) -> str:
    return " ".join(" ".join(lines).split())


def _literal(block: _Block) -> str:
    return _fence([block])


def _fence(blocks: list[_Block]) -> str:
    if not blocks:
        return ""
    left = min(_indent(line) for block in blocks for line in block.lines)
    body = "\n\n".join("\n".join(line[left:] for line in block.lines) for block in blocks)
    fence = "````" if "```" in body else "```"
    return f"{fence}\n{body}\n{fence}"


def _table(lines: list[str]) -> str:
    """A Markdown table of a grid or simple table; `` when its columns do not line up."""
    rule = lines[0]
    grid = rule.startswith("+")
    edges = [i for i, char in enumerate(rule) if char == "+"] if grid else _edges(rule)
    rows: list[list[str]] = []
    fresh = True
    for line in lines[1:]:
        if set(line) <= set("+-=| ") and ("--" in line or "==" in line):
            fresh = True
            continue
        cells = [line[a + 1 : b].strip(" |") for a, b in itertools.pairwise(edges)]
        if fresh or (not grid and cells[0]):
            rows.append(cells)
        else:
            rows[-1] = [f"{old} {new}".strip() for old, new in zip(rows[-1], cells, strict=True)]
        fresh = False
    if len(rows) < 2:
        return ""
    written = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([written[0], "|" + " --- |" * len(rows[0]), *written[1:]])


def _edges(rule: str) -> list[int]:
    """Where the columns of a simple table begin, less one, and a last edge far right."""
    return [match.start() - 1 for match in re.finditer(r"=+", rule)] + [10_000]
