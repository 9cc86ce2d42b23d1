"""Loads a package that not everybody installs, or says how to get it."""

import importlib
from types import ModuleType

from moot.values.errors import SettingWrong


def load_extra(package: str, extra: str) -> ModuleType:
    """The package. Raises SettingWrong(extra_missing) with what to type, for an installed moot and for a clone."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as missing:
        raise SettingWrong(
            f'extra_missing: writing {extra} needs a package that is not installed: pip install "moot[{extra}]" '
            f"(in a clone: ./moot --with {extra}).",
            code="extra_missing",
            chinese=f'extra_missing：输出 {extra} 需要尚未安装的软件包：pip install "moot[{extra}]"'
            f"（在克隆目录中：./moot --with {extra}）。",
        ) from missing
