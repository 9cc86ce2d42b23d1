"""The rules of the code that fail the build, each a plain function: a project's root → what breaks it, line by line.

The floors are import-linter's (pyproject.toml); what must be documented is documented.py's, a team's state states.py's.
"""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from tests.house.tree import ROOT, EachFile, Source, dotted, each_file, functions, is_tool, texts

Rule = EachFile | Callable[[Path], Iterator[str]]
MOST_LINES, MOST_LINES_OF_FUNCTION, MOST_LINES_OF_CLASS = 400, 60, 200
MOST_PARAMETERS, MOST_POSITIONAL, MOST_LEVELS = 6, 3, 3

EXEMPT_FROM_SIZES: Mapping[str, str] = {}
"""Generated files and tables of data, by name, with the reason."""

SHAPED_ELSEWHERE = frozenset({"connect_tcp", "aput", "aput_writes"})
"""Methods whose parameters are a library's own: httpcore2's backend, LangGraph's savers."""

DOORS: Mapping[str, tuple[int, str]] = {
    "agents/doing.py": (1, "a tool call"),
    "app/walking.py": (1, "a run"),
    "models/foreign/attempt.py": (1, "a foreign model client's call"),
    "sandbox/inside/interpreter.py": (1, "a cell of code that we did not write, in its own process"),
}
"""Where `except Exception` may stand, how often, and which of the four doors it is."""

WIDE_TYPES: Mapping[str, str] = {
    "app/gather.py": "settings come as whatever TOML and the environment hold",
    "app/setting.py": "pydantic's own Field takes any default",
    "evidence/exports/docx.py": "python-docx's elements, whose types are its own affair",
    "evidence/exports/docx_parts.py": "python-docx's elements, whose types are its own affair",
    "journal/port.py": "a reply of a type that only its caller knows",
    "models/foreign/client.py": "LangChain's clients and what they are made with, of every package its own",
    "models/foreign/faults.py": "exceptions of any package, looked at from outside",
    "patterns/review.py": "a node's changes of a state, as LangGraph takes them",
    "patterns/roles.py": "a node's changes of a state, as LangGraph takes them",
    "patterns/rounds.py": "a node's changes of a state, as LangGraph takes them",
    "patterns/team.py": "a team's state is a TypedDict of its own, typed no closer by LangGraph",
    "run/beside.py": "asyncio's tasks of many types, gathered in one list",
    "run/checkpoints.py": "LangGraph's checkpoints",
    "run/code.py": "LangGraph's state types, looked at from outside",
    "run/drawn.py": "LangGraph's drawing, whose states have any type",
    "run/graph.py": "LangGraph's nodes and states have any type",
    "run/obey.py": "LangGraph's nodes have any type",
    "run/picture.py": "LangGraph's drawing, whose states have any type",
    "run/replayed.py": "a reply of a type that only its caller knows",
    "run/walk.py": "LangGraph's graph, states and streams",
    "teams/brief.py": "a node's changes of a state, as LangGraph takes them",
    "teams/research.py": "a node's changes of a state, as LangGraph takes them",
    "teams/task.py": "a node's changes of a state, as LangGraph takes them",
    "teams/supervised.py": "a node's changes of a state, as LangGraph takes them",
    "toolkit/schema.py": "pydantic's create_model takes any field",
    "toolkit/tool.py": "pydantic's create_model takes any field",
}
"""Adapters where `Any` and `cast` may stand, with the reason."""

LATE_IMPORTS: Mapping[str, str] = {
    "app/parts.py": "teams, tools and LangGraph, by name",
    "cli/found.py": "commands, by name",
    "evidence/exports/extra.py": "typst and python-docx, which not everybody installs",
    "models/foreign/client.py": "LangChain and the packages of providers, which are extras",
    "text/stems.py": "Snowball, with the first word that is stemmed",
    "web/charset.py": "charset-normalizer",
    "web/body.py": "trafilatura and markdownify",
    "web/ignore.py": "pathspec",
    "web/online.py": "Playwright's browser, which not everybody installs",
    "web/search/choosing.py": "search engines, by name",
    "web/knowledge/chosen.py": "providers of knowledge bases, by name",
    "web/office.py": "mammoth, openpyxl and python-pptx, which not everybody installs",
    "web/pdf.py": "pypdfium2",
    "web/readable.py": "the readers of single kinds of document",
    "web/shelf.py": "pydoc_data, which not every interpreter has",
}
"""Where a module may be loaded by name, and which."""

