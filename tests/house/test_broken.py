"""Each rule of the house fails when it is broken on purpose, in a copy of the tree; and tells where."""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house import documented, floors, rules, sockets
from tests.house.tree import ROOT

Rule = rules.Rule


class Copy:
    """The project's text in a folder of its own, to be broken and mended again. Owned by one test at a time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._before: dict[Path, str | None] = {}

    def write(self, name: str, text: str) -> None:
        """One more file, or another text in one that is there."""
        path = self.root / name
        self._before.setdefault(path, path.read_text(encoding="utf-8") if path.exists() else None)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def replace(self, name: str, *, old: str, new: str) -> None:
        """Other words in a file."""
        text = (self.root / name).read_text(encoding="utf-8")
        assert old in text, f"{name} no longer holds {old!r}"
        self.write(name, text.replace(old, new))

    def mend(self) -> None:
        """As it was."""
        for path, text in self._before.items():
            if text is not None:
                path.write_text(text, encoding="utf-8")
            else:
                path.unlink()
                if not any(path.parent.iterdir()):
                    path.parent.rmdir()
        self._before.clear()

    def told_of(self, rule: Rule) -> list[str]:
        """What a rule tells of the broken copy, and not of the tree as it stands."""
        return [told for told in rule(self.root) if told not in _as_it_stands(rule)]


@cache
def _as_it_stands(rule: Rule) -> frozenset[str]:
    return frozenset(rule(ROOT))


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    root = tmp_path_factory.mktemp("copy")
    without = shutil.ignore_patterns("__pycache__", "*.pyc", "goldens", "schemas")
    for name in ("src", "tests", "docs", "bench"):
        shutil.copytree(ROOT / name, root / name, ignore=without)
    for path in [*ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "Makefile", ROOT / "moot"]:
        shutil.copy(path, root / path.name)
    return Copy(root)


@pytest.fixture
def copy(copied: Copy) -> Iterator[Copy]:
    yield copied
    copied.mend()


DOC = '"""A file that breaks a rule."""\n'
BROKEN: list[tuple[Rule, str, str, str]] = [
    (rules.sizes, "src/moot/text/long.py", DOC + "x = 1\n" * 400, "is 401 lines long"),
    (rules.sizes, "tests/text/test_long.py", DOC + "x = 1\n" * 400, "is 401 lines long"),
    (rules.sizes, "src/moot/text/long.py", DOC + "def f() -> None:\n" + "    x = 1\n" * 60, "f is 61 lines long"),
    (rules.sizes, "src/moot/text/long.py", DOC + "class A:\n" + "    x = 1\n" * 200, "class A is 201 lines long"),
    (rules.sizes, "src/moot/text/many.py", DOC + "def f(a, *, b, c, d, e, f, g): ...\n", "over 6 parameters"),
    (rules.sizes, "src/moot/text/many.py", DOC + "def f(a, b, c, d): ...\n", "more than 3 parameters by position"),
    (
        rules.sizes,
        "src/moot/text/deep.py",
        DOC + "def f():\n if a:\n  for b in c:\n   with d:\n    try:\n     e()\n    finally:\n     g()\n",
        "more than 3 levels deep",
    ),
    (rules.hidden_imports, "src/moot/text/late.py", DOC + "def f():\n    import json\n", "imports inside a function"),
    (
        rules.hidden_imports,
        "src/moot/text/late.py",
        DOC
        + "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from moot.web.documents import open_documents\n",
        "imports from upstairs",
    ),
    (
        rules.hidden_imports,
        "src/moot/text/late.py",
        DOC + "import importlib\nx = importlib.import_module('a')\n",
        "by name",
    ),
    (rules.idle_imports, "src/moot/text/busy.py", DOC + "print('hello')\n", "does something when it is imported"),
    (rules.idle_imports, "src/moot/text/busy.py", DOC + "from pathlib import Path\nPath('x').mkdir()\n", "when it is"),
    (rules.idle_imports, "src/moot/text/busy.py", DOC + "import os\ndef f():\n    os.environ['X']\n", "environment"),
    (
        rules.broad_excepts,
        "src/moot/text/broad.py",
        DOC + "try:\n    f()\nexcept Exception:\n    pass\n",
        "catches Exc",
    ),
    (rules.broad_excepts, "src/moot/text/broad.py", DOC + "try:\n    f()\nexcept:\n    pass\n", "catches everything"),
    (
        rules.broad_excepts,
        "src/moot/text/broad.py",
        DOC + "try:\n    f()\nexcept (ValueError, BaseException):\n    pass\n",
        "catches BaseException",
    ),
    (rules.broad_excepts, "src/moot/text/broad.py", DOC + "with suppress(Exception):\n    f()\n", "suppresses"),
    (rules.wide_types, "src/moot/text/wide.py", DOC + "from typing import Any\nx: dict[str, Any] = {}\n", "says Any"),
    (rules.wide_types, "src/moot/text/wide.py", DOC + "from typing import cast\nx = cast(int, 'a')\n", "casts"),
    (rules.wide_types, "src/moot/text/wide.py", DOC + "x = f()  # type: ignore\n", "silences a check"),
    (rules.wide_types, "src/moot/text/wide.py", DOC + "x = f()  # type: ignore[arg-type]\n", "silences a check"),
    (rules.wide_types, "tests/text/test_wide.py", DOC + "x = f()  # noqa: E501\n", "silences a check"),
    (
        sockets.open_sockets,
        "src/moot/web/other.py",
        DOC + "x = asyncio.open_connection('a', 1)\n",
        "opens a connection",
    ),
    (sockets.open_sockets, "src/moot/tools/other.py", DOC + "s = socket.socket()\n", "opens a connection"),
    (sockets.open_sockets, "src/moot/tools/other.py", DOC + "loop.getaddrinfo('a', 1)\n", "opens a connection"),
    (sockets.open_sockets, "src/moot/app/other.py", DOC + "x = httpx2.get('http://a.example')\n", "opens a connection"),
    (sockets.open_sockets, "src/moot/app/other.py", DOC + "from httpx2 import AsyncClient\nAsyncClient()\n", "opens"),
    (sockets.open_sockets, "src/moot/web/other.py", DOC + "from urllib import request\n", "its own client"),
    (sockets.open_sockets, "src/moot/web/other.py", DOC + "import http.client\n", "its own client"),
    (rules.side_by_side, "src/moot/text/beside.py", DOC + "x = asyncio.create_task(f())\n", "begins a task"),
    (rules.side_by_side, "src/moot/text/beside.py", DOC + "async def f():\n    asyncio.TaskGroup()\n", "begins a task"),
    (rules.side_by_side, "src/moot/text/jump.py", DOC + "from langgraph.types import Command\n", "takes Command"),
    (rules.side_by_side, "src/moot/text/jump.py", DOC + "g.compile(interrupt_before=['x'])\n", "interrupt_before"),
    (rules.side_by_side, "src/moot/text/jump.py", DOC + "g.update_state(1)\n", "calls update_state"),
    (rules.names, "src/moot/text/utils.py", DOC, "is called utils"),
    (rules.names, "src/moot/text/named.py", DOC + "class RunManager: ...\n", "RunManager is called manager"),
    (rules.names, "src/moot/text/named.py", DOC + "class PortBase: ...\n", "PortBase is called base"),
    (
        rules.names,
        "src/moot/text/named.py",
        DOC + "def _page_helper(): ...\n",
        "_page_helper is called helper",
    ),
    (rules.words, "src/moot/text/word.py", '"""Begins a session of the run."""\n', "says 'session'"),
    (rules.words, "src/moot/text/word.py", DOC + "x = 1  # the Jobs we do\n", "says 'Jobs'"),
    (rules.words_of_texts, "docs/en/start.md", "Begin a workflow.\n", "docs/en/start.md:1 says 'workflow'"),
    (rules.opening_words, "src/moot/text/silent.py", "x = 1\n", "does not open with what it is for"),
    (rules.honest_tests, "tests/text/test_m.py", DOC + "from unittest.mock import Mock\n", "mocks"),
    (rules.honest_tests, "tests/text/test_m.py", DOC + "from unittest import mock\n", "mocks"),
    (rules.honest_tests, "tests/text/test_s.py", DOC + "import time\ntime.sleep(0.1)\n", "sleeps"),
    (rules.honest_tests, "tests/text/test_s.py", DOC + "async def f():\n    await asyncio.sleep(1)\n", "sleeps"),
    (rules.shut_suite, "tests/attic/test_x.py", DOC, "tests/attic mirrors no room"),
    (rules.no_machine, "src/moot/text/here.py", DOC + "x = '/wo" + "rk/main/x'\n", "names a path of one machine"),
    (rules.words_of_texts, "docs/en/start.md", "See /ro" + "ot/x\n", "docs/en/start.md:1 names a path"),
    (
        documented.undocumented,
        "src/moot/cli/commands/dance.py",
        DOC,
        "docs/en/commands.md:1 does not name `moot dance`",
    ),
    (documented.undocumented, "src/moot/teams/choir.py", DOC, "docs/zh/commands.md:1 does not name `choir`"),
    (
        documented.undocumented,
        "src/moot/tools/sing.py",
        DOC + "@tool()\nasync def sing(bench): ...\n",
        "does not name `sing`",
    ),
    (
        documented.undocumented,
        "src/moot/app/more.py",
        DOC + 'class More:\n    loud: bool = setting(False, "--loud", "Loud.", "大声。", file="voice.loud")\n',
        "docs/en/settings.md:1 does not name `--loud`",
    ),
    (
        documented.undocumented,
        "src/moot/app/more.py",
        DOC + 'class More:\n    loud: bool = setting(False, "--loud", "Loud.", "大声。", file="voice.loud")\n',
        "docs/zh/settings.md:1 does not name `voice.loud`",
    ),
    (
        documented.undocumented,
        "src/moot/text/raising.py",
        DOC + 'class Oops(Exception): ...\ndef f():\n    raise Oops("no", code="oops_a_daisy")\n',
        "docs/en/errors.md:1 does not name `oops_a_daisy`",
    ),
    (documented.unpaired_pages, "docs/en/alone.md", "# Alone\n", "docs/zh/alone.md:1 is not there"),
    (documented.unpaired_pages, "docs/en/start.md", "[x](nowhere.md)\n", "links to nowhere.md"),
    (documented.too_long, "AGENTS.md", "line\n" * 81, "AGENTS.md:1 is 81 lines long"),
    (floors.broken_floors, "src/moot/text/up.py", DOC + "import moot.app.home\n", "moot.text is not allowed to import"),
    (
        floors.broken_floors,
        "src/moot/sandbox/aside.py",
        DOC + "import moot.models.port\n",
        "moot.sandbox is not allowed",
    ),
    (floors.broken_floors, "src/moot/tools/aside.py", DOC + "import moot.tools.python\n", "moot.tools.aside"),
    (floors.broken_floors, "src/moot/attic/__init__.py", DOC, "attic"),
]


@pytest.mark.parametrize(("rule", "name", "text", "told"), BROKEN, ids=lambda part: getattr(part, "__name__", None))
def test_a_rule_fails_when_it_is_broken(copy: Copy, rule: Rule, name: str, text: str, told: str) -> None:
    copy.write(name, text)
    found = copy.told_of(rule)
    assert any(told in one for one in found), found


def test_an_event_without_a_line_in_the_docs_is_told_of(copy: Copy) -> None:
    copy.replace("src/moot/values/events.py", old='"queued"', new='"lined_up"')
    assert copy.told_of(documented.undocumented) == [
        "docs/en/events.md:1 does not name `lined_up`",
        "docs/zh/events.md:1 does not name `lined_up`",
    ]


@pytest.mark.parametrize("shut", ["--disable-socket", '["error"]'])
def test_open_sockets_and_passed_warnings_are_told_of(copy: Copy, shut: str) -> None:
    copy.replace("pyproject.toml", old=shut, new="")
    assert len(copy.told_of(rules.shut_suite)) == 1


def test_a_door_that_moved_is_taken_off_the_list(copy: Copy) -> None:
    copy.replace(f"src/moot/{next(iter(rules.DOORS))}", old="except Exception", new="except ValueError")
    assert any("holds no longer the door" in one for one in copy.told_of(rules.broad_excepts))


def test_every_rule_is_broken_here() -> None:
    every = {floors.broken_floors, *rules.RULES, sockets.open_sockets, *documented.RULES}
    assert {rule for rule, *_ in BROKEN} == every
