"""Plays a random legal move."""

import random

import azulejo


class RandomBot(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        return random.choice(turn.legal_moves)


if __name__ == "__main__":
    azulejo.run(RandomBot(), name="random-bot", max_concurrent_matches=2)