TASKS: Mapping[str, str] = {
    "run/": "once, together and the walk: they await what they begin",
    "web/documents.py": "indexing in a thread that is stopped and awaited",
    "web/mcp/": "an outside server's pipes and its connection, ended and awaited with the run",
}
ENVIRONMENT: Mapping[str, str] = {
    "app/gather.py": "handed the environment by wiring",
    "app/home.py": "handed the environment by wiring",
    "app/service.py": "handed the environment by wiring",
    "app/wiring.py": "reads it",
    "cli/console.py": "the terminal's own variables: NO_COLOR, TERM",
    "cli/main.py": "the terminal's own variables",
    "sandbox/inside/driver.py": "the search path of the image that it runs in",
}
BANNED_IN_CLASSES = frozenset({"manager", "helper", "helpers", "util", "utils", "handler", "base", "impl"})
BANNED_IN_FUNCTIONS = BANNED_IN_CLASSES - {"base"}
BANNED_WORDS = re.compile(r"(?<![\w.`-])(jobs?|sessions?|workflows?)(?![\w`])", re.IGNORECASE)
BANNED_OF_LANGGRAPH = frozenset({"Command", "RetryPolicy", "CachePolicy"})
NEVER_CALLED = frozenset({"update_state", "aupdate_state"})
_MACHINE = re.compile(
    r"/(?:work/(?:main|shared)|tmp/moot/|root/|Users/|home/(?!you\b|user\b|me\b))".replace("/w", "/[w]")
)
_DEEDS = frozenset({
    "print", "open", "exit", "input", "logging.basicConfig", "os.makedirs", "os.mkdir", "os.chdir", "sys.exit",
})  # fmt: skip
_BEGIN_TASKS = frozenset({"create_task", "ensure_future", "TaskGroup", "create_task_group"})
_SILENCES = re.compile(r"type:\s*ignore|\bnoqa\b")
_WITH_REASON = re.compile(r"(?:ignore\[[\w, -]+\]|noqa: [A-Z]+\d+(?:, ?[A-Z]+\d+)*)\s*[-—:#(]*\s*[^\W\d_]")
FLOORS: Mapping[str, int] = {
    room.strip(): place
    for place, floor in enumerate(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0][
            "layers"
        ]
    )
    for room in floor.split("|")
}
"""Each room's floor, from the top."""


@each_file()
def sizes(source: Source) -> Iterator[str]:
    """Files, functions and classes that are too long; too many parameters; bodies that are too deep."""
    if source.in_package in EXEMPT_FROM_SIZES:
        return
    lines = len(source.text.splitlines())
    if lines > MOST_LINES:
        yield source.at(1, f"is {lines} lines long, over {MOST_LINES}")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef) and (long := _length(node)) > MOST_LINES_OF_CLASS:
            yield source.at(node, f"class {node.name} is {long} lines long, over {MOST_LINES_OF_CLASS}")
    for function in functions(source.tree):
        if (long := _length(function)) > MOST_LINES_OF_FUNCTION:
            yield source.at(function, f"{function.name} is {long} lines long, over {MOST_LINES_OF_FUNCTION}")
        if _deepest(function.body) > MOST_LEVELS:
            yield source.at(function, f"{function.name} is indented more than {MOST_LEVELS} levels deep")
        yield from _parameters(source, function)


def _length(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _parameters(source: Source, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    given = function.args
    positional = [arg.arg for arg in (*given.posonlyargs, *given.args) if arg.arg not in ("self", "cls", "mcs")]
    # A test names the fixtures it needs, and pytest hands them over by name.
    if function.name in SHAPED_ELSEWHERE:
        return
    is_test = not source.is_ours and (function.name.startswith("test_") or _is_fixture(function))
    if len(positional) + len(given.kwonlyargs) > MOST_PARAMETERS and not is_tool(function):
        yield source.at(function, f"{function.name} has over {MOST_PARAMETERS} parameters")
    if len(positional) > MOST_POSITIONAL and not is_test:
        yield source.at(function, f"{function.name} takes more than {MOST_POSITIONAL} parameters by position")


def _is_fixture(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("fixture" in ast.unparse(decorator) for decorator in function.decorator_list)


_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)


def _deepest(body: list[ast.stmt]) -> int:
    deepest = 0
    for statement in body:
        if not isinstance(statement, _BLOCKS):
            continue
        inner = [block for _, block in ast.iter_fields(statement) if isinstance(block, list)]
        nested = [
            part.body for block in inner for part in block if isinstance(part, ast.ExceptHandler | ast.match_case)
        ]
        blocks = nested + [block for block in inner if block and isinstance(block[0], ast.stmt)]
        is_elif = (
            isinstance(statement, ast.If) and len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If)
        )
        if is_elif and isinstance(statement, ast.If):
            blocks = [statement.body]
            deepest = max(deepest, _deepest(statement.orelse))
        deepest = max(deepest, *(1 + _deepest(block) for block in blocks))
    return deepest


@each_file()
def hidden_imports(source: Source) -> Iterator[str]:
    """Imports inside functions, from upstairs for types, and modules loaded by name where that is nobody's business."""
    for function in functions(source.tree):
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                yield source.at(node, "imports inside a function")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.If) and dotted(node.test).split(".")[-1] == "TYPE_CHECKING":
            yield from (source.at(line, "imports from upstairs for types") for line in _upstairs(source, node))
        if source.is_ours and source.in_package not in LATE_IMPORTS and _loads_by_name(node):
            yield source.at(node, "loads a module by name")


