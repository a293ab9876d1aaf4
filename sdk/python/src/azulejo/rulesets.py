"""Rulesets and time classes by name."""

from __future__ import annotations

from typing import Literal

from .errors import AzulejoError
from .gen.arena.v1 import arena_pb2
from .gen.game.v1 import rules_pb2

Side = Literal["colored", "gray"]
TimeClassName = Literal["bullet", "blitz", "rapid"]

_SIDES = {"colored": rules_pb2.BOARD_SIDE_COLORED, "gray": rules_pb2.BOARD_SIDE_GRAY}
_CLASSES = {
    "bullet": arena_pb2.TIME_CLASS_BULLET,
    "blitz": arena_pb2.TIME_CLASS_BLITZ,
    "rapid": arena_pb2.TIME_CLASS_RAPID,
}


def azul(players: int = 2, side: Side = "colored") -> rules_pb2.Ruleset:
    """Azul for 2 to 4 players."""
    rules = rules_pb2.AzulRules(players=players, side=_SIDES[side])
    return rules_pb2.Ruleset(azul=rules)


def summer_pavilion(players: int = 2, side: Side = "colored") -> rules_pb2.Ruleset:
    """Azul: Summer Pavilion for 2 to 4 players."""
    rules = rules_pb2.SummerPavilionRules(players=players, side=_SIDES[side])
    return rules_pb2.Ruleset(summer_pavilion=rules)


def ruleset(name: str | rules_pb2.Ruleset) -> rules_pb2.Ruleset:
    """A ruleset by its name, for example `azul-colored-2` or `summer-pavilion-gray-4`."""
    if isinstance(name, rules_pb2.Ruleset):
        return name
    game, side, players = [*name.rsplit("-", 2), "", ""][:3]
    makers = {"azul": azul, "summer-pavilion": summer_pavilion}
    if game not in makers or players not in ("2", "3", "4"):
        side = ""
    if side == "colored":
        return makers[game](int(players), "colored")
    if side == "gray":
        return makers[game](int(players), "gray")
    raise AzulejoError(
        f"unknown ruleset {name!r}; names are like azul-colored-2 and summer-pavilion-gray-4"
    )


def key(rules: rules_pb2.Ruleset) -> str:
    """The name of a ruleset, for example `azul-colored-2`."""
    is_azul = rules.HasField("azul")
    kind, name = (rules.azul, "azul") if is_azul else (rules.summer_pavilion, "summer-pavilion")
    sides = {number: side for side, number in _SIDES.items()}
    return f"{name}-{sides.get(kind.side, 'unknown')}-{kind.players}"


def players(rules: rules_pb2.Ruleset) -> int:
    """Number of seats."""
    return (rules.azul if rules.HasField("azul") else rules.summer_pavilion).players


def time_class(name: str) -> arena_pb2.TimeClass.ValueType:
    """`bullet`, `blitz` or `rapid`."""
    if name not in _CLASSES:
        raise AzulejoError(f"unknown time class {name!r}; use bullet, blitz or rapid")
    return _CLASSES[name]
