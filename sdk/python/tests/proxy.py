"""A server between a bot and the real one: notes what passes, and may change the events."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
import grpc.aio

from azulejo.arena import HeartbeatRequest, PlayEvent, PlayResponse

Change = Callable[[PlayEvent], None]
_PASSED_ON = ("authorization", "traceparent")


class Proxy(grpc.GenericRpcHandler):
    """Hands calls on as they are, but for the events of Play."""

    def __init__(self, server: str, change: Change | None = None) -> None:
        self._channel: Any = grpc.aio.insecure_channel(server.removeprefix("http://"))
        self._change = change
        self.headers: dict[str, dict[str, str]] = {}
        self.heartbeats: list[HeartbeatRequest] = []
        self.alive = threading.Event()

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        method = details.method
        pairs = [(str(key), str(value)) for key, value in details.invocation_metadata]
        self.headers[method.rsplit("/", 1)[1]] = dict(pairs)
        headers = tuple(pair for pair in pairs if pair[0] in _PASSED_ON)

        async def unary(request: bytes, context: Any) -> Any:
            if method.endswith("/Heartbeat"):
                self.heartbeats.append(HeartbeatRequest.FromString(request))
                self.alive.set()
            call = self._channel.unary_unary(method)(request, metadata=headers)
            return await self._answer(call, context)

        async def stream(request: bytes, context: Any) -> AsyncIterator[bytes]:
            call = self._channel.unary_stream(method)(request, metadata=headers)
            async for answer in call:
                response = PlayResponse.FromString(answer)
                if self._change is not None:
                    self._change(response.event)
                yield response.SerializeToString()

        if method.endswith("/Play"):
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(unary)

    @staticmethod
    async def _answer(call: Any, context: Any) -> Any:
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            context.set_trailing_metadata(tuple(error.trailing_metadata() or ()))
            return await context.abort(error.code(), error.details() or "")


@contextlib.asynccontextmanager
async def proxy(server: str, change: Change | None = None) -> AsyncIterator[tuple[Proxy, str]]:
    """The proxy, and where it listens."""
    handler = Proxy(server, change)
    listener = grpc.aio.server()
    listener.add_generic_rpc_handlers((handler,))
    port = listener.add_insecure_port("127.0.0.1:0")
    await listener.start()
    try:
        yield handler, f"http://127.0.0.1:{port}"
    finally:
        await listener.stop(None)
        await handler._channel.close()
