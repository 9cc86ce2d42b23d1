"""What the documentation must name, in both languages: read from the code's text, looked up on its page."""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.house.tree import Source, dotted, ours, sources

LOCALES = ("en", "zh")


def undocumented(root: Path) -> Iterator[str]:
    """Settings, events, error codes, commands, flags, tools and teams that a page does not name."""
    needed = (
        ("settings", settings(root)),
        ("events", events(root)),
        ("errors", error_codes(root)),
        ("commands", [*commands(root), *tools(root), *teams(root)]),
        ("*", flags(root)),
    )
    for page, names in needed:
        wanted = sorted(set(names))
        for locale in LOCALES:
            yield from _untold(root, f"docs/{locale}/{page}.md", wanted)


def _untold(root: Path, page: str, names: Iterable[str]) -> Iterator[str]:
    """Names that no page of that pattern tells of."""
    pages = sorted(root.glob(page))
    if not pages:
        yield f"{page}:1 is not there"
        return
    told = set().union(*(_names_in(path.read_text(encoding="utf-8")) for path in pages))
    told |= {name.rpartition(".")[2] for name in told}  # a team's settings stand in its table: `supervised.max_turns`
    yield from (f"{page}:1 does not name `{name}`" for name in names if name not in told)


def unpaired_pages(root: Path) -> Iterator[str]:
    """Pages of one language alone, and links to pages that are not there."""
    pages = {locale: {path.name for path in (root / "docs" / locale).glob("*.md")} for locale in LOCALES}
    for name in sorted(pages["en"] ^ pages["zh"]):
        yield f"docs/{'zh' if name in pages['en'] else 'en'}/{name}:1 is not there"
    for name in ("README.md", "README.zh.md", "AGENTS.md", "CHANGELOG.md"):
        if not (root / name).exists():
            yield f"{name}:1 is not there"
    for path in [*root.glob("*.md"), *root.glob("docs/**/*.md")]:
        yield from _dead_links(path, path.relative_to(root).as_posix())


def _dead_links(path: Path, name: str) -> Iterator[str]:
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)", text):
            if not (path.parent / target).exists():
                yield f"{name}:{line} links to {target}, which is not there"


def too_long(root: Path) -> Iterator[str]:
    """The map over 80 lines, a folder's README over 20."""
    for path, most in [(root / "AGENTS.md", 80), *((path, 20) for path in (root / "src").rglob("README.md"))]:
        lines = len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0
        if lines > most:
            yield f"{path.relative_to(root).as_posix()}:1 is {lines} lines long, over {most}"


def settings(root: Path) -> Iterator[str]:
    """Flags of every run, names in settings.toml, and options of teams."""
    for source in ours(root):
        yield from _settings_in(source)


@cache
def _settings_in(source: Source) -> tuple[str, ...]:
    found: list[str] = []
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.value, ast.Call):
            continue
        if dotted(node.value.func) not in ("setting", "option") or len(node.value.args) < 2:
            continue
        flag = _text(node.value.args[1])
        found += [part.partition("[")[0] for part in flag.split("/") if part]
        file = next((_text(word.value) for word in node.value.keywords if word.arg == "file"), "")
        if file or not flag:
            found.append(file or dotted(node.target))
    return tuple(found)


def events(root: Path) -> Iterator[str]:
    """The type of every event."""
    for node in (*_nodes(root, "values/events.py"), *_nodes(root, "values/role_events.py")):
        if isinstance(node, ast.AnnAssign) and dotted(node.target) == "type" and (name := _text(node.value)):
            yield name


def error_codes(root: Path) -> Iterator[str]:
    """Every code that an error may carry: its class's, those of the closed sets, and those given where it is raised."""
    found = {*_codes_of_the_tree(root), *_codes_raised(root)}
    yield from sorted(found - {"error"})  # of MootError itself, which nobody raises


def _codes_of_the_tree(root: Path) -> Iterator[str]:
    for node in _nodes(root, "values/errors.py"):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(dotted(target) == "code" for target in targets) and (code := _text(node.value)):
                yield code
        if isinstance(node, ast.Subscript) and dotted(node.value) == "Literal":
            yield from filter(None, map(_text, ast.walk(node.slice)))


def _codes_raised(root: Path) -> Iterator[str]:
    errors = {node.name for source in ours(root) for node in source.tree.body if isinstance(node, ast.ClassDef)}
    for source in ours(root):
        yield from (code for error, code in _raised_in(source) if error in errors)


@cache
def _raised_in(source: Source) -> tuple[tuple[str, str], ...]:
    """(error, code) of each `raise Error(…, code="…")`."""
    return tuple(
        (dotted(node.exc.func), code)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        for word in node.exc.keywords
        if word.arg == "code" and (code := _text(word.value))
    )


def _nodes(root: Path, name: str) -> Iterator[ast.AST]:
    for source in ours(root):
        if source.in_package == name:
            yield from ast.walk(source.tree)


def commands(root: Path) -> Iterator[str]:
    """Every command, by its file's name."""
    yield from (f"moot {name.replace('_', '-')}" for name in _stems(root / "src/moot/cli/commands"))


def flags(root: Path) -> Iterator[str]:
    """Every flag that the command line declares by itself, by the first of its names."""
    for source in sources(root, "src/moot/cli"):
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call) and dotted(node.func) in ("flag", "switch") and node.args:
                yield from (part for part in _text(node.args[0]).split("/") if part.startswith("-"))


def tools(root: Path) -> Iterator[str]:
    """Every tool, by its function's name."""
    for source in sources(root, "src/moot/tools"):
        for node in source.tree.body:
            if isinstance(node, ast.AsyncFunctionDef) and any(_is_tool(made) for made in node.decorator_list):
                yield node.name


def teams(root: Path) -> Iterator[str]:
    """Every team, by its file's name."""
    yield from _stems(root / "src/moot/teams")


def _is_tool(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and dotted(decorator.func) == "tool"


def _stems(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.py") if not path.name.startswith("_"))


def _text(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _names_in(page: str) -> set[str]:
    """What a page names: each piece in backticks, and its words."""
    named: set[str] = set()
    for piece in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page, flags=re.DOTALL | re.MULTILINE)):
        words = piece.split()
        named |= {piece, *words, *(" ".join(words[:count]) for count in range(1, 4))}
        named |= {re.split(r"[\[=]", part)[0] for word in words for part in word.split("/")}
    return named


RULES = (undocumented, unpaired_pages, too_long)
