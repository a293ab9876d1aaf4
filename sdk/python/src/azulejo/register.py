"""Registration: a new bot and its token."""

from __future__ import annotations

import asyncio
import os
import sys
import time
import uuid

import grpc
import grpc.aio

from .channel import CALL_SECONDS, Address, Headers
from .errors import OverloadedError, UnavailableError, refusal
from .gen.arena.v1 import bots_pb2
from .gen.arena.v1.bots_pb2_grpc import BotsServiceStub
from .link import backoff
from .options import Options

ATTEMPTS = 4


async def token_for(options: Options) -> str:
    """The token of the options, or that of a new bot, which is printed and not stored."""
    known = options.known_token()
    if known:
        return known
    registered = await register_async(options)
    lines = [
        f"registered {registered.bot.id}; to use this bot again:",
        f"  export AZULEJO_TOKEN={registered.token}",
    ]
    if registered.owner_token:
        lines.append(f"the owner's token, to manage the bot: {registered.owner_token}")
    sys.stderr.write("\n".join(lines) + "\n")
    return registered.token


async def register_async(options: Options) -> bots_pb2.RegisterBotResponse:
    """Registers the bot that the options name."""
    address, request = Address(options.server), _request(options)
    async with address.aio_channel() as channel:
        stub = BotsServiceStub(channel)
        attempt = 0
        while True:
            try:
                return await stub.RegisterBot(
                    request, timeout=CALL_SECONDS, metadata=_headers(options)
                )
            except grpc.aio.AioRpcError as error:
                attempt += 1
                await asyncio.sleep(_retry_delay(attempt, error, address))


def register(
    name: str,
    *,
    server: str | None = None,
    invitation: str = "",
    owner_token: str | None = None,
) -> bots_pb2.RegisterBotResponse:
    """Registers a bot, `owner/name`. Its tokens are only in the response; the server has hashes."""
    options = Options(name=name, server=server, invitation=invitation, owner_token=owner_token)
    address, request = Address(options.server), _request(options)
    with address.channel() as channel:
        stub = BotsServiceStub(channel)
        attempt = 0
        while True:
            try:
                return stub.RegisterBot(request, timeout=CALL_SECONDS, metadata=_headers(options))
            except grpc.RpcError as error:
                attempt += 1
                time.sleep(_retry_delay(attempt, error, address))


def _request(options: Options) -> bots_pb2.RegisterBotRequest:
    """One request for all attempts: by its id a repetition returns the bot of the first."""
    owner, name = options.owner_and_name()
    return bots_pb2.RegisterBotRequest(
        owner=owner, name=name, invitation=options.invitation, request_id=str(uuid.uuid4())
    )


def _retry_delay(attempt: int, error: grpc.RpcError, address: Address) -> float:
    """Seconds before the next attempt. Raises the error if a retry is useless."""
    refused = refusal(error)
    # A quota can take hours to refill.
    final = isinstance(refused, OverloadedError) or not refused.is_passing
    if attempt < ATTEMPTS and not final:
        return backoff(attempt, refused)
    if isinstance(refused, UnavailableError) and not refused.reason:
        hint = f"no server answers at {address.url}; start one with `azulejo serve`, or set server"
        refused = UnavailableError(refused.code, f"{hint}: {refused.message}")
    raise refused from None


def _headers(options: Options) -> tuple[tuple[str, str], ...]:
    token = options.owner_token or os.environ.get("AZULEJO_OWNER_TOKEN", "")
    return Headers(token, options.traceparent)()
