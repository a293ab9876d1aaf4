"""Monte Carlo tree search: thousands of games in the process for each move, without a server.

Requires numpy. The search asks for an evaluation of each new position. Here the greedy house bot
suggests a move, and a random game estimates the result. A network would do both: see LOCAL.md.
"""

import time

import numpy as np

import azulejo

LONGEST = 0.5
SHARE = 0.03
# How much more likely the suggested move is: e to this power.
TRUST = 4.0


class Mcts(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        seconds = min(LONGEST, turn.time_left * SHARE)
        return best(azulejo.Game.from_state(turn.state), seconds)


def best(game: azulejo.Game, seconds: float = 0.1) -> int:
    """The action id with most visits after this time."""
    search = azulejo.Search([game])
    logits = np.zeros((1, game.action_count), np.float32)
    values = np.zeros((1, game.players), np.float32)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        search.request()
        leaf = search.leaf(0)
        if leaf is None:
            # Only finished games were met: the tree has evaluated them by itself.
            continue
        logits[:] = 0
        logits[0, leaf.best_move("greedy")] = TRUST
        values[0] = result(leaf)
        search.submit(logits, values)
    visits = search.visits()[0]
    return int(visits.argmax()) if visits.any() else game.best_move("greedy")


def result(leaf: azulejo.Game) -> list[float]:
    """The returns of one random game, clockwise from the seat that has to decide."""
    seat = leaf.current_player or 0
    leaf.play_out()
    returns = leaf.returns()
    return returns[seat:] + returns[:seat]


if __name__ == "__main__":
    azulejo.run(Mcts(), name="mcts")
