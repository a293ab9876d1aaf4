"""Plays a bot from the first connection to the last match, through all interruptions."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Concatenate, ParamSpec, TypeVar

import grpc
import grpc.aio

from .bot import Bot
from .channel import Address, Headers
from .errors import RefusedError, ReplacedError, refusal
from .gen.arena.v1 import play_pb2
from .link import Link, Stream, backoff
from .options import Options
from .player import Player
from .register import token_for

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger("azulejo")

SILENCE = 15.0
"""Seconds without an event after which the stream is considered dead."""
FAREWELL = 5.0
"""Seconds to complete open calls when the bot is stopped."""


class Session:
    """Opens streams, one after another, and passes their events to the player."""

    def __init__(self, link: Link, player: Player) -> None:
        self.link = link
        self.player = player
        self._stream: Stream | None = None
        self._offered = 0

    def _open(self) -> Stream:
        self._offered = self.player.offer()
        return self.link.stream(self.player.options.hello(self._offered))

    async def run(self) -> None:
        """Runs until it is cancelled, replaced, or finally refused."""
        attempt = 0
        stream = self._open()
        while True:
            self._stream = stream
            try:
                follower = await self._listen(stream)
                attempt = 0
                if follower is not None:
                    stream = follower
                    continue
                await asyncio.sleep(backoff(attempt))
            except RefusedError as error:
                if error.reason == "REPLACED":
                    raise ReplacedError from None
                if not error.is_passing:
                    raise
                attempt += 1
                log.info("no connection (attempt %d): %s", attempt, error)
                await asyncio.sleep(backoff(attempt, error))
            finally:
                self._stream.cancel()
            stream = self._open()

    async def _listen(self, stream: Stream) -> Stream | None:
        """Reads the stream to its end. Returns the next stream if that is already open.

        Raises the error of the stream if it had no events.
        """
        heard, follower = False, None
        while True:
            try:
                response = await asyncio.wait_for(stream.read(), SILENCE)
            except asyncio.TimeoutError:
                log.info("no events for %d seconds; reconnecting", SILENCE)
                return follower
            except grpc.aio.AioRpcError as failure:
                error = refusal(failure)
                if follower is None and (not heard or error.reason == "REPLACED"):
                    raise error from None
                log.info("the stream ended; reconnecting: %s", error)
                return follower
            if not isinstance(response, play_pb2.PlayResponse):
                return follower
            heard = True
            try:
                self.player.take(response.event)
            except ReplacedError:
                # Replaced by our own next stream, after all events of this one.
                if follower is None:
                    raise
                return follower
            if follower is None and (self.player.offer() == 0) != (self._offered == 0):
                follower = self._open()


@contextlib.contextmanager
def _signals(stop: asyncio.Event) -> Iterator[None]:
    """SIGINT and SIGTERM stop the bot. Signal handlers require the main thread."""
    loop = asyncio.get_running_loop()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    try:
        yield
    finally:
        for number in numbers:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(number)


async def _play(bot: Bot, options: Options, signals: bool = False) -> None:
    stop = asyncio.Event()
    token = await token_for(options)
    async with Address(options.server).aio_channel() as channel:
        link = Link(channel, Headers(token, options.traceparent))
        player = Player(bot, options, link)
        with _signals(stop) if signals else contextlib.nullcontext():
            session = asyncio.create_task(Session(link, player).run())
            waits = [asyncio.create_task(event.wait()) for event in (stop, player.done)]
            try:
                await asyncio.wait([session, *waits], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in waits:
                    task.cancel()
                await _end(session)
                await player.close(FAREWELL)
    if player.failure is not None:
        raise player.failure
    if not session.cancelled():
        session.result()


async def _end(task: asyncio.Task[None]) -> None:
    """Cancels a task until it is done: before Python 3.12 `wait_for` can lose a cancellation."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.1)


def _run(bot: Bot, options: Options) -> None:
    """Plays until SIGINT or SIGTERM, until the last of `matches`, or until it is finally refused.

    Raises `ReplacedError` if another process uses the token. If an event loop is already running,
    as in a notebook, use `await run_async(…)`.
    """
    asyncio.run(_play(bot, options, signals=True))


async def _run_async(bot: Bot, options: Options) -> None:
    """The same as `run` within an event loop; cancel its task to stop it."""
    await _play(bot, options)


def _with_settings(
    play: Callable[[Bot, Options], T], options: Callable[P, Options]
) -> Callable[Concatenate[Bot, P], T]:
    """Accepts the fields of Options as arguments, so that they are declared only once."""

    def call(bot: Bot, /, *args: P.args, **settings: P.kwargs) -> T:
        return play(bot, options(*args, **settings))

    call.__doc__ = play.__doc__
    call.__name__ = call.__qualname__ = play.__name__.lstrip("_")
    first = inspect.Parameter("bot", inspect.Parameter.POSITIONAL_ONLY, annotation=Bot)
    rest = inspect.signature(options).parameters.values()
    call.__signature__ = inspect.Signature([first, *rest])  # type: ignore[attr-defined]
    return call


run = _with_settings(_run, Options)
run_async = _with_settings(_run_async, Options)
