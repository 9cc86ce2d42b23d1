"""The one place where a task is made; whoever makes one is there until it has ended."""

import asyncio
import contextlib
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

T = TypeVar("T")


class Beside:
    """`async with Beside(doing()):` runs `doing` beside the block.

    When it fails the block is cancelled, and its failure comes out instead. When the block ends first, `doing` is
    cancelled; with `finish` it is awaited, unless the block was cancelled.
    """

    def __init__(self, doing: Coroutine[object, object, object], *, finish: bool = False) -> None:
        self._doing = doing
        self._finish = finish
        self._left = self._failed = False

    async def __aenter__(self) -> None:
        block = asyncio.current_task()
        assert block is not None
        self._block = block
        self._task = started(self._doing)
        self._task.add_done_callback(self._ended)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = True
        if self._finish and not self._failed and not isinstance(error, asyncio.CancelledError):
            try:
                await asyncio.wait((self._task,))
            finally:
                await over(self._task)
            if error is None:
                self._task.result()
            return
        failed = self._task.done() and not self._task.cancelled() and self._task.exception() is not None
        await over(self._task)
        if self._failed:
            if not isinstance(error, asyncio.CancelledError):
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(0)  # our cancel may not have reached the block before it ended
            if self._block.uncancel() > 0:
                raise asyncio.CancelledError from error  # somebody else cancelled it too
        if self._failed or (failed and error is None):
            self._task.result()

    def _ended(self, task: asyncio.Task[object]) -> None:
        failed = not task.cancelled() and task.exception() is not None
        if failed and not self._left:
            self._failed = True
            self._block.cancel()


def started(doing: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A task, which the caller sees to its end by `over`."""
    return asyncio.get_running_loop().create_task(doing)


async def first_of(task: asyncio.Task[Any], other: Coroutine[Any, Any, Any]) -> None:
    """Returns when the task or `other` has ended; `other` is over then."""
    second = started(other)
    try:
        await asyncio.wait((task, second), return_when=asyncio.FIRST_COMPLETED)
    finally:
        second.cancel()


async def over(task: asyncio.Task[Any], *, within_s: float | None = None) -> None:
    """Cancels a task and returns when it has ended, whatever with; or, when it will not end, after a while."""
    if not task.done():
        task.cancel()
        await asyncio.wait((task,), timeout=within_s)
