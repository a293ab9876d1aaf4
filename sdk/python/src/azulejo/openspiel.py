"""OpenSpiel: the game `azulejo`, with explicit chance nodes. Requires `azulejo-sdk[openspiel]`.

```python
import azulejo.openspiel
import pyspiel

game = pyspiel.load_game("azulejo(ruleset=azul-colored-2)")
```

`view=table` shows every position as seat 0 sees it, for algorithms that train all positions on the
returns of player 0, such as OpenSpiel's AlphaZero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from . import RULESETS, Game
from .errors import PlayError

# More than any game can have: 50 rounds of 36 tiles, and the deals.
_MOST_MOVES = 4_000
_MOST_DEALS = 600
# Displays of four tiles in five colors; a supply of ten in six colors.
_OUTCOMES = {"azul": 70, "summer-pavilion": 3_003}

_TYPE = pyspiel.GameType(
    short_name="azulejo",
    long_name="Azul and Azul: Summer Pavilion",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "azul-colored-2", "view": "seat"},
)


class AzulejoGame(pyspiel.Game):  # type: ignore[misc]
    """A ruleset. Actions are action ids; the outcomes of a deal are numbered."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.ruleset: str = params.get("ruleset", "azul-colored-2")
        self.view: str = params.get("view", "seat")
        if self.ruleset not in RULESETS:
            raise PlayError(f"unknown ruleset {self.ruleset!r}", "NO_SUCH_RULESET")
        if self.view not in ("seat", "table"):
            message = f"unknown view {self.view!r}: expected seat or table"
            raise PlayError(message, "NO_SUCH_VALUE")
        start = Game(self.ruleset, chance="explicit")
        self.layout = start.layout()
        info = pyspiel.GameInfo(
            num_distinct_actions=start.action_count,
            max_chance_outcomes=_OUTCOMES[self.ruleset.rsplit("-", 2)[0]],
            num_players=start.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_MOST_MOVES,
        )
        super().__init__(_TYPE, info, {"ruleset": self.ruleset, "view": self.view})

    def new_initial_state(self, state: Any = None) -> AzulejoState:
        """The first position, or the one in this text (`str(state)`)."""
        text = state.get("position") if isinstance(state, dict) else state
        return AzulejoState(self, text)

    def max_chance_nodes_in_history(self) -> int:
        return _MOST_DEALS

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        return Observer(self)


class AzulejoState(pyspiel.State):  # type: ignore[misc]
    """A position."""

    def __init__(self, game: AzulejoGame, text: str | None = None) -> None:
        super().__init__(game)
        self.play = (
            Game.parse(text, chance="explicit") if text else Game(game.ruleset, chance="explicit")
        )
        if self.play.ruleset != game.ruleset:
            message = f"the position is one of {self.play.ruleset}, expected {game.ruleset}"
            raise PlayError(message, "OTHER_GAME")

    def current_player(self) -> int:
        seat = self.play.current_player
        if seat is not None:
            return seat
        end = pyspiel.PlayerId.TERMINAL if self.play.is_terminal else pyspiel.PlayerId.CHANCE
        return int(end)

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Numbered in the order of `Game.chance_outcomes`."""
        return [(number, share) for number, (_, share) in enumerate(self.play.chance_outcomes())]

    def _apply_action(self, action: int) -> None:
        if self.play.is_chance:
            self.play.apply_outcome(self.play.chance_outcomes()[action][0])
        else:
            self.play.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.play.action_text(action)
        # Also asked for outcomes of earlier positions.
        outcomes = self.play.chance_outcomes() if self.play.is_chance else []
        return f"deal {outcomes[action][0] if action < len(outcomes) else action}"

    def is_terminal(self) -> bool:
        return self.play.is_terminal

    def returns(self) -> list[float]:
        """OpenSpiel wants a sum of zero more exactly than 32 bits can say: these are twelfths."""
        return [round(value * 12) / 12 for value in self.play.returns()]

    def __str__(self) -> str:
        return self.play.text()


class Observer:
    """Scaled observations of `obs1`, and the notation of the position."""

    def __init__(self, game: AzulejoGame) -> None:
        self.tensor = np.zeros(game.layout.size, np.float32)
        self.dict = {
            part.name: self.tensor[part.offset : part.offset + int(np.prod(part.shape))].reshape(
                part.shape
            )
            for part in game.layout.sections
        }
        self._rotates = game.view == "seat"

    def set_from(self, state: AzulejoState, player: int) -> None:
        state.play.observe_into(self.tensor, player if self._rotates else 0)

    def string_from(self, state: AzulejoState, player: int) -> str:
        return state.play.text()


class Evaluator:
    """Evaluates positions for `open_spiel.python.algorithms.mcts` by random games in the engine.

    The same seed and the same positions give the same values; without a seed, they are random.
    """

    def __init__(self, playouts: int = 1, seed: int | None = None) -> None:
        self.playouts = playouts
        self._seeds = np.random.default_rng(seed)

    def evaluate(self, state: AzulejoState) -> NDArray[np.float64]:
        """The mean of `State.returns` over random games."""
        played = state.play.playouts(self.playouts, seed=int(self._seeds.integers(2**63)))
        won = np.asarray(played.ranks).reshape(-1, played.seats) == 1
        winners = won.sum(axis=1, keepdims=True)
        losers = played.seats - winners
        # If all win, the game is worth nothing.
        returns = np.where(won, 1 / winners, -1 / np.maximum(losers, 1)) * (losers > 0)
        means: NDArray[np.float64] = returns.mean(axis=0)
        return means

    def prior(self, state: AzulejoState) -> list[tuple[int, float]]:
        """All moves are equally likely; deals as they are."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


pyspiel.register_game(_TYPE, AzulejoGame)
