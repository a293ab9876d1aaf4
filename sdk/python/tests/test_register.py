"""Registration against a real server."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from bots import Noting
from proxy import proxy
from support import PATIENCE, Server, together

import azulejo
from azulejo import arena
from azulejo.channel import Address
from azulejo.gen.arena.v1.bots_pb2_grpc import BotsServiceStub


def works(server: Server, token: str) -> bool:
    """Whether a bot with this token plays a match to its end."""
    bot = Noting()
    together(azulejo.run_async(bot, token=token, server=server.url, challenge="random", matches=1))
    return bot.end_reasons() == [arena.END_REASON_FINISHED]


def test_a_name_that_is_taken_is_refused(server: Server) -> None:
    azulejo.register("same/bot", server=server.url)
    with pytest.raises(azulejo.RefusedError) as refused:
        azulejo.register("same/bot", server=server.url)
    assert refused.value.reason == "OWNER_TAKEN"


def test_an_owner_registers_a_second_bot(server: Server) -> None:
    first = azulejo.register("keeper/one", server=server.url)
    second = azulejo.register("keeper/two", server=server.url, owner_token=first.owner_token)
    assert second.bot.id == "keeper/two"
    assert second.owner_token == ""


def test_a_repeated_registration_returns_the_same_bot_and_a_token_that_works(
    server: Server,
) -> None:
    request = arena.RegisterBotRequest(owner="again", name="bot", request_id=str(uuid.uuid4()))
    with Address(server.url).channel() as channel:
        first, second = (
            BotsServiceStub(channel).RegisterBot(request, timeout=10) for _ in range(2)
        )
    assert first.bot.id == second.bot.id == "again/bot"
    assert works(server, second.token)
    other = azulejo.register("again/other", server=server.url, owner_token=second.owner_token)
    assert other.bot.id == "again/other"


def test_a_registration_whose_response_is_lost_is_repeated_with_the_same_id(
    server: Server,
) -> None:
    async def register() -> tuple[list[arena.RegisterBotRequest], arena.RegisterBotResponse]:
        async with proxy(server.url, lose=["RegisterBot"]) as (between, url):
            registered = await asyncio.to_thread(azulejo.register, "lost/bot", server=url)
            requests = between.requests["RegisterBot"]
        return [arena.RegisterBotRequest.FromString(one) for one in requests], registered

    sent, registered = asyncio.run(asyncio.wait_for(register(), PATIENCE))
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert uuid.UUID(sent[0].request_id).version == 4
    assert registered.bot.id == "lost/bot"
    assert works(server, registered.token)


def test_two_registrations_have_different_ids(server: Server) -> None:
    async def register() -> list[str]:
        async with proxy(server.url) as (between, url):
            for name in ("one/bot", "two/bot"):
                await asyncio.to_thread(azulejo.register, name, server=url)
            requests = between.requests["RegisterBot"]
        return [arena.RegisterBotRequest.FromString(one).request_id for one in requests]

    first, second = asyncio.run(asyncio.wait_for(register(), PATIENCE))
    assert first != second
