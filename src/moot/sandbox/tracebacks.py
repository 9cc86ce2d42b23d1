"""What the model reads of an error in the small Python: the traceback in the cell's own lines, and what is missing."""

import builtins
import re

import pydantic_monty as monty

from moot.sandbox.cells import Wrapped

SMALL_PYTHON = (
    "(This is the small Python: no packages, no network, no class inheritance, no yield, no del. "
    "Rewrite it, or say that it needs full Python.)"
)
_MOST_CHARACTERS = 4_000


def traceback_of(error: monty.MontyError, wrapped: Wrapped | None) -> str:
    """The traceback as Python writes it; it ends with the small Python's sentence when what failed is missing there."""
    if not isinstance(error, monty.MontyRuntimeError | monty.MontySyntaxError):
        return f"{type(error).__name__}: {str(error)[:_MOST_CHARACTERS]}"
    text = error.display().rstrip("\n")
    frames = error.traceback()
    if wrapped is not None and frames:
        text = _in_its_own_lines(text, frames[0].filename, wrapped)
    if len(text) > 2 * _MOST_CHARACTERS:
        text = f"{text[:_MOST_CHARACTERS]}\n…\n{text[-_MOST_CHARACTERS:]}"
    return f"{text}\n{SMALL_PYTHON}" if _is_missing(str(error)) else text


def _in_its_own_lines(text: str, filename: str, wrapped: Wrapped) -> str:
    def moved(found: re.Match[str]) -> str:
        line = int(found[2])
        return f"{found[1]}{line - wrapped.moved_by if line > wrapped.moved_from else line}"

    return re.sub(rf'(^  File "{re.escape(filename)}", line )(\d+)', moved, text, flags=re.MULTILINE)


def _is_missing(message: str) -> bool:
    """True when full Python would have it: a module, a file, a piece of syntax, a builtin, a builtin's method."""
    kind, _, rest = message.partition(": ")
    if kind in {"ModuleNotFoundError", "ImportError", "NotImplementedError", "PermissionError"}:
        return True
    if kind == "NameError":
        named = re.match(r"name '(\w+)' is not defined", rest)
        return named is not None and hasattr(builtins, named[1])
    if kind == "AttributeError":
        of_type = re.match(r"(?:type object )?'(\w+)'(?: object)? has no attribute '(\w+)'", rest)
        return rest.startswith("module ") or (
            of_type is not None and hasattr(getattr(builtins, of_type[1], None), of_type[2])
        )
    return kind == "RuntimeError" and ("not supported" in rest or "Internal error in monty" in rest)
