"""Loads a package that not everybody installs, or says how to get it."""

import importlib
from collections.abc import Mapping
from importlib.util import find_spec
from types import ModuleType

from moot.values.errors import SettingWrong

_NEEDS: Mapping[str, str] = {"pdf": "typst", "docx": "docx"}
"""Form, which is also the extra's name → the package that makes it."""


def check_extra(form: str) -> None:
    """Raises SettingWrong(extra_missing) when the form's package is not installed, with what to type."""
    if form in _NEEDS and find_spec(_NEEDS[form]) is None:
        raise SettingWrong(
            f'extra_missing: {form} needs a package that is not installed: pip install "moot[{form}]" '
            f"(in a clone: ./moot --with {form}).",
            code="extra_missing",
            chinese=f'extra_missing：{form} 需要尚未安装的软件包：pip install "moot[{form}]"'
            f"（在克隆目录中：./moot --with {form}）。",
        )


def load_extra(module: str, form: str) -> ModuleType:
    """A module of the form's package. Raises SettingWrong(extra_missing) when that is not installed."""
    check_extra(form)
    return importlib.import_module(module)
