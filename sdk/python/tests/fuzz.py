"""Random calls with random arguments: each succeeds, or raises an error that is documented.

python tests/fuzz.py 1000000 [SEED]     after sdk/python/develop, with PYTHONPATH=src
"""

from __future__ import annotations

import pickle
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

import azulejo

# What does not fit the signature of a call, as LOCAL.md says. Other TypeErrors are defects.
SIGNATURE = re.compile(
    r"^argument '|takes no arguments|positional argument|is not an instance of 'str'$"
)
STRANGE: list[Callable[[random.Random], Any]] = [
    lambda _: None,
    lambda r: r.randrange(-5, 1200),
    lambda r: r.randrange(-(2**70), 2**70),
    lambda r: r.choice([1.5, float("nan"), float("inf"), True, b"", "", "\ud800", "3B2", {}, []]),
    lambda r: r.choice([object(), int, np.int64(3), np.float32(2), "azul-colored-2", "seed"]),
    lambda r: bytes(r.randrange(256) for _ in range(r.choice([0, 1, 171, 180]))),
    lambda r: np.zeros(r.choice([0, 1, 4, 171, 180, 342]), r.choice(["u1", "f4", "i8", "O"])),
    lambda r: np.zeros((r.choice([1, 4]), r.choice([2, 180])), r.choice(["f4", "f8"])),
    lambda r: np.frombuffer(bytearray(721), r.choice(["f4", "i8"]), r.choice([4, 90]), 1),
    lambda r: np.zeros(360, r.choice(["u1", "f4", "i8"]))[::2],
    lambda r: np.full((4, 180), r.choice([3e38, -3e38, 1.0, float("nan")]), "f4"),
    lambda r: np.full((4, 2), r.choice([3e38, -3e38, 1.0, float("inf")]), "f4"),
    lambda r: [r.randrange(300) for _ in range(r.randrange(200))],
]
GAME = [name for name in vars(azulejo.Game) if not name.startswith("__")] + ["apply"] * 5
STATIC = ["parse", "from_observation", "from_state"]
BATCH = [name for name in vars(azulejo.Batch) if not name.startswith("__")]
SEARCH = [name for name in vars(azulejo.Search) if not name.startswith("__")]
# Too many games or iterations would only take long.
SLOW = {"playouts", "best_move"}


class Fuzzer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.renew()

    def renew(self) -> None:
        chances: list[azulejo.Chance] = ["auto", "seed", "explicit"]
        chance = self.random.choice(chances)
        rules = self.random.choice(azulejo.RULESETS)
        self.game = azulejo.Game(rules, seed=self.random.randrange(2**64), chance=chance)
        if self.random.random() < 0.1:
            self.batch = azulejo.Batch(rules, 4, seed=1, raw=self.random.random() < 0.5)
            games = [azulejo.Game("azul-colored-2", seed=seed) for seed in range(4)]
            self.search = azulejo.Search(games, seed=1)

    def strange(self) -> Any:
        return self.random.choice(STRANGE)(self.random)

    def call(self) -> None:
        target, names = self.random.choice(
            [(self.game, GAME), (self.batch, BATCH), (self.search, SEARCH), (azulejo.Game, STATIC)]
        )
        name = self.random.choice(names)
        before = None if name == "play_out" else pickle.dumps(self.game)
        arguments = [self.strange() for _ in range(self.random.choice([0, 1, 1, 1, 2, 3]))]
        try:
            if name in SLOW:
                self.game.best_move("strong:5n", seed=arguments[0] if arguments else None)
                self.game.playouts(2, *arguments)
            else:
                found = getattr(target, name)
                if callable(found):
                    found(*arguments)
        except azulejo.PlayError as error:
            self.counts[error.reason] += 1
        except UnicodeEncodeError:
            self.counts["UnicodeEncodeError"] += 1
        except TypeError as error:
            if not SIGNATURE.search(str(error)):
                raise
            self.counts["TypeError"] += 1
        else:
            self.counts["succeeded"] += 1
            return
        # A refused call changed nothing.
        if before is not None:
            assert pickle.dumps(self.game) == before, (name, arguments)

    def progress(self) -> None:
        """A legal step of everything, so that all phases are met."""
        if self.game.is_chance:
            self.game.sample_outcome(self.random.randrange(2**32))
        elif self.game.is_terminal or self.random.random() < 0.005:
            self.renew()
        else:
            self.game.apply(self.random.choice(self.game.legal_actions()))
        if self.random.random() < 0.05:
            # The caller may have overwritten the masks.
            self.batch.reset()
            self.batch.step(self.batch.sample())
            self.search.request()

    def run(self, calls: int) -> Counter[str]:
        self.batch = azulejo.Batch("azul-colored-2", 4)
        self.search = azulejo.Search([azulejo.Game("azul-colored-2")])
        for _ in range(calls):
            self.call()
            if self.random.random() < 0.3:
                self.progress()
        return self.counts


def main(calls: int, seed: int = 1) -> None:
    for reason, count in Fuzzer(seed).run(calls).most_common():
        sys.stdout.write(f"{count:>9} {reason}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
