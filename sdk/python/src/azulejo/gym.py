"""Gymnasium: one learning seat against house bots. Requires `azulejo-sdk[gym]`.

```python
import gymnasium
import azulejo.gym

env = gymnasium.make("azulejo/Azulejo-v0", ruleset="azul-colored-2", opponents="greedy")
many = azulejo.gym.VectorEnv("azul-colored-2", 256, opponents="greedy")
```

`action_masks()` is what MaskablePPO of sb3-contrib looks for; masks are also in the infos.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import Batch, Game
from ._spaces import observation_space
from .errors import PlayError

Seat = int | Literal["rotating", "random"]
Floats = NDArray[np.float32]


class Env(gymnasium.Env[Floats, np.int64]):
    """A game in which one seat learns. House bots play the other seats.

    `learner` is a seat, "rotating" or "random". The reward is that of this seat, at the end.
    `illegal="raise"` raises `PlayError` for an illegal action; with "lose" the game ends with
    `illegal_reward`, and the info has `illegal`, the rule. The default, -1, is never better than a
    loss, except with `returns="margin"`, which requires an `illegal_reward`. What is not an action
    at all is always refused.
    """

    metadata = {"render_modes": ["ansi", "svg"]}  # noqa: RUF012

    def __init__(
        self,
        ruleset: str = "azul-colored-2",
        *,
        opponents: str = "greedy",
        learner: Seat = "random",
        returns: Literal["win", "margin", "points"] = "win",
        illegal: Literal["raise", "lose"] = "raise",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.opponents = opponents
        self.learner = learner
        self.returns = returns
        self.illegal = illegal
        self.illegal_reward = -1.0 if illegal_reward is None else illegal_reward
        self.render_mode = render_mode
        self.seat = 0
        self.game = Game(ruleset, seed=0)
        # Whatever is wrong is refused now, not in the first step.
        self.game.best_move(opponents, seed=0)
        self.game.returns(returns)
        if illegal not in ("raise", "lose"):
            message = f"unknown illegal {illegal!r}: expected raise or lose"
            raise PlayError(message, "NO_SUCH_VALUE")
        if illegal == "lose" and returns == "margin" and illegal_reward is None:
            message = "a margin can be worse than -1: illegal='lose' requires illegal_reward"
            raise PlayError(message, "NO_SUCH_VALUE")
        if isinstance(learner, int):
            self.game.observe(learner)
        elif learner not in ("rotating", "random"):
            message = f"unknown learner {learner!r}: expected a seat, rotating or random"
            raise PlayError(message, "NO_SUCH_VALUE")
        self._games = 0
        self.action_space = spaces.Discrete(self.game.action_count)
        self.observation_space: spaces.Space[Any] = observation_space(self.game.layout())

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves."""
        return np.frombuffer(bytearray(self.game.mask()), np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None:
            self._games = 0
        players = self.game.players
        if isinstance(self.learner, int):
            self.seat = self.learner
        elif self.learner == "rotating":
            self.seat = self._games % players
        else:
            self.seat = int(self.np_random.integers(players))
        self._games += 1
        self.game = Game(self.ruleset, seed=int(self.np_random.integers(2**63)))
        self._play_opponents()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        try:
            self.game.apply(action)
        except PlayError as error:
            if self.illegal == "raise" or error.reason != "ILLEGAL_MOVE":
                raise
            info = {**self._info(), "illegal": error.rule}
            return self._observation(), self.illegal_reward, True, False, info
        self._play_opponents()
        ended = self.game.is_terminal
        reward = self.game.returns(self.returns)[self.seat] if ended else 0.0
        return self._observation(), float(reward), ended, False, self._info()

    def _play_opponents(self) -> None:
        game = self.game
        while not game.is_terminal and game.current_player != self.seat:
            game.apply(game.best_move(self.opponents, seed=int(self.np_random.integers(2**63))))

    def _observation(self) -> Floats:
        values = np.empty(self.game.observation_size, np.float32)
        self.game.observe_into(values, self.seat)
        return values

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().view(np.int8), "seat": self.seat}

    def render(self) -> str | None:
        """Text for `ansi`, a picture for `svg`."""
        if self.render_mode is None:
            return None
        return self.game.svg() if self.render_mode == "svg" else str(self.game)


class VectorEnv(gymnasium.vector.VectorEnv[Floats, NDArray[np.int64], Any]):
    """Many games side by side (`Batch`), each with one learning seat.

    A finished game starts again in the same step (`AutoresetMode.SAME_STEP`): its last observation
    is in `infos["final_obs"]`. With `copy=False`, observations and masks are the arrays of the
    batch, which the next step overwrites.
    """

    def __init__(
        self,
        ruleset: str = "azul-colored-2",
        num_envs: int = 256,
        *,
        opponents: str = "greedy",
        learner: Seat = "random",
        returns: Literal["win", "margin", "points"] = "win",
        copy: bool = True,
    ) -> None:
        self.batch = Batch(
            ruleset,
            num_envs,
            learner=learner,
            opponents=opponents,
            returns=returns,
            final_obs=True,
        )
        self.num_envs = num_envs
        self.copy = copy
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = observation_space(self.batch.layout())
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(self.batch.action_count)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._no_end = np.zeros(num_envs, np.bool_)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal moves of each game."""
        return self._kept(self.batch.mask)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Starts all games again. One seed decides all of them."""
        if isinstance(seed, list):
            raise PlayError("a batch has one seed, not one for each game", "BAD_SEED")
        self.batch.reset(seed)
        return self._kept(self.batch.obs), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        numbers = np.asarray(actions)
        # Others would be truncated: 1.7 is not the action 1.
        if numbers.dtype.kind not in "iu":
            message = f"actions are whole numbers, not {numbers.dtype}"
            raise PlayError(message, "WRONG_TYPE")
        # A finished game has a new learning seat already.
        seats = self.batch.seat.copy()
        self.batch.step(np.require(numbers, np.int64, ["C", "A"]))
        rewards = self.batch.reward[self._rows, seats].astype(np.float64)
        ends = self.batch.done.copy()
        infos = self._infos()
        if ends.any() and self.batch.final_obs is not None:
            last = np.full(self.num_envs, None, dtype=object)
            for number in np.flatnonzero(ends):
                last[number] = self.batch.final_obs[number].copy()
            infos |= {"final_obs": last, "_final_obs": ends}
        return self._kept(self.batch.obs), rewards, ends, self._no_end.copy(), infos

    def _kept(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._kept(self.batch.mask.view(np.int8))}


gymnasium.register(
    "azulejo/Azulejo-v0",
    entry_point="azulejo.gym:Env",
    vector_entry_point="azulejo.gym:VectorEnv",
)
