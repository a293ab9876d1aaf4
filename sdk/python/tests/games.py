"""Games for the tests: the same choices in every language."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import azulejo


class Choices:
    """Chooses the moves of the transcripts."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, count: int) -> int:
        self.state = (self.state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        return (self.state >> 33) % count


def seeded(ruleset: str, seed: int) -> azulejo.Game:
    """A game with the deals of the arena."""
    return azulejo.Game(ruleset, seed=seed, chance="seed")


def positions(game: azulejo.Game, seed: int) -> Iterator[azulejo.Game]:
    """Plays to the end; the game before each decision."""
    choices = Choices(seed)
    while not game.is_terminal:
        yield game
        actions = game.legal_actions()
        game.apply(actions[choices.below(len(actions))])


def digest(ruleset: str, games: int) -> str:
    """What the transcripts of all languages are compared by."""
    total = hashlib.sha256()
    for seed in range(games):
        game = seeded(ruleset, seed)
        for position in positions(game, seed):
            total.update(f"{position.text()}\n".encode())
            total.update(position.mask())
            total.update(position.observe())
            total.update(f"{position.hash():016x}".encode())
        scores = ",".join(map(str, game.scores()))
        total.update(f"{game.text()}\n{scores}\n".encode())
    return total.hexdigest()
