"""PettingZoo: `env()` and `raw_env()`, for all seats. Requires `azulejo-sdk[pettingzoo]`.

```python
from azulejo import pettingzoo

env = pettingzoo.env("azul-colored-2")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    ended = termination or truncation
    env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
```
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECEnv

from . import Game
from ._spaces import observation_space

Observation = dict[str, NDArray[Any]]


def env(
    ruleset: str = "azul-colored-2",
    *,
    illegal_reward: float = -1.0,
    render_mode: str | None = None,
    **options: Any,
) -> AECEnv[str, Observation, int | None]:
    """The environment with the usual wrappers: an illegal move ends the game.

    `raw_env` is about ten times faster and raises `PlayError` instead.
    """
    inner = "ansi" if render_mode == "human" else render_mode
    made: Any = raw_env(ruleset, render_mode=inner, **options)
    if render_mode == "human":
        made = wrappers.CaptureStdoutWrapper(made)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=illegal_reward)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv[str, Observation, "int | None"]):  # type: ignore[misc]  # noqa: N801
    """A game as an environment. Each agent is a seat; the same agent can move several times.

    An observation has `observation` (scaled values, see `Game.layout`) and `action_mask`, which is
    also in `infos`. Rewards are those of `Game.returns(returns)`, at the end.
    """

    # Read and written by PettingZoo.
    metadata = {  # noqa: RUF012
        "name": "azulejo_v0",
        "render_modes": ["ansi", "svg"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str = "azul-colored-2",
        *,
        returns: Literal["win", "margin", "points"] = "win",
        start_seat: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.ruleset = ruleset
        self.render_mode = render_mode
        self._kind = returns
        self._start_seat = start_seat
        self.game = Game(ruleset, seed=0, start_seat=start_seat)
        self.game.returns(self._kind)
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self.agents: list[str] = []
        count = self.game.action_count
        seen = spaces.Dict(
            {
                "observation": observation_space(self.game.layout()),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {name: spaces.Discrete(count) for name in self.possible_agents}
        self._seeds = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. Without a seed, the next one of the last seed."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        number = int(self._seeds.integers(2**63))
        self.game = Game(self.ruleset, seed=number, start_seat=self._start_seat)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        """The agent of the seat that has to decide; at the end, agents in order of their seats."""
        seat = self.game.current_player
        for agent in self.agents:
            self.infos[agent] = {"action_mask": self._mask(agent)}
        if seat is not None:
            self.agent_selection = self.possible_agents[seat]

    def _mask(self, agent: str) -> NDArray[np.int8]:
        """Legal moves of the seat that has to decide; of other seats none."""
        if self.game.current_player != self.possible_agents.index(agent):
            return np.zeros(self.game.action_count, np.int8)
        return np.frombuffer(bytearray(self.game.mask()), np.int8)

    def observe(self, agent: str) -> Observation:
        values = np.empty(self.game.observation_size, np.float32)
        self.game.observe_into(values, self.possible_agents.index(agent))
        return {"observation": values, "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        """Plays a move. Raises `PlayError` if it is illegal; then nothing changes."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.apply(action)  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.game.is_terminal:
            returns = self.game.returns(self._kind)
            self.rewards = dict(zip(self.possible_agents, returns, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Text for `ansi`, a picture for `svg`."""
        if self.render_mode is None:
            return None
        return self.game.svg() if self.render_mode == "svg" else str(self.game)

    def close(self) -> None:
        pass
