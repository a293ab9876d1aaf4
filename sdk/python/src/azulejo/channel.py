"""The connection to the server: its address, the channel options, and the headers of calls."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from urllib.parse import urlsplit

import grpc
import grpc.aio

from .errors import AzulejoError

DEFAULT_SERVER = "http://127.0.0.1:7700"
CALL_SECONDS = 10.0
"""The server ends every call after ten seconds, even if the caller allows more."""

TraceParent = str | Callable[[], str | None] | None
"""A W3C `traceparent`, or a function that returns the current one."""

# The engine is stateless, so every call can be retried.
_SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{"service": "azulejo.engine.v1.EngineService"}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.1s",
                "maxBackoff": "2s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}

_OPTIONS: list[tuple[str, str | int]] = [
    ("grpc.service_config", json.dumps(_SERVICE_CONFIG)),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # The default backoff reaches two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # Without it, the channels of a process share connections and their failures.
    ("grpc.use_local_subchannel_pool", 1),
]


class Address:
    """The address of a server: `http://host:port` or `https://host:port`."""

    def __init__(self, server: str | None = None) -> None:
        self.url = server or os.environ.get("AZULEJO_SERVER") or DEFAULT_SERVER
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise AzulejoError(f"not http://host:port or https://host:port: {self.url!r}")
        self.secure = parts.scheme == "https"
        host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
        # The resolver returns all addresses of the name, and calls go to each in turn: with a
        # headless service of Kubernetes, to every replica.
        self.target = f"dns:///{host}:{parts.port or (443 if self.secure else 80)}"
        local = parts.hostname in ("127.0.0.1", "localhost", "::1")
        self.options = [*_OPTIONS, ("grpc.enable_http_proxy", 0)] if local else _OPTIONS

    def channel(self) -> grpc.Channel:
        if self.secure:
            return grpc.secure_channel(self.target, grpc.ssl_channel_credentials(), self.options)
        return grpc.insecure_channel(self.target, self.options)

    def aio_channel(self) -> grpc.aio.Channel:
        if self.secure:
            credentials = grpc.ssl_channel_credentials()
            return grpc.aio.secure_channel(self.target, credentials, self.options)
        return grpc.aio.insecure_channel(self.target, self.options)


class Headers:
    """The headers of every call: token and trace context."""

    def __init__(self, token: str = "", traceparent: TraceParent = None) -> None:
        if not token.isascii() or any(not letter.isprintable() for letter in token):
            raise AzulejoError("the token contains invalid characters")
        self._token = token
        self._traceparent = traceparent

    def __call__(self) -> tuple[tuple[str, str], ...]:
        trace = self._traceparent() if callable(self._traceparent) else self._traceparent
        headers = []
        if self._token:
            headers.append(("authorization", f"Bearer {self._token}"))
        if trace:
            headers.append(("traceparent", trace))
        return tuple(headers)
