"""The calls of a bot, with retries."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import grpc
import grpc.aio

from .channel import CALL_SECONDS, Headers
from .errors import RefusedError, refusal
from .gen.arena.v1 import challenges_pb2, play_pb2
from .gen.arena.v1.challenges_pb2_grpc import ChallengesServiceStub
from .gen.arena.v1.play_pb2_grpc import PlayServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")
# Generic for type checkers only.
Stream: TypeAlias = "grpc.aio.UnaryStreamCall[play_pb2.PlayRequest, play_pb2.PlayResponse]"
log = logging.getLogger("azulejo")

# The turn or the match is over, or an earlier answer to the turn was accepted. After a reconnect
# that is normal.
_TOO_LATE = (
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.FAILED_PRECONDITION,
)
ATTEMPTS = 20
"""Attempts of a call that must not get lost. The clock runs, so the first retries are quick."""


def backoff(attempt: int, error: RefusedError | None = None) -> float:
    """Seconds before the next attempt: exponential, with jitter, at least what the server asks."""
    asked = error.retry_after.total_seconds() if error and error.retry_after else 0.0
    base = min(0.05 * float(1 << min(attempt, 7)), 5.0)
    return max(asked * random.uniform(1.0, 1.5), base * random.uniform(0.5, 1.5))


class Link:
    """The calls of a bot over one channel, which reconnects by itself."""

    def __init__(self, channel: grpc.aio.Channel, headers: Headers) -> None:
        self._play = PlayServiceStub(channel)
        self._challenges = ChallengesServiceStub(channel)
        self._headers = headers
        self._back = asyncio.Event()

    def back(self) -> None:
        """The server is back: pending retries are made at once."""
        self._back.set()
        self._back = asyncio.Event()

    def stream(self, hello: play_pb2.Hello) -> Stream:
        """Opens a stream of events."""
        return self._play.Play(play_pb2.PlayRequest(hello=hello), metadata=self._headers())

    async def ready(self, match_id: str, nonce: bytes) -> None:
        request = play_pb2.ReadyRequest(match_id=match_id, nonce=nonce)
        await self._insist(self._play.Ready, request, f"match {match_id}")

    async def submit(self, request: play_pb2.SubmitMoveRequest) -> None:
        what = f"match {request.match_id}, turn {request.turn}"
        await self._insist(self._play.SubmitMove, request, what)

    async def pong(self, ping: int) -> None:
        """Answers a ping. Not retried: a late answer would measure a wrong round trip time."""
        try:
            await self._call(self._play.Heartbeat, play_pb2.HeartbeatRequest(ping=ping))
        except RefusedError as error:
            log.debug("the answer to ping %d was lost: %s", ping, error)

    async def acknowledge(self, ended_match_ids: Sequence[str]) -> None:
        """Confirms that the ends of these matches were received, so that they are not repeated."""
        request = play_pb2.HeartbeatRequest(ended_match_ids=ended_match_ids)
        what = f"the end of {', '.join(ended_match_ids)}"
        await self._insist(self._play.Heartbeat, request, what)

    async def challenge(
        self, request: challenges_pb2.CreateChallengeRequest
    ) -> challenges_pb2.CreateChallengeResponse:
        return await self._call(self._challenges.CreateChallenge, request)

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Request, Response], request: Request
    ) -> Response:
        try:
            return await method(request, timeout=CALL_SECONDS, metadata=self._headers())
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None

    async def _insist(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        what: str,
    ) -> None:
        """Repeats a call until it is answered. All these calls may be repeated."""
        for attempt in range(ATTEMPTS):
            back = self._back
            try:
                await self._call(method, request)
                return
            except RefusedError as error:
                if not error.is_passing:
                    if error.code not in _TOO_LATE:
                        log.warning("the server refused a call (%s): %s", what, error)
                    return
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(back.wait(), backoff(attempt, error))
        log.warning("a call (%s) failed %d times", what, ATTEMPTS)
