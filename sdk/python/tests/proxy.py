"""A server between a bot and the real one: records requests, and may change or lose answers."""

from __future__ import annotations

import contextlib
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import grpc
import grpc.aio

from azulejo.arena import HeartbeatRequest, PlayEvent, PlayResponse

Change = Callable[[PlayEvent], None]
_FORWARDED = ("authorization", "traceparent")


class Proxy(grpc.GenericRpcHandler):
    """Forwards calls unchanged, except for the events of Play and for lost responses."""

    def __init__(self, server: str, change: Change | None, lose: Sequence[str]) -> None:
        self._channel: Any = grpc.aio.insecure_channel(server.removeprefix("http://"))
        self._change = change
        self._lose = set(lose)
        self.headers: dict[str, dict[str, str]] = {}
        self.requests: dict[str, list[bytes]] = defaultdict(list)
        self.pinged = threading.Event()

    @property
    def heartbeats(self) -> list[HeartbeatRequest]:
        return [HeartbeatRequest.FromString(one) for one in self.requests["Heartbeat"]]

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        method = details.method
        name = method.rsplit("/", 1)[1]
        pairs = [(str(key), str(value)) for key, value in details.invocation_metadata]
        self.headers[name] = dict(pairs)
        headers = tuple(pair for pair in pairs if pair[0] in _FORWARDED)

        async def unary(request: bytes, context: Any) -> Any:
            self.requests[name].append(request)
            if name == "Heartbeat" and HeartbeatRequest.FromString(request).ping:
                self.pinged.set()
            call = self._channel.unary_unary(method)(request, metadata=headers)
            return await self._answer(name, call, context)

        async def stream(request: bytes, context: Any) -> AsyncIterator[bytes]:
            call = self._channel.unary_stream(method)(request, metadata=headers)
            async for answer in call:
                response = PlayResponse.FromString(answer)
                if self._change is not None:
                    self._change(response.event)
                yield response.SerializeToString()

        if name == "Play":
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(unary)

    async def _answer(self, name: str, call: Any, context: Any) -> Any:
        try:
            answer = await call
        except grpc.aio.AioRpcError as error:
            context.set_trailing_metadata(tuple(error.trailing_metadata() or ()))
            return await context.abort(error.code(), error.details() or "")
        if name in self._lose:
            self._lose.remove(name)
            return await context.abort(grpc.StatusCode.UNAVAILABLE, "the response was lost")
        return answer


@contextlib.asynccontextmanager
async def proxy(
    server: str, change: Change | None = None, lose: Sequence[str] = ()
) -> AsyncIterator[tuple[Proxy, str]]:
    """The proxy and its address. It loses the first response of each method in `lose`."""
    handler = Proxy(server, change, lose)
    listener = grpc.aio.server()
    listener.add_generic_rpc_handlers((handler,))
    port = listener.add_insecure_port("127.0.0.1:0")
    await listener.start()
    try:
        yield handler, f"http://127.0.0.1:{port}"
    finally:
        await listener.stop(None)
        await handler._channel.close()
