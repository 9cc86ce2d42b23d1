"""The house holds: every rule over the tree as it stands. That each rule can fail is shown in test_broken.py."""

import pytest

from tests.house import documented, floors, rules, sockets
from tests.house.tree import ROOT, Source, sources

RULES = (floors.broken_floors, *rules.RULES, sockets.open_sockets, *documented.RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps_to(rule: rules.Rule) -> None:
    assert list(rule(ROOT)) == []


def test_what_is_exempt_is_there() -> None:
    """A list of exceptions holds nothing that is gone."""
    names = {source.in_package for source in sources(ROOT)}
    lists = (
        rules.EXEMPT_FROM_SIZES, rules.DOORS, rules.WIDE_TYPES, rules.LATE_IMPORTS, rules.ENVIRONMENT,
        {name: why for name, why in rules.TASKS.items() if name.endswith(".py")},
    )  # fmt: skip
    assert [name for exceptions in lists for name in exceptions if name not in names] == []


def test_every_exemption_is_needed() -> None:
    """An adapter that says Any no more leaves the list of those that may."""
    by_name = {source.in_package: source for source in sources(ROOT, "src/moot")}
    idle = [name for name in rules.WIDE_TYPES if name in by_name and not _says_any(by_name[name])]
    idle += [name for name in sockets.MAY if name not in by_name or not list(sockets.opened_in(by_name[name]))]
    assert idle == []


def _says_any(source: Source) -> bool:
    return "Any" in source.text or "cast(" in source.text
