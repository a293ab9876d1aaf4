"""What can go wrong. A refusal of the server has a `reason` that never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

import grpc
from google.rpc import error_details_pb2, status_pb2

_DETAILS = "grpc-status-details-bin"


class AzulejoError(Exception):
    """Everything that this package raises by itself."""


class ReplacedError(AzulejoError):
    """Another process uses the token. Final: coming back would only throw that one out."""

    def __init__(self) -> None:
        super().__init__(
            "another process uses this token; end one of the two, or register another bot"
        )


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that is wrong, by its path."""

    field: str
    description: str
    reason: str


class RefusedError(AzulejoError):
    """The server refuses a call, or cannot be reached.

    `reason` is one of the words listed in proto/README.md; it is empty if the error comes from the
    connection and not from the server.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        violations: tuple[FieldViolation, ...] = (),
        retry_after: timedelta | None = None,
    ) -> None:
        super().__init__(f"{message} ({reason or code.name})")
        self.code = code
        self.message = message
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.violations = violations
        self.retry_after = retry_after

    @property
    def is_passing(self) -> bool:
        """Whether the same call may succeed a little later.

        The transport raises CANCELLED, UNKNOWN and INTERNAL by itself, without a reason, when a
        server goes away in the middle of a call.
        """
        busy = (
            grpc.StatusCode.UNAVAILABLE,
            grpc.StatusCode.DEADLINE_EXCEEDED,
            grpc.StatusCode.RESOURCE_EXHAUSTED,
        )
        torn = (grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL)
        return self.code in busy or (self.code in torn and not self.reason)


class IllegalMoveError(RefusedError):
    """The rules forbid the move."""

    @property
    def rule(self) -> str:
        """Which rule, for example LINE_COMPLETE."""
        return self.metadata.get("rule", "")


class BadRequestError(RefusedError):
    """Something in the request is wrong; `violations` name the fields."""


class TokenError(RefusedError):
    """The token is missing, unknown, revoked, or of the wrong kind."""


class NotFoundError(RefusedError):
    """There is no such bot, match or token."""


class OverloadedError(RefusedError):
    """There is more to do than can be done, or a limit is reached; see `retry_after`."""


class UnavailableError(RefusedError):
    """The server cannot be reached, or stops; try again later."""


def _kind(code: grpc.StatusCode, reason: str) -> type[RefusedError]:
    if reason == "ILLEGAL_MOVE":
        return IllegalMoveError
    if reason == "OTHER_TOKEN":
        return TokenError
    kinds: dict[grpc.StatusCode, type[RefusedError]] = {
        grpc.StatusCode.INVALID_ARGUMENT: BadRequestError,
        grpc.StatusCode.UNAUTHENTICATED: TokenError,
        grpc.StatusCode.NOT_FOUND: NotFoundError,
        grpc.StatusCode.RESOURCE_EXHAUSTED: OverloadedError,
        grpc.StatusCode.UNAVAILABLE: UnavailableError,
    }
    return kinds.get(code, RefusedError)


def refusal(error: grpc.RpcError) -> RefusedError:
    """What a failed call means."""
    code, message = error.code(), error.details() or "the call failed"
    info = error_details_pb2.ErrorInfo()
    retry = error_details_pb2.RetryInfo()
    bad = error_details_pb2.BadRequest()
    trailers = dict(cast("Iterable[tuple[str, bytes]]", error.trailing_metadata() or ()))
    status = status_pb2.Status.FromString(trailers.get(_DETAILS, b""))
    for detail in status.details:
        for known in (info, retry, bad):
            detail.Unpack(known)
    delay = retry.retry_delay.ToTimedelta() if retry.HasField("retry_delay") else None
    return _kind(code, info.reason)(
        code,
        message,
        reason=info.reason,
        metadata=info.metadata,
        violations=tuple(
            FieldViolation(wrong.field, wrong.description, wrong.reason)
            for wrong in bad.field_violations
        ),
        retry_after=delay,
    )
