"""The packages that read Office files, which not everybody installs: loaded when the first such file is met."""

import importlib
from importlib import metadata
from types import ModuleType

from moot.web.faults import Unreadable


def office(module: str, kind: str) -> ModuleType:
    """A module of the extra `office`. Raises Unreadable(extra_missing) with what to type when it is not installed."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as missing:
        raise Unreadable(
            "extra_missing",
            f'{kind} files need a package that is not installed: pip install "moot[office]" '
            "(in a clone: ./moot --with office)",
        ) from missing


def extractor(package: str) -> str:
    """The name and version of the package that read a file."""
    return f"{package} {metadata.version(package)}"
