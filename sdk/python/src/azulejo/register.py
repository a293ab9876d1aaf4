"""A new bot and its token."""

from __future__ import annotations

import os
import sys

import grpc
import grpc.aio

from .channel import CALL_SECONDS, Address, Headers
from .errors import refusal
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
    owner, name = options.owner_and_name()
    request = bots_pb2.RegisterBotRequest(owner=owner, name=name, invitation=options.invitation)
    owner_token = options.owner_token or os.environ.get("AZULEJO_OWNER_TOKEN", "")
    headers = Headers(owner_token, options.traceparent)
    async with Address(options.server).aio_channel() as channel:
        stub = BotsServiceStub(channel)
        try:
            return await stub.RegisterBot(
                request, timeout=CALL_SECONDS, metadata=headers(), wait_for_ready=True
            )
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None


def register(
    name: str,
    *,
    server: str | None = None,
    invitation: str = "",
    owner_token: str | None = None,
) -> bots_pb2.RegisterBotResponse:
    """Registers a bot, `owner/name`. Its tokens are in the answer, and nowhere else."""
    request = bots_pb2.RegisterBotRequest(invitation=invitation)
    options = Options(name=name)
    request.owner, request.name = options.owner_and_name()
    headers = Headers(owner_token or os.environ.get("AZULEJO_OWNER_TOKEN", ""))
    with Address(server).channel() as channel:
        try:
            return BotsServiceStub(channel).RegisterBot(
                request, timeout=CALL_SECONDS, metadata=headers()
            )
        except grpc.RpcError as error:
            raise refusal(error) from None
