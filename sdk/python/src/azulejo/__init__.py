"""Write a bot for Azul and Azul: Summer Pavilion, and let it play on an Azulejo ladder.

`run` connects, plays matches, answers pings, reconnects after every interruption, and verifies the
deals when a match ends. The bot only has to choose a move for each of its turns. `Engine` is a
client for the rules of both games, and `Game`, `Batch` and `Search` are the rules themselves,
inside the process, for search, learning and statistics.
"""

from typing import Literal

from . import arena, draw, fair_play, game
from ._native import Batch, Game, Layout, Search, Section, playouts, ruleset_keys, verify
from .arena import MatchEnded, MatchStarted, MatchStarting, MoveMade, Paused
from .board import Board
from .bot import Bot, Choice, Turn
from .engine import AsyncEngine, Engine
from .errors import (
    AzulejoError,
    BadRequestError,
    FieldViolation,
    IllegalMoveError,
    NotFoundError,
    OverloadedError,
    PlayError,
    RefusedError,
    ReplacedError,
    TokenError,
    UnavailableError,
)
from .fair_play import UnfairError
from .game import GameState, LegalMove, Move, Ruleset
from .options import Options
from .register import register
from .requests import apply as apply_request
from .rulesets import azul, ruleset, summer_pavilion
from .running import run, run_async
from .statistics import Statistics

Chance = Literal["auto", "seed", "explicit"]
"""Who deals: a fast generator, a seed as in the arena, or you."""

RULESETS: tuple[str, ...] = ruleset_keys()
"""The keys of all rulesets."""

__all__ = [
    "RULESETS",
    "AsyncEngine",
    "AzulejoError",
    "BadRequestError",
    "Batch",
    "Board",
    "Bot",
    "Chance",
    "Choice",
    "Engine",
    "FieldViolation",
    "Game",
    "GameState",
    "IllegalMoveError",
    "Layout",
    "LegalMove",
    "MatchEnded",
    "MatchStarted",
    "MatchStarting",
    "Move",
    "MoveMade",
    "NotFoundError",
    "Options",
    "OverloadedError",
    "Paused",
    "PlayError",
    "RefusedError",
    "ReplacedError",
    "Ruleset",
    "Search",
    "Section",
    "Statistics",
    "TokenError",
    "Turn",
    "UnavailableError",
    "UnfairError",
    "apply_request",
    "arena",
    "azul",
    "draw",
    "fair_play",
    "game",
    "playouts",
    "register",
    "ruleset",
    "run",
    "run_async",
    "summer_pavilion",
    "verify",
]
