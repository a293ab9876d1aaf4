"""Servers and bots that go away in the middle of a match, and come back."""

from __future__ import annotations

import signal
from typing import Any

import pytest
from support import Server, speaking_bot

from azulejo import arena

SLOW: dict[str, Any] = {
    "pause": 0.02,
    "rulesets": ["azul-colored-2"],
    "time_classes": ["rapid"],
    "matches": 1,
}


def finished(server: Server, match_id: str) -> bool:
    """Whether the match was played to its end by everyone."""
    match = server.match(match_id).match
    reasons = [seat.end_reason for seat in match.result.seats]
    return match.rated and reasons == [arena.END_REASON_FINISHED] * 2


@pytest.mark.parametrize("how", ["kill", "stop"])
def test_a_server_that_goes_away_and_comes_back_finds_its_bots_at_play(
    own_server: Server, how: str
) -> None:
    with speaking_bot(own_server, **SLOW) as one, speaking_bot(own_server, **SLOW) as two:
        match_id = one.wait_for(r"^turn (\S+)", times=5)[1]
        own_server.kill() if how == "kill" else own_server.stop()
        own_server.start()
        end = f"^ended {match_id} END_REASON_FINISHED"
        one.wait_for(end)
        two.wait_for(end)
        one.wait_for("^stopped$")
    assert finished(own_server, match_id)


def test_a_bot_that_is_killed_and_started_again_plays_its_match_to_the_end(
    server: Server,
) -> None:
    token = server.register("killed")
    with speaking_bot(server, name="patient", **SLOW) as other:
        with speaking_bot(server, token, **SLOW) as bot:
            match_id = bot.wait_for(r"^turn (\S+)", times=5)[1]
            bot.end(signal.SIGKILL)
        with speaking_bot(server, token, **SLOW) as again:
            assert again.wait_for(r"^turn (\S+)")[1] == match_id
            again.wait_for(f"^ended {match_id} END_REASON_FINISHED None")
            again.wait_for("^stopped$")
        other.wait_for(f"^ended {match_id} END_REASON_FINISHED True")
    assert finished(server, match_id)


def test_a_bot_that_is_replaced_ends_for_good_and_the_other_plays_on(server: Server) -> None:
    token = server.register("twice")
    settings = {**SLOW, "challenge": "random"}
    with speaking_bot(server, token, **settings) as older:
        match_id = older.wait_for(r"^turn (\S+)")[1]
        with speaking_bot(server, token, **settings) as newer:
            older.wait_for("^replaced: another process uses this token")
            assert older.end(0) == 3
            newer.wait_for(f"^ended {match_id} END_REASON_FINISHED")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_a_bot_cleanly_and_its_match_waits_for_it(
    server: Server, number: signal.Signals
) -> None:
    token = server.register(f"stopped-{number.name.lower()}")
    settings = {**SLOW, "challenge": "random"}
    with speaking_bot(server, token, **settings) as bot:
        match_id = bot.wait_for(r"^turn (\S+)", times=3)[1]
        assert bot.end(number) == 0
        bot.wait_for("^stopped$")
    assert server.match(match_id).match.status == arena.MATCH_STATUS_PLAYING
    with speaking_bot(server, token, **settings) as again:
        again.wait_for(f"^ended {match_id} END_REASON_FINISHED")


def test_a_bot_waits_for_a_server_that_is_not_there_yet(own_server: Server) -> None:
    token = own_server.register("early")
    own_server.kill()
    with speaking_bot(own_server, token, challenge="random", matches=1) as bot:
        assert bot.process.poll() is None
        own_server.start()
        bot.wait_for("^ended .* END_REASON_FINISHED True")
        bot.wait_for("^stopped$")


def test_an_end_that_was_acknowledged_is_not_repeated(server: Server) -> None:
    token = server.register("acknowledged")
    with speaking_bot(server, token, challenge="random", matches=1) as bot:
        first = bot.wait_for(r"^ended (\S+)")[1]
        bot.wait_for("^stopped$")
    with speaking_bot(server, token, challenge="random", matches=1) as bot:
        assert bot.wait_for(r"^ended (\S+)")[1] != first
        bot.wait_for("^stopped$")
