"""Which knowledge bases a person's `--docs rag://…` names, by the operator's settings. Asking them is bases.py's."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from urllib.parse import quote, unquote

from pydantic import Field

from moot.values.errors import SettingWrong
from moot.values.value import Value
from moot.web.knowledge.provider import Provider

SCHEME = "rag://"


class Account(Value):
    """A provider as the settings name it: `[rag.dify]`. It holds no key."""

    base_url: str = Field(min_length=1)
    """Where its API is."""
    key: str = ""
    """The variable that holds its key, when that is not the provider's own."""
    datasets: dict[str, str] = Field(min_length=1)
    """Its knowledge bases: the name in addresses, and the provider's id."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """A knowledge base that a run may search."""

    provider: str
    dataset: str
    of: Provider
    id: str
    base_url: str
    key: str = field(default="", repr=False)

    @property
    def root(self) -> str:
        """Its address, named in prompts: `rag://dify/handbook`."""
        return f"{SCHEME}{self.provider}/{quote(self.dataset, safe='')}"


@cache
def providers() -> Mapping[str, Provider]:
    """Every provider by the name of its file."""
    names = sorted(path.stem for path in (Path(__file__).parent / "providers").glob("[a-z]*.py"))
    return {name: importlib.import_module(f"moot.web.knowledge.providers.{name}").PROVIDER for name in names}


def bases(
    whats: Sequence[str], accounts: Mapping[str, Account], environ: Mapping[str, str], *, place: str = "--docs"
) -> tuple[Dataset, ...]:
    """The bases that these `rag://…` name, each once: of a provider alone all of its. Raises SettingWrong."""
    named = [base for what in whats for base in _named(what, accounts, environ, place=place)]
    return tuple({base.root: base for base in named}.values())


def variables(accounts: Mapping[str, Account]) -> set[str]:
    """The variables that hold keys of these accounts."""
    known = providers()
    return {account.key or known[name].key for name, account in accounts.items() if account.key or name in known}


def _named(
    what: str, accounts: Mapping[str, Account], environ: Mapping[str, str], *, place: str
) -> Iterator[Dataset]:  # fmt: skip
    provider, _, dataset = what.removeprefix(SCHEME).strip("/").partition("/")
    account, dataset = accounts.get(provider), unquote(dataset)
    where = f"{place} {what}"
    if provider not in providers():
        near = ", ".join(get_close_matches(provider, providers(), 1) or providers())
        raise _wrong(where, f"there is no such provider. There is: {near}", f"没有这个知识库服务。可用：{near}")
    if account is None:
        raise _wrong(
            where,
            f"it is not set up: name its base_url and datasets under [rag.{provider}]",
            f"尚未配置：请在 [rag.{provider}] 中给出 base_url 与 datasets",
        )
    if dataset and dataset not in account.datasets:
        there = ", ".join(account.datasets)
        raise _wrong(where, f"it has no such dataset. There is: {there}", f"没有这个知识库。可用：{there}")
    of = providers()[provider]
    variable = account.key or of.key
    if not environ.get(variable, "").strip():
        raise _wrong(where, f"it needs {variable}, which is not set", f"需要先设置 {variable}")
    for name, number in account.datasets.items():
        if not dataset or name == dataset:
            yield Dataset(provider, name, of, number, account.base_url, environ[variable].strip())


def _wrong(where: str, why: str, chinese: str) -> SettingWrong:
    return SettingWrong(f"{where}: {why}.", chinese=f"{where}：{chinese}。")
