"""A new bot and its token."""

from __future__ import annotations

import os
import sys

import grpc
import grpc.aio

from .channel import CALL_SECONDS, Address, Headers
from .errors import RefusedError, UnavailableError, refusal
from .gen.arena.v1 import bots_pb2
from .gen.arena.v1.bots_pb2_grpc import BotsServiceStub
from .options import Options


async def token_for(options: Options) -> str:
    """The token that is given, or that of a new bot, which is shown once and kept nowhere."""
    known = options.known_token()
    if known:
        return known
    registered = await register_async(options)
    lines = [
        f"registered {registered.bot.id}; to go on with this bot next time:",
        f"  export AZULEJO_TOKEN={registered.token}",
    ]
    if registered.owner_token:
        lines.append(f"the owner's token, to manage it: {registered.owner_token}")
    sys.stderr.write("\n".join(lines) + "\n")
    return registered.token


async def register_async(options: Options) -> bots_pb2.RegisterBotResponse:
    """Registers the bot that the options name."""
    address = Address(options.server)
    async with address.aio_channel() as channel:
        try:
            return await BotsServiceStub(channel).RegisterBot(
                _request(options), timeout=CALL_SECONDS, metadata=_headers(options)
            )
        except grpc.aio.AioRpcError as error:
            raise _explained(error, address) from None


def register(
    name: str,
    *,
    server: str | None = None,
    invitation: str = "",
    owner_token: str | None = None,
) -> bots_pb2.RegisterBotResponse:
    """Registers a bot, `owner/name`. Its tokens are in the answer, and nowhere else."""
    options = Options(name=name, invitation=invitation, owner_token=owner_token)
    address = Address(server)
    with address.channel() as channel:
        try:
            return BotsServiceStub(channel).RegisterBot(
                _request(options), timeout=CALL_SECONDS, metadata=_headers(options)
            )
        except grpc.RpcError as error:
            raise _explained(error, address) from None


def _request(options: Options) -> bots_pb2.RegisterBotRequest:
    owner, name = options.owner_and_name()
    return bots_pb2.RegisterBotRequest(owner=owner, name=name, invitation=options.invitation)


def _headers(options: Options) -> tuple[tuple[str, str], ...]:
    token = options.owner_token or os.environ.get("AZULEJO_OWNER_TOKEN", "")
    return Headers(token, options.traceparent)()


def _explained(error: grpc.RpcError, address: Address) -> RefusedError:
    refused = refusal(error)
    if isinstance(refused, UnavailableError) and not refused.reason:
        hint = (
            f"no server answers at {address.url}; start one with `azulejo serve`, or name another"
        )
        return UnavailableError(refused.code, f"{hint}: {refused.message}")
    return refused