def _upstairs(source: Source, block: ast.If) -> Iterator[ast.ImportFrom]:
    """Imports in a TYPE_CHECKING block from a higher floor, or from another room of the same one."""
    here = source.in_package.partition("/")[0]
    for node in ast.walk(block):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("moot."):
            there = (node.module or "").split(".")[1]
            if there != here and FLOORS.get(there, 0) <= FLOORS.get(here, 0):
                yield node


def _loads_by_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func) in {
        "importlib.import_module",
        "import_module",
        "__import__",
        "importlib.__import__",
    }


@each_file("src/moot")
def idle_imports(source: Source) -> Iterator[str]:
    """Modules that do something when imported, or read the environment where it is not theirs to read."""
    for statement in source.tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and (dotted(node.func) in _DEEDS or _makes_a_folder(node)):
                yield source.at(node, "does something when it is imported")
    if source.in_package in ENVIRONMENT:
        return
    for node in ast.walk(source.tree):
        if dotted(node) in ("os.environ", "os.getenv") or (isinstance(node, ast.ImportFrom) and _is_environ(node)):
            yield source.at(node, "reads the environment: app/wiring.py hands over what is needed")


def _makes_a_folder(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in ("mkdir", "write_text", "write_bytes", "touch")


def _is_environ(node: ast.ImportFrom) -> bool:
    return node.module == "os" and any(alias.name in ("environ", "getenv") for alias in node.names)


@each_file("src/moot")
def broad_excepts(source: Source) -> Iterator[str]:
    """`except Exception` anywhere but at the four doors; bare ones, and BaseException not raised on, anywhere."""
    may, door = DOORS.get(source.in_package, (0, ""))
    found = 0
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ExceptHandler) and (name := _broad(node)):
            found += 1
            if name != "Exception" or found > may:
                yield source.at(node, f"catches {name}; the doors are {', '.join(DOORS)}")
        if isinstance(node, ast.Call) and dotted(node.func).endswith("suppress") and _names_broad(node.args):
            yield source.at(node, "suppresses every exception")
    if found < may:
        yield source.at(1, f"holds no longer the door of {door}: take it off the list")


def _broad(handler: ast.ExceptHandler) -> str:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = ["everything" if kind is None else dotted(kind).split(".")[-1] for kind in kinds]
    broad = [name for name in names if name in ("everything", "Exception", "BaseException")]
    last = handler.body[-1]
    cleans_up = isinstance(last, ast.Raise) and last.exc is None
    return "" if not broad or (broad == ["BaseException"] and cleans_up) else broad[0]


def _names_broad(args: list[ast.expr]) -> bool:
    return any(dotted(arg) in ("Exception", "BaseException") for arg in args)


@each_file()
def wide_types(source: Source) -> Iterator[str]:
    """`Any` and `cast` outside the adapters; `type: ignore` and `noqa` without a code and a reason."""
    if source.is_ours and source.in_package not in WIDE_TYPES:
        for node in ast.walk(source.tree):
            if dotted(node) in ("Any", "typing.Any"):
                yield source.at(node, "says Any: only wire adapters may, each with its reason (tests/house/rules.py)")
            if isinstance(node, ast.Call) and dotted(node.func) in ("cast", "typing.cast"):
                yield source.at(node, "casts: only wire adapters may, each with its reason (tests/house/rules.py)")
    for comment in source.comments:
        if _SILENCES.search(comment.text) and not _WITH_REASON.search(comment.text):
            yield source.at(comment.line, "silences a check without its code and a reason")


