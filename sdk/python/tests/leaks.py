"""Memory before and after many steps of everything.

python tests/leaks.py 10000000     after sdk/python/develop, with PYTHONPATH=src
"""

from __future__ import annotations

import pickle
import resource
import sys

import numpy as np

import azulejo


def resident() -> int:
    """Kilobytes in use now."""
    with open("/proc/self/statm") as memory:
        return int(memory.read().split()[1]) * resource.getpagesize() // 1024


def play(steps: int) -> None:
    """At least this number of steps: games with copies, refusals and pictures, batches, trees."""
    batch = azulejo.Batch("azul-colored-2", 256, seed=1, final_obs=True)
    done = 0
    while done < steps:
        game = azulejo.Game("azul-gray-2", seed=done, chance="seed")
        while not game.is_terminal:
            copy = game.clone()
            copy.apply(copy.legal_actions()[0])
            game.apply(copy.action_text(game.legal_actions()[-1]))
            game.mask()
            game.observe()
            done += 2
        for refused in (0, "3Q1", None, -1):
            try:
                game.apply(refused)  # type: ignore[arg-type]
            except azulejo.PlayError:
                pass
            else:
                raise AssertionError(refused)
        pickle.loads(pickle.dumps(game))
        game.svg()
        game.layout()
        game.playouts(1)
        for _ in range(20):
            batch.step(batch.sample())
            done += len(batch)
        search = azulejo.Search([batch.game(number) for number in range(4)])
        logits, values = np.zeros((4, 180), np.float32), np.zeros((4, 2), np.float32)
        for _ in range(8):
            search.request()
            search.submit(logits, values)
        search.visits()


def grown(steps: int) -> int:
    """Kilobytes that are in use after the steps and were not before."""
    play(max(1, steps // 10))
    before = resident()
    play(steps)
    return resident() - before


if __name__ == "__main__":
    sys.stdout.write(f"{grown(int(sys.argv[1]))} KB more after {int(sys.argv[1]):,} steps\n")
