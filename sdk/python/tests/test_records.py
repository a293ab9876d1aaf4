"""Records of matches, verified in the process."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from bots import Noting
from support import Server, together

import azulejo
from azulejo.gen.arena.v1 import matches_pb2, matches_pb2_grpc


@pytest.fixture(scope="module")
def record(server: Server) -> str:
    """The record of a match."""
    bot = Noting()
    together(
        azulejo.run_async(
            bot,
            name="recorded",
            server=server.url,
            rulesets=["summer-pavilion-colored-2"],
            challenge="random",
            matches=1,
        )
    )
    wanted = bot.ended[0].match.id
    with grpc.insecure_channel(server.url.removeprefix("http://")) as channel:
        stub = matches_pb2_grpc.MatchesServiceStub(channel)
        lines: list[str] = []
        page = ""
        while page or not lines:
            request = matches_pb2.ExportMatchesRequest(page_size=200, page_token=page)
            answer = stub.ExportMatches(request, timeout=10)
            lines += [one for one in answer.records if wanted in one]
            page = answer.next_page_token if answer.records else ""
    assert len(lines) == 1
    return str(lines[0])


def test_the_record_of_a_match_is_verified_without_a_server(record: str) -> None:
    game = azulejo.verify(record)
    result = json.loads(record)["result"]["score"]
    assert game.is_terminal
    assert game.scores() == [seat["total"] for seat in result["seats"]]
    assert azulejo.verify(record.encode()) == game


def change_seed(record: dict[str, Any]) -> None:
    record["seed"] = "0" * 64


def change_score(record: dict[str, Any]) -> None:
    record["result"]["score"]["seats"][0]["total"] += 1


def change_move(record: dict[str, Any]) -> None:
    steps = record["game"].split()
    steps[-1], steps[-2] = steps[-2], steps[-1]
    record["game"] = " ".join(steps)


def change_name(record: dict[str, Any]) -> None:
    record["seats"][0]["name"] += "x"


def change_arena(record: dict[str, Any]) -> None:
    record["arena"]["digest"] = "0" * len(record["arena"]["digest"])


@pytest.mark.parametrize(
    "change", [change_seed, change_score, change_move, change_name, change_arena]
)
def test_a_changed_record_is_false(record: str, change: Callable[[dict[str, Any]], None]) -> None:
    changed = json.loads(record)
    change(changed)
    with pytest.raises(azulejo.PlayError) as refused:
        azulejo.verify(json.dumps(changed))
    assert refused.value.reason == "FALSE_RECORD", refused.value
