"""What passes between a bot and its server, seen from between them."""

from __future__ import annotations

import asyncio
import threading

import pytest
from bots import Noting
from proxy import proxy
from support import PATIENCE, Server

import azulejo
from azulejo import arena

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
            bot = Slow(between.alive)
            await azulejo.run_async(
                bot, name="slow", server=url, challenge="random", time_classes=["rapid"], matches=1
            )
        assert all(beat.ping > 0 and beat.seen > 0 for beat in between.heartbeats)
        assert bot.reasons() == [arena.END_REASON_FINISHED]

    asyncio.run(asyncio.wait_for(play(), PATIENCE))


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
    assert "the deals of this match were not fair" in caplog.text


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
