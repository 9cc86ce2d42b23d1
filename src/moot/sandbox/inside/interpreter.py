"""Runs inside a sandbox: cells of Python, one after the other, in names that live on. driver.py says when and which.

Its arguments: the pipe on which files with cells are named, the pipe on which it tells of each end, the folder whose
modules may be imported, and further folders of packages.
"""

from __future__ import annotations

import ast
import hashlib
import io
import linecache
import signal
import sys
import traceback
import types

MAX_REPR = 4_000
MAX_TRACEBACK = 8_000


def run(code: str, names: dict[str, object]) -> tuple[int, str]:
    """Runs a cell: its exit code, and `=> repr` of its last expression or its traceback. SystemExit ends this."""
    name = f"<cell {hashlib.sha256(code.encode('utf-8', 'replace')).hexdigest()[:4]}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    try:
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), names)  # noqa: S102 - this is what it is for, and it stands in a sandbox
        if not isinstance(last, ast.Expr):
            return 0, ""
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)  # noqa: S307 - as above
        return 0, "" if value is None else f"=> {_cut(repr(value), MAX_REPR)}"
    except KeyboardInterrupt:
        return 130, ""
    except Exception as error:  # noqa: BLE001 - whatever a cell raises is what is shown of it
        return 1, _traceback(error)


def _traceback(error: Exception) -> str:
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    text = "".join(traceback.format_exception(type(error), error, frames)).rstrip("\n")
    half = MAX_TRACEBACK // 2
    return text if len(text) <= MAX_TRACEBACK else f"{text[:half]}\n…\n{text[-half:]}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        try:
            if stream is not None:
                stream.flush()
        except (ValueError, OSError, AttributeError):
            continue  # a cell may have closed it, or put anything in its place


def main(orders: str, end: str, workspace: str, *packages: str) -> None:
    """Serves cells until nobody orders any more."""
    sys.argv = [""]
    sys.path[:0] = [workspace]
    sys.path += [folder for folder in packages if folder and folder not in sys.path]
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(orders, encoding="utf-8") as named:
        for order in named:
            token, _, path = order.rstrip("\n").partition(" ")
            code = _read(path)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            status, shown = run(code, module.__dict__)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            _flush()
            parts = (token, str(status), "", "", shown.replace("\0", "\\0"))
            with open(end, "wb", buffering=0) as told:
                told.write("".join(f"{part}\0" for part in parts).encode("utf-8", "backslashreplace"))


if __name__ == "__main__":
    main(*sys.argv[1:])
