"""What tools hold open is closed once, the newest first, whatever becomes of the others."""

import pytest

from moot.toolkit.opened import Opened


class Shell:
    """Tells when it was closed."""

    def __init__(self, closed: list[str], *, fails: bool = False) -> None:
        self._closed, self._fails = closed, fails

    async def close(self) -> None:
        self._closed.append(type(self).__name__)
        if self._fails:
            raise OSError("it would not end")


class Page(Shell):
    """Another kind."""


async def test_what_is_kept_is_found_by_its_kind_alone() -> None:
    opened = Opened()
    shell = opened.keep(Shell([]))
    assert opened.find(Shell) is shell
    assert opened.find(Page) is None


async def test_a_second_of_a_kind_is_a_bug() -> None:
    opened = Opened()
    opened.keep(Shell([]))
    with pytest.raises(AssertionError, match="a Shell is open here already"):
        opened.keep(Shell([]))


async def test_what_is_dropped_is_closed_and_another_may_be_opened() -> None:
    closed, opened = list[str](), Opened()
    opened.keep(Shell(closed))
    await opened.drop(Shell)
    await opened.drop(Shell)
    assert closed == ["Shell"]
    opened.keep(Shell(closed))


async def test_all_are_closed_newest_first_though_one_fails() -> None:
    closed, opened = list[str](), Opened()
    opened.keep(Shell(closed))
    opened.keep(Page(closed, fails=True))
    with pytest.raises(OSError, match="would not end"):
        await opened.close()
    assert closed == ["Page", "Shell"]
    await opened.close()
    assert closed == ["Page", "Shell"]
