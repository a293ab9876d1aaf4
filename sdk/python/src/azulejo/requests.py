"""Builds the requests of the engine from ordinary values, for both clients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .gen.engine.v1 import engine_pb2 as pb
from .gen.game.v1 import chance_pb2, game_pb2, rules_pb2
from .rulesets import ruleset

State = game_pb2.GameState
Action = game_pb2.LegalMove | game_pb2.Move | int | str
"""A legal move, a typed move, an action id, or a move in its notation."""
SeedLike = chance_pb2.Seed | bytes | int
"""32 bytes, or a small number for tests and experiments."""
RulesetLike = rules_pb2.Ruleset | str
"""A ruleset, or its name: `azul-colored-2`."""
Policy = Literal["random", "greedy"]
Theme = Literal["auto", "light", "dark"]

_POLICIES = {"random": pb.PLAYOUT_POLICY_RANDOM, "greedy": pb.PLAYOUT_POLICY_GREEDY}
_THEMES = {
    "auto": pb.RENDER_THEME_AUTO,
    "light": pb.RENDER_THEME_LIGHT,
    "dark": pb.RENDER_THEME_DARK,
}


def seed_of(seed: SeedLike | None) -> chance_pb2.Seed | None:
    if seed is None or isinstance(seed, chance_pb2.Seed):
        return seed
    if isinstance(seed, int):
        return chance_pb2.Seed(number=seed)
    return chance_pb2.Seed(key=seed)


def new_game(
    rules: RulesetLike,
    start_seat: int,
    seed: SeedLike | None,
    displays: chance_pb2.Displays | None,
) -> pb.NewGameRequest:
    return pb.NewGameRequest(
        ruleset=ruleset(rules), start_seat=start_seat, seed=seed_of(seed), displays=displays
    )


def apply(
    state: State,
    action: Action,
    *,
    seed: SeedLike | None = None,
    displays: chance_pb2.Displays | None = None,
    include_legal_moves: bool = False,
    include_score: bool = False,
) -> pb.ApplyRequest:
    """A request to carry out a move, for `batch_apply`."""
    request = pb.ApplyRequest(
        state=state,
        seed=seed_of(seed),
        displays=displays,
        include_legal_moves=include_legal_moves,
        include_score=include_score,
    )
    if isinstance(action, game_pb2.LegalMove):
        request.action_id = action.action_id
    elif isinstance(action, game_pb2.Move):
        request.move.CopyFrom(action)
    elif isinstance(action, str):
        request.notation = action
    else:
        request.action_id = action
    return request


def deal(
    state: State,
    seed: SeedLike | None,
    displays: chance_pb2.Displays | None,
    max_displays: int,
) -> pb.DealRequest:
    return pb.DealRequest(
        state=state, seed=seed_of(seed), displays=displays, max_displays=max_displays
    )


def expand(state: State, scores_only: bool) -> pb.ExpandRequest:
    view = pb.EXPAND_VIEW_SCORES if scores_only else pb.EXPAND_VIEW_STATES
    return pb.ExpandRequest(state=state, view=view)


def playouts(state: State, games: int, policy: Policy, seed: SeedLike | None) -> pb.PlayoutsRequest:
    return pb.PlayoutsRequest(
        state=state, games=games, policy=_POLICIES[policy], seed=seed_of(seed)
    )


def render(
    state: State, text: bool, color: bool, theme: Theme, names: Sequence[str]
) -> pb.RenderRequest:
    if text:
        return pb.RenderRequest(state=state, names=names, text=pb.RenderText(color=color))
    return pb.RenderRequest(state=state, names=names, svg=pb.RenderSvg(theme=_THEMES[theme]))
