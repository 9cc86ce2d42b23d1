"""Lets code in a worker thread call functions of the event loop, which serves them one after another."""

import asyncio
import json
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import NamedTuple

from pydantic import JsonValue

from moot.values.errors import ToolFailed
from moot.values.ports import Functions, Ran


class _Asked(NamedTuple):
    name: str
    args: list[JsonValue]
    kwargs: dict[str, JsonValue]
    answer: Future[JsonValue]


class Callbacks:
    """The functions of one cell. `serve` runs where the cell was begun, so that what it calls stands in its scope."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self._loop = asyncio.get_running_loop()
        self._asked: asyncio.Queue[_Asked | None] = asyncio.Queue()
        self._waiting: set[Future[JsonValue]] = set()
        self._over = False
        self._lock = threading.Lock()

    def lookup(self, pause: Callable[[], None], go_on: Callable[[], None]) -> dict[str, Callable[..., object]]:
        """The functions as the code calls them, from its thread. The cell's clock is paused while they are at work."""

        def function(name: str) -> Callable[..., object]:
            def call(*args: object, **kwargs: object) -> object:
                pause()
                try:
                    return self._called(name, args, kwargs)
                finally:
                    go_on()

            return call

        return {name: function(name) for name in self._functions.names}

    async def serve(self, cell: "asyncio.Future[Ran]") -> Ran:
        """Answers until the cell has ended; what a function raises that is no ToolFailed is raised here."""
        cell.add_done_callback(lambda _: self._asked.put_nowait(None))
        try:
            while (asked := await self._asked.get()) is not None:
                try:
                    came = await self._functions.call(asked.name, asked.args, asked.kwargs)
                except ToolFailed as failed:
                    asked.answer.set_exception(RuntimeError(failed.message))
                else:
                    asked.answer.set_result(came)
                with self._lock:
                    self._waiting.discard(asked.answer)
            return await cell
        finally:
            with self._lock:  # no thread may wait for an answer that nobody gives any more
                self._over = True
                for waiting in self._waiting:
                    waiting.cancel()

    def _called(self, name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> object:
        try:
            plain_args, plain_kwargs = json.loads(json.dumps([args, kwargs]))
        except (TypeError, ValueError) as wrong:
            raise RuntimeError(f"The arguments of {name} must be what JSON can hold: {wrong}") from wrong
        answer: Future[JsonValue] = Future()
        with self._lock:
            if self._over:
                raise RuntimeError(f"{name} cannot be called any more.")
            self._waiting.add(answer)
        self._loop.call_soon_threadsafe(self._asked.put_nowait, _Asked(name, plain_args, plain_kwargs, answer))
        return answer.result()
