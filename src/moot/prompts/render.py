"""Renders the words that models are given: `prompts/<team>/<role>.md`, Jinja with StrictUndefined.

A prompt's file holds two parts, divided by a line `<!-- given -->`. Above it: what the role is told in every run, with
no variable, so that providers can cache it; the shared rules (`shared/*.md`, by name) stand before it. Below it: what
it is given this time. A file without that line is all given.
"""

import hashlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound, meta

from moot.values.errors import SettingWrong

GIVEN = "<!-- given -->"
_SHARED = "shared"


class Parts(NamedTuple):
    """A rendered prompt."""

    system: str
    given: str


class Prompts:
    """All prompts of the package, and of further folders (plugins, tests), which come first. Read when asked for."""

    def __init__(self, *further: Traversable) -> None:
        self._roots = (*further, files("moot.prompts"))
        self._compiled: dict[str, tuple[Template, Template]] = {}
        self._env = Environment(
            loader=_Folders(self._roots),
            undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def render(self, name: str, /, **given: object) -> str:
        """One file's words, without the shared rules. Raises UndefinedError for a variable that is not given."""
        role, rest = self._halves(name)
        return "\n\n".join(words for part in (role, rest) if (words := part.render(given).strip()))

    def parts(self, name: str, /, **given: object) -> Parts:
        """What an agent is told (shared rules, its role) and given, rendered apart so that no value can divide them."""
        role, rest = self._halves(name)
        system = [*self._shared, role.render().strip()]
        return Parts("\n\n".join(part for part in system if part), rest.render(given).strip())

    def variables(self, name: str) -> frozenset[str]:
        """The names that a prompt must be given."""
        found: set[str] = set()
        _, divided, rest = self._source(name).partition(GIVEN)
        pending, seen = [rest if divided else self._source(name)], set[str]()
        while pending:
            tree = self._env.parse(pending.pop())
            found |= meta.find_undeclared_variables(tree)
            for other in meta.find_referenced_templates(tree):
                if other and other not in seen:
                    seen.add(other)
                    pending.append(_read(self._roots, other))
        return frozenset(found)

    def names(self) -> tuple[str, ...]:
        """Every prompt, `research/planner`, sorted; the shared ones too."""
        return tuple(sorted(path.removesuffix(".md") for path in self._files()))

    def digest(self) -> str:
        """SHA-256 over all prompts: a run made with others diverges."""
        whole = hashlib.sha256()
        for path, file in sorted(self._files().items()):
            whole.update(f"{path}\n{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
        return whole.hexdigest()

    def _halves(self, name: str) -> tuple[Template, Template]:
        """The two parts of a prompt, compiled once; the first is empty in a file that is all given."""
        if name not in self._compiled:
            role, divided, rest = self._source(name).partition(GIVEN)
            halves = (role, rest) if divided else ("", role)
            self._compiled[name] = (self._env.from_string(halves[0]), self._env.from_string(halves[1]))
        return self._compiled[name]

    def _source(self, name: str) -> str:
        try:
            return _read(self._roots, f"{name}.md")
        except TemplateNotFound:
            known = ", ".join(self.names())
            raise SettingWrong(f"setting_wrong: there is no prompt {name!r}. Known: {known}.") from None

    @cached_property
    def _shared(self) -> list[str]:
        shared = sorted(path for path in self._files() if path.startswith(f"{_SHARED}/"))
        return [self._env.get_template(path).render().strip() for path in shared]

    def _files(self) -> dict[str, Traversable]:
        return {path: file for root in reversed(self._roots) for path, file in _walk(root)}


class _Folders(BaseLoader):
    """Finds what a prompt includes by its path below a root."""

    def __init__(self, roots: Sequence[Traversable]) -> None:
        self._roots = roots

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, None]:
        return _read(self._roots, template), template, None


def _read(roots: Sequence[Traversable], path: str) -> str:
    parts = path.split("/")
    for root in roots:
        file = root
        for part in parts:
            file = file / part
        if ".." not in parts and file.is_file():
            return file.read_text(encoding="utf-8")
    raise TemplateNotFound(path)


def _walk(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(".md") and entry.name != "README.md":
            yield f"{above}{entry.name}", entry
