"""The strength of the examples: most of it in the process, and once in the arena."""

from __future__ import annotations

import runpy
from collections.abc import Callable

import pytest
from support import SDK, Server, together

import azulejo


def wins(best: Callable[[azulejo.Game], int], ruleset: str, opponent: str, games: int) -> int:
    """The games that it wins against a house bot, from both seats."""
    won = 0
    for seed in range(games):
        game = azulejo.Game(ruleset, seed=seed, start_seat=seed % 2)
        seat = seed // 2 % 2
        while not game.is_terminal:
            mine = game.current_player == seat
            game.apply(best(game) if mine else game.best_move(opponent, seed=seed))
        won += game.ranks()[seat] == 1
    return won


@pytest.mark.parametrize(
    ("ruleset", "games"),
    [
        ("azul-colored-2", 20),
        ("azul-gray-2", 20),
        ("summer-pavilion-colored-2", 20),
        # Many legal moves.
        ("summer-pavilion-gray-2", 4),
    ],
)
def test_one_ply_wins_at_least_19_of_20_games_against_random(ruleset: str, games: int) -> None:
    best = runpy.run_path(str(SDK / "examples/one_ply.py"))["best"]
    assert wins(best, ruleset, "random", games) >= games * 19 / 20


def test_mcts_wins_most_games_against_greedy() -> None:
    best = runpy.run_path(str(SDK / "examples/mcts.py"))["best"]
    assert wins(lambda game: best(game, 0.02), "azul-colored-2", "greedy", 6) >= 4


@pytest.mark.parametrize("ruleset", ["azul-colored-3", "summer-pavilion-gray-4"])
def test_mcts_finishes_games_of_more_players(ruleset: str) -> None:
    best = runpy.run_path(str(SDK / "examples/mcts.py"))["best"]
    assert wins(lambda game: best(game, 0.001), ruleset, "random", 1) <= 1


def test_one_ply_wins_its_matches_in_the_arena(server: Server) -> None:
    places: list[int] = []

    def match_ended(ended: azulejo.MatchEnded, fair: bool | None) -> None:
        assert fair
        places.append(ended.match.result.seats[ended.seat].placement)

    bot = runpy.run_path(str(SDK / "examples/one_ply.py"))["OnePly"]()
    bot.match_ended = match_ended
    together(
        azulejo.run_async(
            bot,
            name="one-ply",
            server=server.url,
            rulesets=["azul-colored-2"],
            challenge="random",
            matches=8,
            max_concurrent_matches=4,
        )
    )
    assert len(places) == 8
    assert places.count(1) >= 7
