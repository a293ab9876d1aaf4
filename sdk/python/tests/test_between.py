"""What passes between a bot and its server, seen from between them."""

from __future__ import annotations

import asyncio
import threading
import uuid

import pytest
from bots import Noting
from proxy import proxy
from support import PATIENCE, Server

import azulejo
from azulejo import arena
from azulejo.channel import Address, Headers
from azulejo.link import Link

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_bot_that_thinks_long_goes_on_answering_pings(server: Server) -> None:
    class Slow(Noting):
        """Thinks about every turn until a ping was answered."""

        def __init__(self, answered: threading.Event) -> None:
            super().__init__()
            self.answered = answered

        def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
            assert self.answered.wait(PATIENCE)
            return super().choose(turn)

    async def play() -> None:
        async with proxy(server.url) as (between, url):
            bot = Slow(between.pinged)
            await azulejo.run_async(
                bot, name="slow", server=url, challenge="random", time_classes=["rapid"], matches=1
            )
        assert any(beat.ping > 0 for beat in between.heartbeats)
        assert bot.end_reasons() == [arena.END_REASON_FINISHED]

    asyncio.run(asyncio.wait_for(play(), PATIENCE))


def test_an_end_is_acknowledged_without_a_ping(server: Server) -> None:
    def drop_pings(event: arena.PlayEvent) -> None:
        if event.HasField("ping"):
            event.ClearField("ping")

    async def play() -> None:
        token = server.register("unpinged")
        async with proxy(server.url, drop_pings) as (between, url):
            await azulejo.run_async(bot, token=token, server=url, challenge="random", matches=1)
        assert [beat.ping for beat in between.heartbeats] == [0]
        assert list(between.heartbeats[0].ended_match_ids) == [bot.ended[0].match.id]
        async with Address(server.url).aio_channel() as channel:
            hello = azulejo.Options(plays_ladder=False).hello(1)
            first = await Link(channel, Headers(token)).stream(hello).read()
        assert isinstance(first, arena.PlayResponse)
        assert first.event.HasField("snapshot")
        assert not first.event.snapshot.ended

    bot = Noting()
    asyncio.run(asyncio.wait_for(play(), PATIENCE))


def test_an_end_whose_acknowledgement_is_lost_is_acknowledged_again(server: Server) -> None:
    async def play() -> list[list[str]]:
        async with proxy(server.url, lose=["Heartbeat"]) as (between, url):
            await azulejo.run_async(bot, name="deaf", server=url, challenge="random", matches=1)
        return [list(beat.ended_match_ids) for beat in between.heartbeats if not beat.ping]

    bot = Noting()
    acknowledged = asyncio.run(asyncio.wait_for(play(), PATIENCE))
    # The first heartbeat may have been the answer to a ping.
    assert acknowledged in ([[bot.ended[0].match.id]], [[bot.ended[0].match.id]] * 2)


def test_a_challenge_whose_response_is_lost_is_repeated_with_the_same_id(server: Server) -> None:
    async def play() -> list[arena.CreateChallengeRequest]:
        async with proxy(server.url, lose=["CreateChallenge"]) as (between, url):
            await azulejo.run_async(
                Noting(),
                token=token,
                server=url,
                challenge="random",
                matches=2,
                max_concurrent_matches=2,
            )
        requests = between.requests["CreateChallenge"]
        return [arena.CreateChallengeRequest.FromString(one) for one in requests]

    token = server.register("repeated")
    lost, again, *others = asyncio.run(asyncio.wait_for(play(), PATIENCE))
    assert lost == again
    assert uuid.UUID(lost.request_id).version == 4
    assert lost.request_id not in {other.request_id for other in others}
    assert len(server.matches("repeated-owner/repeated")) == 2


def test_an_arena_that_shows_another_secret_is_found_out(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    def lie(event: arena.PlayEvent) -> None:
        if event.HasField("match_ended"):
            event.match_ended.reveal.secret = bytes(32)

    async def play() -> None:
        async with proxy(server.url, lie) as (_, url):
            await azulejo.run_async(bot, name="cheated", server=url, challenge="random", matches=1)

    bot = Noting()
    asyncio.run(asyncio.wait_for(play(), PATIENCE))
    assert bot.fair == [False]
    assert [error.element for error in bot.unfairness] == ["commitment"]
    assert bot.unfairness[0].match_id == bot.ended[0].match.id
    assert "the fair-play check failed" in caplog.text


def test_token_and_trace_go_with_every_call(server: Server) -> None:
    async def play() -> dict[str, dict[str, str]]:
        async with proxy(server.url) as (between, url):
            await azulejo.run_async(
                Noting(),
                token=token,
                server=url,
                challenge="random",
                matches=1,
                traceparent=lambda: TRACE,
            )
            async with azulejo.AsyncEngine(url, traceparent=TRACE) as engine:
                await engine.list_rulesets()
            return between.headers

    token = server.register("traced")
    headers = asyncio.run(asyncio.wait_for(play(), PATIENCE))
    assert {"Play", "Ready", "SubmitMove", "CreateChallenge", "ListRulesets"} <= headers.keys()
    assert {call["traceparent"] for call in headers.values()} == {TRACE}
    engine = headers.pop("ListRulesets")
    assert "authorization" not in engine
    assert {call["authorization"] for call in headers.values()} == {f"Bearer {token}"}
