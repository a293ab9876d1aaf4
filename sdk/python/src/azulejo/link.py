"""Calls of a bot, made again until they are answered."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
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

ATTEMPTS = 20
"""To submit a decision; the clock runs, so they are quick."""


def backoff(attempt: int, error: RefusedError | None = None) -> float:
    """Seconds before the attempt with this number: longer and longer, never the same."""
    asked = error.retry_after.total_seconds() if error and error.retry_after else 0.0
    base = min(0.05 * float(1 << min(attempt, 7)), 5.0)
    return max(asked, base) * random.uniform(0.5, 1.5)


class Link:
    """The bot's connection. The channel reconnects by itself."""

    def __init__(self, channel: grpc.aio.Channel, headers: Headers) -> None:
        self._play = PlayServiceStub(channel)
        self._challenges = ChallengesServiceStub(channel)
        self._headers = headers
        self._back = asyncio.Event()

    def back(self) -> None:
        """The server is there again: what waits to be sent need not wait longer."""
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

    async def beat(self, ping: int, seen: int) -> None:
        """A sign of life. If it is lost, the next one will do."""
        try:
            request = play_pb2.HeartbeatRequest(ping=ping, seen=seen)
            await self._call(self._play.Heartbeat, request)
        except RefusedError as error:
            log.debug("a heartbeat is lost: %s", error)

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
        """Makes a call until it is answered. All of them may be made twice."""
        for attempt in range(ATTEMPTS):
            back = self._back
            try:
                await self._call(method, request)
                return
            except RefusedError as error:
                if not error.is_passing:
                    # Somebody was quicker: the turn or the match is over.
                    late = (grpc.StatusCode.ABORTED, grpc.StatusCode.FAILED_PRECONDITION)
                    if error.code not in late:
                        log.warning("the server refuses an answer (%s): %s", what, error)
                    return
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(back.wait(), backoff(attempt, error))
        log.warning("an answer (%s) was not taken in %d attempts", what, ATTEMPTS)
