"""What the SDK does without a server: requests, options, errors, acknowledgements."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import timedelta
from typing import Any, cast

import grpc
import pytest
from bots import Noting
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

import azulejo
from azulejo import arena, game
from azulejo.bot import answer
from azulejo.errors import refusal_of_status
from azulejo.link import Link
from azulejo.player import Player


def test_options_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="max_concurrent_matches"):
        azulejo.Options(max_concurrent_matches=9)
    with pytest.raises(ValueError, match="matches"):
        azulejo.Options(matches=0)
    assert "azb_" not in repr(azulejo.Options(token="azb_secret"))


def test_a_bot_plays_on_the_ladder_unless_it_says_otherwise_or_challenges() -> None:
    def offer(**settings: Any) -> arena.Offer:
        return azulejo.Options(**settings).hello(3).offer

    assert offer().plays_ladder
    assert offer().accepts_challenges
    assert offer().max_concurrent_matches == 3
    for other in (offer(plays_ladder=False), offer(challenge="random")):
        # Absent would mean true.
        assert other.HasField("plays_ladder")
        assert not other.plays_ladder
    assert not offer(challenge="random").accepts_challenges


@pytest.mark.parametrize("choice", ["3B2", 0, game.LegalMove(), game.Move()])
def test_turn_0_is_set_in_the_answer(choice: azulejo.Choice) -> None:
    request = answer(azulejo.Turn(arena.Turn(match_id="m", turn=0)), choice)
    assert request.HasField("turn")
    assert request.turn == 0
    assert request.WhichOneof("action") is not None


def test_a_turn_has_the_time_left_and_the_previous_receipt() -> None:
    first = arena.Turn(time_left=Duration(seconds=9, nanos=500_000_000))
    assert azulejo.Turn(first).time_left == 9.5
    assert azulejo.Turn(first).previous_receipt is None
    second = arena.Turn(previous_receipt=arena.Receipt(charged_time=Duration(seconds=1)))
    receipt = azulejo.Turn(second).previous_receipt
    assert receipt is not None
    assert receipt.charged_time.ToTimedelta() == timedelta(seconds=1)


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, "ILLEGAL_MOVE", azulejo.IllegalMoveError),
        (grpc.StatusCode.INVALID_ARGUMENT, "TILES_NOT_CONSERVED", azulejo.BadRequestError),
        (grpc.StatusCode.PERMISSION_DENIED, "OTHER_TOKEN", azulejo.TokenError),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", azulejo.OverloadedError),
        (grpc.StatusCode.FAILED_PRECONDITION, "NO_DEAL_DUE", azulejo.RefusedError),
    ],
)
def test_a_status_is_an_error_of_its_reason(
    code: grpc.StatusCode, reason: str, kind: type[azulejo.RefusedError]
) -> None:
    status = status_pb2.Status(code=code.value[0], message="why")
    info = error_details_pb2.ErrorInfo(
        reason=reason, domain="azulejo", metadata={"rule": "COLOR_ABSENT"}
    )
    wrong = error_details_pb2.BadRequest.FieldViolation(field="move", description="what")
    retry = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=2))
    for detail in (info, error_details_pb2.BadRequest(field_violations=[wrong]), retry):
        status.details.add().Pack(detail)
    error = refusal_of_status(status)
    assert type(error) is kind
    assert (error.code, error.message, error.reason) == (code, "why", reason)
    assert error.metadata == {"rule": "COLOR_ABSENT"}
    assert error.violations == (azulejo.FieldViolation("move", "what"),)
    assert error.retry_after == timedelta(seconds=2)


class Acknowledging:
    """A link that only records what is acknowledged."""

    def __init__(self) -> None:
        self.acknowledged: list[list[str]] = []

    def back(self) -> None:
        pass

    def acknowledge(self, ended_match_ids: Sequence[str]) -> Coroutine[Any, Any, None]:
        self.acknowledged.append(list(ended_match_ids))
        return asyncio.sleep(0)


def test_every_end_is_acknowledged_and_handled_once() -> None:
    def ended(match_id: str) -> arena.MatchEnded:
        match = arena.Match(id=match_id, status=arena.MATCH_STATUS_ENDED)
        return arena.MatchEnded(match=match)

    async def hear() -> None:
        player = Player(bot, azulejo.Options(), cast("Link", link))
        player.take(arena.PlayEvent(snapshot=arena.Snapshot(ended=[ended("a"), ended("b")])))
        player.take(arena.PlayEvent(match_ended=ended("c")))
        # The acknowledgement of c was lost.
        player.take(arena.PlayEvent(snapshot=arena.Snapshot(ended=[ended("c")])))
        player.take(arena.PlayEvent(snapshot=arena.Snapshot()))
        await player.close(5)

    link, bot = Acknowledging(), Noting()
    asyncio.run(hear())
    assert link.acknowledged == [["a", "b"], ["c"], ["c"]]
    assert [one.match.id for one in bot.ended] == ["a", "b", "c"]
