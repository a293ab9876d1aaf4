"""Bots for the tests."""

from __future__ import annotations

import random

import azulejo
from azulejo import arena


class Noting(azulejo.Bot):
    """Plays a random legal move and records all events."""

    def __init__(self) -> None:
        self.starting: list[azulejo.MatchStarting] = []
        self.started: list[azulejo.MatchStarted] = []
        self.turns: list[azulejo.Turn] = []
        self.moves: list[azulejo.MoveMade] = []
        self.ended: list[azulejo.MatchEnded] = []
        self.fair: list[bool | None] = []
        self.unfairness: list[azulejo.UnfairError] = []

    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        self.turns.append(turn)
        return random.choice(turn.legal_moves)

    def match_starting(self, starting: azulejo.MatchStarting) -> None:
        self.starting.append(starting)

    def match_started(self, started: azulejo.MatchStarted) -> None:
        self.started.append(started)

    def move_made(self, made: azulejo.MoveMade) -> None:
        self.moves.append(made)

    def match_ended(self, ended: azulejo.MatchEnded, fair: bool | None) -> None:
        self.ended.append(ended)
        self.fair.append(fair)

    def unfair(self, ended: azulejo.MatchEnded, error: azulejo.UnfairError) -> None:
        self.unfairness.append(error)

    def end_reasons(self) -> list[arena.EndReason.ValueType]:
        """How the matches ended for this bot."""
        return [ended.match.result.seats[ended.seat].end_reason for ended in self.ended]
