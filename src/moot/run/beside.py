"""The one place where a task is made: it lives beside a block and is over, awaited, when the block is."""

import asyncio
import contextlib
from collections.abc import Coroutine
from types import TracebackType


class Beside:
    """`async with Beside(doing()):` runs `doing` beside the block.

    When it fails the block is cancelled, and its failure comes out instead. When the block ends first, `doing` is
    cancelled, or with `finish` awaited.
    """

    def __init__(self, doing: Coroutine[object, object, object], *, finish: bool = False) -> None:
        self._doing = doing
        self._finish = finish
        self._left = self._failed = False

    async def __aenter__(self) -> None:
        block = asyncio.current_task()
        assert block is not None
        self._block = block
        self._task = asyncio.get_running_loop().create_task(self._doing)
        self._task.add_done_callback(self._ended)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = True
        if error is None and self._finish and not self._failed:
            await self._task
            return
        if not self._task.done():
            self._task.cancel()
            await asyncio.wait((self._task,))
        if not self._failed:
            return
        if not isinstance(error, asyncio.CancelledError):
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(0)  # our cancel may not have reached the block before it ended
        if self._block.uncancel() > 0:
            raise asyncio.CancelledError from error  # somebody else cancelled it too
        self._task.result()

    def _ended(self, task: asyncio.Task[object]) -> None:
        failed = not task.cancelled() and task.exception() is not None
        if failed and not self._left:
            self._failed = True
            self._block.cancel()
