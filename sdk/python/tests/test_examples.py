"""The strength of the examples, against a real server."""

from __future__ import annotations

import runpy

import pytest
from support import SDK, Server, together

import azulejo


# On the gray side of Azul it loses about one match in 100. With more matches, two losses by chance
# are not a failure.
@pytest.mark.parametrize(
    ("rules", "matches"),
    [
        ("azul-colored-2", 20),
        ("azul-gray-2", 60),
        ("summer-pavilion-colored-2", 20),
        ("summer-pavilion-gray-2", 20),
    ],
)
def test_one_ply_wins_at_least_19_of_20_matches_against_random(
    server: Server, rules: str, matches: int
) -> None:
    places: list[int] = []

    def match_ended(ended: azulejo.MatchEnded, fair: bool | None) -> None:
        places.append(ended.match.result.seats[ended.seat].placement)

    bot = runpy.run_path(str(SDK / "examples/one_ply.py"))["OnePly"]()
    bot.match_ended = match_ended
    together(
        azulejo.run_async(
            bot,
            name="one-ply",
            server=server.url,
            rulesets=[rules],
            challenge="random",
            matches=matches,
            max_concurrent_matches=4,
        )
    )
    assert len(places) == matches
    assert places.count(1) >= matches * 19 / 20
