"""OpenSpiel's Monte Carlo tree search plays a game of Azul against the greedy house bot.

    python examples/openspiel_mcts.py --simulations 300

Requires azulejo-sdk[openspiel]. The search is OpenSpiel's, in Python; random games, which estimate
each new position, run in the engine.
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from azulejo.openspiel import AzulejoState, Evaluator


def play(ruleset: str, simulations: int, seed: int) -> list[float]:
    """The returns of a game; the search plays seat 0."""
    game = pyspiel.load_game(f"azulejo(ruleset={ruleset})")
    chance = np.random.RandomState(seed)
    evaluator = Evaluator(playouts=4)
    bot = mcts.MCTSBot(game, 1.5, simulations, evaluator, solve=False, random_state=chance)
    state: AzulejoState = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, shares = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(chance.choice(actions, p=shares)))
        elif state.current_player() == 0:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(state.play.best_move("greedy", seed=seed))
    return list(state.returns())


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--ruleset", default="azul-colored-2")
    options.add_argument("--simulations", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    print(play(chosen.ruleset, chosen.simulations, chosen.seed))  # noqa: T201
