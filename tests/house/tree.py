"""A project as its rules see it: files, their syntax trees, their comments. The rules are rules.py's business."""

import ast
import io
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent


class Comment(NamedTuple):
    """A comment and where it stands; `alone` when nothing else is on its line."""

    line: int
    text: str
    alone: bool


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file."""

    name: str
    """Its path from the project's root, with `/`."""
    text: str

    @property
    def tree(self) -> ast.Module:
        return _parsed(self.text, self.name)

    @property
    def comments(self) -> tuple[Comment, ...]:
        return _comments(self.text)

    @property
    def is_ours(self) -> bool:
        """True for what users get, false for tests and bench."""
        return self.name.startswith("src/moot/")

    @property
    def stem(self) -> str:
        return self.name.rpartition("/")[2].removesuffix(".py")

    @property
    def in_package(self) -> str:
        """Its path from src/moot, with `/`; the whole name when it is not in there."""
        return self.name.removeprefix("src/moot/")

    def at(self, node: ast.AST | int, what: str) -> str:
        """A finding, as every rule tells it: `src/moot/x.py:12 what`."""
        line = node if isinstance(node, int) else getattr(node, "lineno", 1)
        return f"{self.name}:{line} {what}"


def sources(root: Path, *folders: str) -> Iterator[Source]:
    """Python files below the given folders of a root (all of ours, when none are given), in order of name."""
    for folder in folders or ("src", "tests", "bench"):
        for path in sorted((root / folder).rglob("*.py")):
            if "__pycache__" not in path.parts:
                yield Source(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))


def ours(root: Path) -> Iterator[Source]:
    """The files of the package alone."""
    return sources(root, "src/moot")


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """(name, text) of everything written that is no Python: docs, prompts, the readmes, the scripts."""
    places = [
        *root.glob("*.md"),
        *root.glob("docs/**/*.md"),
        *root.glob("src/moot/**/*.md"),
        root / "moot",
        root / "Makefile",
    ]
    for path in sorted({*places, root / ".ci" / "run"}):
        if path.is_file():
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class EachFile:
    """A rule that looks at one file at a time; a file that was looked at before is not looked at again."""

    check: Callable[[Source], Iterator[str]]
    folders: tuple[str, ...]

    @property
    def __name__(self) -> str:
        return self.check.__name__

    def __call__(self, root: Path) -> Iterator[str]:
        """Everything that breaks the rule below a root."""
        for source in sources(root, *self.folders):
            yield from _told(self.check, source)


def each_file(*folders: str) -> Callable[[Callable[[Source], Iterator[str]]], EachFile]:
    """Makes a rule over the files of some folders (all of ours, when none are given) of a check of one file."""
    return lambda check: EachFile(check, folders)


@cache
def _told(check: Callable[[Source], Iterator[str]], source: Source) -> tuple[str, ...]:
    return tuple(check(source))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a tree, inner ones too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def dotted(node: ast.AST) -> str:
    """`a.b.c` of a name or attribute; `` of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        left = dotted(node.value)
        return f"{left}.{node.attr}" if left else ""
    return ""


@lru_cache(maxsize=1_000)
def _parsed(text: str, name: str) -> ast.Module:
    return ast.parse(text, name)


@lru_cache(maxsize=1_000)
def _comments(text: str) -> tuple[Comment, ...]:
    found = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            alone = not token.line[: token.start[1]].strip()
            found.append(Comment(token.start[0], token.string, alone))
    return tuple(found)


def is_tool(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """A tool's parameters are a schema, which a model fills in by name."""
    return any(isinstance(one, ast.Call) and dotted(one.func) == "tool" for one in function.decorator_list)
