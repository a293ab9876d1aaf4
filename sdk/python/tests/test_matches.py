"""Matches against a real server."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from datetime import timedelta

import pytest
from bots import Noting
from support import PATIENCE, Server, free_port, together

import azulejo
from azulejo import arena
from azulejo.channel import Address, Headers
from azulejo.gen.arena.v1.admin_pb2_grpc import AdminServiceStub
from azulejo.gen.arena.v1.bots_pb2_grpc import BotsServiceStub


@pytest.mark.parametrize("rules", ["azul-colored-2", "azul-gray-2", "summer-pavilion-colored-2"])
def test_two_bots_play_a_rated_match_to_its_end(server: Server, rules: str) -> None:
    one, two = Noting(), Noting()
    together(
        azulejo.run_async(one, name="one", server=server.url, rulesets=[rules], matches=1),
        azulejo.run_async(two, name="two", server=server.url, rulesets=[rules], matches=1),
    )
    for bot in (one, two):
        assert [ended.match.rated for ended in bot.ended] == [True]
        assert bot.end_reasons() == [arena.END_REASON_FINISHED]
        assert bot.fair == [True]
        assert [len(bot.starting), len(bot.started)] == [1, 1]
        assert [made.turn for made in bot.moves] == list(range(bot.ended[0].match.turns))
    assert one.ended[0].match.id == two.ended[0].match.id
    assert one.ended[0].match.pool.name == f"{rules}-blitz"


def test_the_receipt_of_a_move_is_repeated_with_the_next_turn(server: Server) -> None:
    bot = Noting()
    together(azulejo.run_async(bot, name="r", server=server.url, challenge="random", matches=1))
    receipts = [made.receipt for made in bot.moves if not made.by_house]
    assert [turn.previous_receipt for turn in bot.turns] == [None, *receipts[:-1]]
    for receipt in receipts:
        charged = receipt.elapsed_time.ToTimedelta() - receipt.credited_time.ToTimedelta()
        assert receipt.charged_time.ToTimedelta() == max(charged, timedelta())
        assert receipt.time_left.ToTimedelta() > timedelta(seconds=5)


def test_turns_and_steps_are_counted_in_one_way(server: Server) -> None:
    bot = Noting()
    together(azulejo.run_async(bot, name="s", server=server.url, challenge="random", matches=1))
    steps = {made.turn: made.step for made in bot.moves}
    assert all(steps[turn.number] == turn.message.step for turn in bot.turns)
    assert list(steps.values()) == sorted(set(steps.values()))
    assert steps[len(steps) - 1] == bot.ended[0].match.steps


def test_a_table_of_four_is_played_by_coroutines(server: Server) -> None:
    class Quick(Noting):
        async def choose(self, turn: azulejo.Turn) -> azulejo.Choice:  # type: ignore[override]
            await asyncio.sleep(0)
            return random.choice(turn.legal_moves).move

    bot = Quick()
    together(
        azulejo.run_async(
            bot,
            name="quick",
            server=server.url,
            rulesets=["summer-pavilion-gray-4"],
            challenge="random",
            matches=1,
        )
    )
    assert bot.end_reasons() == [arena.END_REASON_FINISHED]
    assert bot.fair == [True]
    assert not bot.ended[0].match.rated
    assert [seat.house for seat in bot.ended[0].match.seats] == [False, True, True, True]


def test_several_matches_go_on_at_once_while_one_is_thought_about(server: Server) -> None:
    class Stuck(Noting):
        """Thinks about its first turn until another match has ended."""

        def __init__(self) -> None:
            super().__init__()
            self.another_ended = threading.Event()
            self.lock = threading.Lock()
            self.stuck: str | None = None
            self.came_free = False

        def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
            with self.lock:
                first, self.stuck = self.stuck is None, self.stuck or turn.match_id
            if first:
                self.came_free = self.another_ended.wait(60)
            return turn.legal_moves[0].notation

        def match_ended(self, ended: azulejo.MatchEnded, fair: bool | None) -> None:
            super().match_ended(ended, fair)
            self.another_ended.set()

    bot = Stuck()
    together(
        azulejo.run_async(
            bot,
            name="stuck",
            server=server.url,
            challenge="random",
            time_classes=["rapid"],
            max_concurrent_matches=3,
            matches=3,
        )
    )
    assert bot.came_free
    assert bot.end_reasons() == [arena.END_REASON_FINISHED] * 3
    assert bot.ended[0].match.id != bot.stuck
    assert bot.fair == [True] * 3


def test_a_bot_whose_choose_fails_sends_nothing_and_loses_on_time(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Noting):
        def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
            raise KeyError("no idea")

    bot = Failing()
    together(
        azulejo.run_async(
            bot,
            name="failing",
            server=server.url,
            challenge="random",
            time_classes=["bullet"],
            matches=1,
        )
    )
    assert bot.end_reasons() == [arena.END_REASON_OUT_OF_TIME]
    match_id = bot.ended[0].match.id
    assert f"choose failed in match {match_id}, turn 0" in caplog.text
    assert "no idea" in caplog.text


@pytest.mark.parametrize(
    ("wrong", "reason"), [("nonsense", "BAD_NOTATION"), (9999, "NO_SUCH_ACTION")]
)
def test_an_illegal_answer_is_refused_logged_and_asked_for_again_twice(
    server: Server, caplog: pytest.LogCaptureFixture, wrong: azulejo.Choice, reason: str
) -> None:
    class Wrong(Noting):
        def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
            return wrong

    bot = Wrong()
    together(
        azulejo.run_async(
            bot,
            name="wrong",
            server=server.url,
            challenge="random",
            time_classes=["bullet"],
            matches=1,
        )
    )
    assert bot.end_reasons() == [arena.END_REASON_ILLEGAL_MOVES]
    assert reason in caplog.text


def test_a_hook_that_fails_or_is_slow_harms_no_match(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    class Clumsy(Noting):
        def match_started(self, started: azulejo.MatchStarted) -> None:
            time.sleep(0.2)
            raise ValueError("clumsy")

    bot = Clumsy()
    together(
        azulejo.run_async(bot, name="clumsy", server=server.url, challenge="random", matches=1)
    )
    assert bot.end_reasons() == [arena.END_REASON_FINISHED]
    assert "the bot's match_started failed" in caplog.text


def test_an_unknown_token_ends_the_run(server: Server) -> None:
    with pytest.raises(azulejo.TokenError) as refused:
        together(azulejo.run_async(Noting(), token="azb_aaaaaaaa_bbbb", server=server.url))
    assert refused.value.reason == "UNKNOWN_TOKEN"


def test_an_unknown_house_bot_ends_the_run(server: Server) -> None:
    with pytest.raises(azulejo.RefusedError) as refused:
        together(azulejo.run_async(Noting(), name="x", server=server.url, challenge="unknown"))
    assert refused.value.reason


def test_a_paused_bot_hears_of_it_now_and_when_it_reconnects(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    class Paused(Noting):
        def __init__(self) -> None:
            super().__init__()
            self.pauses = asyncio.Queue[azulejo.Paused]()

        async def paused(self, paused: azulejo.Paused) -> None:
            self.pauses.put_nowait(paused)

    async def play() -> None:
        token = server.register("paused")
        bot = Paused()
        async with Address(server.url).aio_channel() as channel:
            for _ in range(2):
                run = azulejo.run_async(bot, token=token, server=server.url, plays_ladder=False)
                playing = asyncio.ensure_future(run)
                request = arena.PauseBotRequest(bot="paused-owner/paused", note="a test")
                headers = Headers(server.organiser())()
                await AdminServiceStub(channel).PauseBot(request, metadata=headers)
                paused = await bot.pauses.get()
                assert paused.note == "a test"
                assert paused.pause_reason == arena.PAUSE_REASON_ORGANISER
                assert paused.match_id == ""
                asked = arena.GetBotRequest(bot="paused-owner/paused")
                health = (await BotsServiceStub(channel).GetBot(asked)).bot.health
                assert health.paused
                assert health.pause_reason == paused.pause_reason
                assert health.pause_note == paused.note
                playing.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await playing

    asyncio.run(asyncio.wait_for(play(), PATIENCE))
    assert "the bot was paused: a test; its owner can resume it" in caplog.text


def test_without_a_server_the_error_says_what_to_do() -> None:
    with pytest.raises(azulejo.UnavailableError, match="start one with `azulejo serve`"):
        together(azulejo.run_async(Noting(), server=f"http://127.0.0.1:{free_port()}"))
