"""A real server, and bots that wait for things with a bound."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import grpc

import azulejo
from azulejo import arena
from azulejo.channel import Address
from azulejo.gen.arena.v1.matches_pb2_grpc import MatchesServiceStub

T = TypeVar("T")
SDK = pathlib.Path(__file__).parent.parent
ROOT = SDK.parent.parent
PROGRAM = os.environ.get("AZULEJO_BIN", str(ROOT / "target/release/azulejo"))
PATIENCE = 60.0
"""Seconds after which a test gives up waiting."""
RULESETS = [
    f"{kind}-{side}-{players}"
    for kind in ("azul", "summer-pavilion")
    for side in ("colored", "gray")
    for players in (2, 3, 4)
]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Server:
    """An azulejo server on ports of its own, with a store of its own."""

    def __init__(self, folder: pathlib.Path, *arguments: str) -> None:
        self.arguments = arguments
        self.port, self.admin_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._store = folder / "azulejo.db"
        self._log = folder / "server.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        command = [PROGRAM, "serve", "--store", str(self._store)]
        command += ["--listen", f"127.0.0.1:{self.port}"]
        command += ["--admin-listen", f"127.0.0.1:{self.admin_port}", *self.arguments]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        # The admin port is never encrypted.
        with Address(f"http://127.0.0.1:{self.admin_port}").channel() as channel:
            grpc.channel_ready_future(channel).result(timeout=PATIENCE)

    def kill(self) -> None:
        """As a power failure would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(PATIENCE)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(PATIENCE)

    def organiser(self) -> str:
        """The token that the server wrote to a file at its first start."""
        return self._store.with_name("azulejo.db.admin-token").read_text().strip()

    def register(self, name: str) -> str:
        """A bot of a new owner; its token."""
        return azulejo.register(f"{name}-owner/{name}", server=self.url).token

    def matches(self, bot: str) -> list[arena.Match]:
        with Address(self.url).channel() as channel:
            request = arena.ListMatchesRequest(bot=bot, page_size=200)
            answer = MatchesServiceStub(channel).ListMatches(request, timeout=10)
        return list(answer.matches)

    def match(self, match_id: str) -> arena.GetMatchResponse:
        with Address(self.url).channel() as channel:
            request = arena.GetMatchRequest(match_id=match_id)
            return MatchesServiceStub(channel).GetMatch(request, timeout=10)


class BotProcess:
    """A bot in a process of its own; its lines can be waited for."""

    def __init__(self, *command: str, server: str, token: str = "", cwd: Any = None) -> None:
        environment = {**os.environ, "AZULEJO_SERVER": server, "PYTHONUNBUFFERED": "1"}
        environment.pop("AZULEJO_TOKEN", None)
        if token:
            environment["AZULEJO_TOKEN"] = token
        self.lines: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        self.process = subprocess.Popen(
            command, env=environment, cwd=cwd, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def wait_for(self, pattern: str, times: int = 1) -> re.Match[str]:
        """The line that has the pattern for the last of so many times, from here on."""
        end = time.monotonic() + PATIENCE
        while True:
            line = self._queue.get(timeout=max(0.01, end - time.monotonic()))
            assert line is not None, f"the bot ended; it had said: {self.lines}"
            self.lines.append(line)
            found = re.search(pattern, line)
            if found:
                times -= 1
                if times == 0:
                    return found

    def end(self, number: int = signal.SIGTERM) -> int:
        """Sends a signal; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def bot_process(
    *command: str, server: Server, token: str = "", cwd: Any = None
) -> Iterator[BotProcess]:
    bot = BotProcess(*command, server=server.url, token=token, cwd=cwd)
    try:
        yield bot
    finally:
        bot.end(signal.SIGKILL)


def speaking_bot(server: Server, token: str = "", **settings: Any) -> Any:
    """The bot of tests/speaking_bot.py, with these settings."""
    script = str(pathlib.Path(__file__).parent / "speaking_bot.py")
    return bot_process(sys.executable, script, repr(settings), server=server, token=token)


def until(condition: Callable[[], T], what: str) -> T:
    """What the condition gives, once it is true."""
    end = time.monotonic() + PATIENCE
    pause = threading.Event()
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        pause.wait(0.05)
    raise AssertionError(f"not within {PATIENCE:.0f} s: {what}")


def together(*bots: Awaitable[None]) -> None:
    """Plays several bots in one event loop, until all have ended."""

    async def play() -> None:
        await asyncio.wait_for(asyncio.gather(*bots), PATIENCE)

    asyncio.run(play())
