"""The errors of this package. An error of the server has a stable `reason`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

import grpc
from google.protobuf.any_pb2 import Any
from google.rpc import error_details_pb2, status_pb2

_DETAILS = "grpc-status-details-bin"
_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


class AzulejoError(Exception):
    """The base of all errors of this package."""


class PlayError(AzulejoError, ValueError):
    """The engine in the process refused something, which changed nothing.

    `reason` is stable, for example ILLEGAL_MOVE; `rule` names the rule that forbids a move or a
    deal, for example COLOR_ABSENT, and is None for other errors. LOCAL.md lists the reasons.
    """

    def __init__(self, message: str, reason: str = "", rule: str | None = None) -> None:
        super().__init__(message, reason, rule)
        self.message = message
        self.reason = reason
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.message} ({self.rule or self.reason})"


class ReplacedError(AzulejoError):
    """Another process uses the token. Final: reconnecting would only replace that process."""

    def __init__(self) -> None:
        super().__init__(
            "another process uses this token; stop one of the two, or register another bot"
        )


@dataclass(frozen=True)
class FieldViolation:
    """A field of the request that is wrong, by its path."""

    field: str
    description: str


class RefusedError(AzulejoError):
    """The server refused a call, or cannot be reached.

    `reason` is one of those listed in proto/README.md. It is empty if the error comes from the
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
        """Whether the same call may succeed later.

        If the server disappears during a call, the transport itself raises CANCELLED, UNKNOWN or
        INTERNAL, without a reason.
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
        """The rule, for example LINE_COMPLETE."""
        return self.metadata.get("rule", "")


class BadRequestError(RefusedError):
    """The request is invalid; `violations` names the fields."""


class TokenError(RefusedError):
    """The token is missing, unknown, revoked, or of the wrong kind."""


class NotFoundError(RefusedError):
    """The bot, match or token does not exist."""


class OverloadedError(RefusedError):
    """The server is overloaded, or a limit is reached; see `retry_after`."""


class UnavailableError(RefusedError):
    """The server cannot be reached, or is shutting down; try again later."""


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
    """The error of a failed call."""
    trailers = dict(cast("Iterable[tuple[str, bytes]]", error.trailing_metadata() or ()))
    status = status_pb2.Status.FromString(trailers.get(_DETAILS, b""))
    return _refusal(error.code(), error.details() or "the call failed", status.details)


def refusal_of_status(status: status_pb2.Status) -> RefusedError:
    """The error of one request of a batch."""
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    return _refusal(code, status.message, status.details)


def _refusal(code: grpc.StatusCode, message: str, details: Sequence[Any]) -> RefusedError:
    info = error_details_pb2.ErrorInfo()
    retry = error_details_pb2.RetryInfo()
    bad = error_details_pb2.BadRequest()
    for detail in details:
        for known in (info, retry, bad):
            detail.Unpack(known)
    delay = retry.retry_delay.ToTimedelta() if retry.HasField("retry_delay") else None
    return _kind(code, info.reason)(
        code,
        message,
        reason=info.reason,
        metadata=info.metadata,
        violations=tuple(
            FieldViolation(wrong.field, wrong.description) for wrong in bad.field_violations
        ),
        retry_after=delay,
    )