@each_file("src/moot")
def side_by_side(source: Source) -> Iterator[str]:
    """Tasks begun outside run/, and LangGraph's jumps, retries and caches."""
    may_begin = any(source.in_package.startswith(place) for place in TASKS)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call):
            last = (dotted(node.func) or getattr(node.func, "attr", "")).split(".")[-1]
            if last in _BEGIN_TASKS and not may_begin:
                yield source.at(node, f"begins a task with {last}: use together()")
            elif last in NEVER_CALLED:
                yield source.at(node, f"calls {last}, which shifts a graph's steps")
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("langgraph"):
            for name in sorted(BANNED_OF_LANGGRAPH & {alias.name for alias in node.names}):
                yield source.at(node, f"takes {name} from LangGraph: nodes act, choosers choose")
        if isinstance(node, ast.keyword) and node.arg in ("interrupt_before", "interrupt_after"):
            yield source.at(node.value, f"uses {node.arg}")


@each_file("src/moot")
def names(source: Source) -> Iterator[str]:
    """Names that say nothing: Manager, Utils …"""
    if source.stem in BANNED_IN_CLASSES:
        yield source.at(1, f"is called {source.stem}: say what it is")
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            banned = BANNED_IN_CLASSES if isinstance(node, ast.ClassDef) else BANNED_IN_FUNCTIONS
            parts = {part.casefold() for part in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", node.name)}
            for word in sorted(parts & banned):
                yield source.at(node, f"{node.name} is called {word}: say what it is")


@each_file("src/moot")
def words(source: Source) -> Iterator[str]:
    """Words that are not ours, in comments and docstrings."""
    for line, text in _prose(source):
        for found in BANNED_WORDS.findall(text):
            yield source.at(line, f"says {found!r}, which is not our word (docs/words.md)")


def words_of_texts(root: Path) -> Iterator[str]:
    """Words that are not ours, and paths of one machine, in docs, prompts and scripts."""
    for name, text in texts(root):
        for line, content in enumerate(text.splitlines(), 1):
            for found in BANNED_WORDS.findall(content):
                yield f"{name}:{line} says {found!r}, which is not our word (docs/words.md)"
            if machine := _MACHINE.search(content):
                yield f"{name}:{line} names a path of one machine: {machine[0]}"


def _prose(source: Source) -> Iterator[tuple[int, str]]:
    """Comments and docstrings."""
    for comment in source.comments:
        yield comment.line, comment.text
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


@each_file("src/moot")
def opening_words(source: Source) -> Iterator[str]:
    """Modules of the package that do not say what they are for."""
    if not ast.get_docstring(source.tree):
        yield source.at(1, "does not open with what it is for")


@each_file("tests")
def honest_tests(source: Source) -> Iterator[str]:
    """Mocks, and sleeping; a double may take the time of what it stands for, and says so on that line."""
    is_double = not source.stem.startswith("test_")
    explained = {comment.line for comment in source.comments}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom | ast.Import) and _is_mock(node):
            yield source.at(node, "mocks: inject a double instead")
        if isinstance(node, ast.Call) and _sleeps(node) and not (is_double and node.lineno in explained):
            yield source.at(node, "sleeps: wait for the event")


def shut_suite(root: Path) -> Iterator[str]:
    """Tests of rooms that are not there, and a suite whose sockets are open or whose warnings pass."""
    rooms = {path.name for path in (root / "src/moot").iterdir() if path.is_dir()}
    for folder in sorted(path for path in (root / "tests").iterdir() if path.is_dir()):
        if folder.name not in rooms | {"contracts", "goldens", "journals", "house", "bench", "wire", "__pycache__"}:
            yield f"tests/{folder.name} mirrors no room"
    settings = (root / "pyproject.toml").read_text(encoding="utf-8")
    for needed in ("--disable-socket", 'filterwarnings = ["error"]', "strict = true"):
        if needed not in settings:
            yield f"pyproject.toml:1 has no {needed}"


def _sleeps(node: ast.Call) -> bool:
    if dotted(node.func) not in ("time.sleep", "asyncio.sleep", "anyio.sleep", "sleep"):
        return False
    return not (node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value == 0)


def _is_mock(node: ast.ImportFrom | ast.Import) -> bool:
    named = [alias.name for alias in node.names]
    modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else named
    return any(m in ("mock", "unittest.mock") for m in modules) or (modules == ["unittest"] and "mock" in named)


@each_file()
def no_machine(source: Source) -> Iterator[str]:
    """Paths of one machine."""
    for line, content in enumerate(source.text.splitlines(), 1):
        if found := _MACHINE.search(content):
            yield source.at(line, f"names a path of one machine: {found[0]}")


RULES: tuple[Rule, ...] = (
    sizes, hidden_imports, idle_imports, broad_excepts, wide_types, side_by_side, names, words, words_of_texts,
    opening_words, honest_tests, shut_suite, no_machine,
)  # fmt: skip
