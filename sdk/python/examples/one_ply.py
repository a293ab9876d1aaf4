"""Looks one move ahead: asks the engine what every move leads to, takes the best margin."""

import random

import azulejo
from azulejo import game


class OnePly(azulejo.Bot):
    def __init__(self) -> None:
        # Threads may share it: several matches ask at the same time.
        self.engine = azulejo.Engine()

    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        children = self.engine.expand(turn.state, scores_only=True).children
        best = max(margin(child.score, turn.seat) for child in children)
        return random.choice(
            [child.move for child in children if margin(child.score, turn.seat) == best]
        )


def margin(score: game.Score, seat: int) -> int:
    """Points ahead of the best of the others."""
    others = [other.total for place, other in enumerate(score.seats) if place != seat]
    return score.seats[seat].total - max(others)


if __name__ == "__main__":
    azulejo.run(OnePly(), name="one-ply", games_at_once=2)
