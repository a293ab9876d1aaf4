"""Calls the user's code in order and off the event loop; it may fail or never return."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")
log = logging.getLogger("azulejo")


async def call(function: Callable[..., Awaitable[T] | T], *arguments: Any) -> T:
    """Awaits a coroutine function; runs any other function in its own thread.

    The thread is a daemon: a bot that thinks forever does not keep the process alive.
    """
    if inspect.iscoroutinefunction(function):
        answer: Awaitable[T] | T = await function(*arguments)
    else:
        answer = await _in_thread(function, *arguments)
    if inspect.isawaitable(answer):
        answer = await answer
    return answer


async def _in_thread(function: Callable[..., T], *arguments: Any) -> T:
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def deliver(result: T | None, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)  # type: ignore[arg-type]
        else:
            done.set_exception(error)

    def work() -> None:
        result: T | None = None
        failure: Exception | None = None
        try:
            result = function(*arguments)
        except StopIteration as error:
            # A future cannot carry this one.
            failure = RuntimeError(f"StopIteration: {error}")
        except Exception as error:
            failure = error
        except BaseException as error:
            # sys.exit() in a bot is a failure like any other.
            failure = RuntimeError(repr(error))
        # The loop is closed if the bot was stopped in the meantime.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(deliver, result, failure)

    threading.Thread(target=work, daemon=True, name="azulejo-bot").start()
    return await done


class Hooks:
    """Calls hooks one after another, in the order of the events."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[tuple[Callable[..., Any], tuple[Any, ...]]] = asyncio.Queue()
        self._task = asyncio.create_task(self._work())

    def add(self, hook: Callable[..., Any], *arguments: Any) -> None:
        self._queue.put_nowait((hook, arguments))

    async def _work(self) -> None:
        while True:
            hook, arguments = await self._queue.get()
            try:
                await call(hook, *arguments)
            except Exception:
                log.exception("the bot's %s failed", getattr(hook, "__name__", "hook"))
            finally:
                self._queue.task_done()

    async def close(self, seconds: float) -> None:
        """Waits until all hooks were called, at most this long."""
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._queue.join(), seconds)
        self._task.cancel()
