"""Follows the deals and points of a game through its events.

A watcher starts with the first state and then takes every event in order. `deals` computes the
tiles that the seed gives, and compares them with those that were shown.
"""

from __future__ import annotations

from typing import Protocol

from google.protobuf.message import Message

from .draw import Stock
from .gen.game.v1 import azul_pb2, game_pb2, summer_pavilion_pb2

AZUL_COLORS = ("blue", "yellow", "red", "black", "white")
PAVILION_COLORS = ("orange", "red", "blue", "yellow", "green", "purple")
_FACTORIES = {2: 5, 3: 7, 4: 9}
_FACTORY_TILES = 4
_SUPPLY_TILES = 10
# The wild color of rounds 1 to 6 and the prices of the gray side are printed on the boards.
_WILD = ("purple", "green", "orange", "yellow", "blue", "red")
_GRAY_PRICES = (3, 2, 1, 4, 5, 6)
_GRAY_CENTER_PRICE = 3


class Mismatch(Exception):  # noqa: N818
    """What was shown does not follow from the seed."""


class Watcher(Protocol):
    """Follows one game."""

    points: list[int]
    totals: list[int] | None

    def begins(self, state: game_pb2.GameState) -> None:
        """Deals the first state and compares it."""

    def shows(self, state: game_pb2.GameState) -> None:
        """Compares the state of a turn."""

    def hears(self, event: game_pb2.Event) -> None:
        """Takes an event, and compares it if it is a deal."""


def watcher(state: game_pb2.GameState, seed: bytes) -> Watcher:
    """The watcher for the game of this state."""
    return AzulWatcher(state, seed) if state.HasField("azul") else PavilionWatcher(state, seed)


def counts(tiles: Message, colors: tuple[str, ...]) -> list[int]:
    return [getattr(tiles, color) for color in colors]


def agree(condition: bool) -> None:
    if not condition:
        raise Mismatch


class _Deals:
    """Fills displays and compares them with those that were shown."""

    def __init__(self, colors: tuple[str, ...], each: int, seed: bytes) -> None:
        self.colors = colors
        self.seed = seed
        self.stock = Stock([each] * len(colors))
        self.tipped: list[int] | None = None

    def tips(self, tiles: Message) -> None:
        self.tipped = counts(tiles, self.colors)

    def fills(self, room: int, shown: Message) -> None:
        tiles, tipped = self.stock.fill(room, self.seed)
        agree(tiles == counts(shown, self.colors) and tipped == self.tipped)
        self.tipped = None

    def compare(self, bag: Message, discards: Message, drawn: int) -> None:
        agree(counts(bag, self.colors) == self.stock.bag)
        agree(counts(discards, self.colors) == self.stock.discards)
        agree(drawn == self.stock.drawn)


class AzulWatcher:
    def __init__(self, state: game_pb2.GameState, seed: bytes) -> None:
        seats = state.azul.rules.players
        self.deals = _Deals(AZUL_COLORS, 20, seed)
        self.floors = [[0] * len(AZUL_COLORS) for _ in range(seats)]
        self.points = [0] * seats
        self.bonuses = [0] * seats
        self.totals: list[int] | None = None

    def begins(self, state: game_pb2.GameState) -> None:
        agree(len(state.azul.factories) == _FACTORIES.get(state.azul.rules.players))
        for factory in state.azul.factories:
            self.deals.fills(_FACTORY_TILES, factory)
        self.shows(state)

    def shows(self, state: game_pb2.GameState) -> None:
        shown = state.azul
        self.deals.compare(shown.bag, shown.lid, shown.drawn)
        agree([board.points for board in shown.boards] == self.points)

    def hears(self, event: game_pb2.Event) -> None:
        kind = event.azul.WhichOneof("event")
        lid = self.deals.stock.discards
        if kind == "fell_to_floor":
            fell = event.azul.fell_to_floor
            self.floors[fell.seat][fell.color - 1] += fell.tiles
        elif kind == "fell_to_lid":
            lid[event.azul.fell_to_lid.color - 1] += event.azul.fell_to_lid.tiles
        elif kind == "tile_placed":
            placed = event.azul.tile_placed
            lid[placed.color - 1] += placed.row - 1
            self.points[placed.seat] += placed.points
        elif kind == "floor_cleared":
            self._clears(event.azul.floor_cleared)
        elif kind == "lid_tipped":
            self.deals.tips(event.azul.lid_tipped.tiles)
        elif kind == "dealt":
            self.deals.fills(_FACTORY_TILES, event.azul.dealt.tiles)
        elif kind == "bonus":
            self.bonuses[event.azul.bonus.seat] += event.azul.bonus.points
        elif kind == "game_ended":
            self.totals = [sum(both) for both in zip(self.points, self.bonuses, strict=True)]

    def _clears(self, cleared: azul_pb2.AzulFloorCleared) -> None:
        lid, floor = self.deals.stock.discards, self.floors[cleared.seat]
        for color, tiles in enumerate(floor):
            lid[color] += tiles
            floor[color] = 0
        self.points[cleared.seat] -= cleared.lost


class PavilionWatcher:
    def __init__(self, state: game_pb2.GameState, seed: bytes) -> None:
        rules = state.summer_pavilion.rules
        self.deals = _Deals(PAVILION_COLORS, 22, seed)
        self.gray = rules.side == 2
        self.wild = PAVILION_COLORS.index(_WILD[0])
        self.supply = 0
        self.points = [5] * rules.players
        self.bonuses = [0] * rules.players
        self.totals: list[int] | None = None

    def begins(self, state: game_pb2.GameState) -> None:
        shown = state.summer_pavilion
        agree(len(shown.factories) == _FACTORIES.get(shown.rules.players))
        self.deals.fills(_SUPPLY_TILES, shown.supply)
        self.supply = _SUPPLY_TILES
        for factory in shown.factories:
            self.deals.fills(_FACTORY_TILES, factory)
        self.shows(state)

    def shows(self, state: game_pb2.GameState) -> None:
        shown = state.summer_pavilion
        self.deals.compare(shown.bag, shown.tower, shown.drawn)
        agree([board.points for board in shown.boards] == self.points)
        agree(sum(counts(shown.supply, PAVILION_COLORS)) == self.supply)

    def hears(self, event: game_pb2.Event) -> None:
        happened = event.summer_pavilion
        kind = happened.WhichOneof("event")
        if kind == "token_taken":
            self.points[happened.token_taken.seat] -= happened.token_taken.lost
        elif kind == "placed":
            self._places(happened.placed)
        elif kind == "bonus_taken":
            self.supply -= sum(counts(happened.bonus_taken.tiles, PAVILION_COLORS))
        elif kind == "passed":
            for color, tiles in enumerate(counts(happened.passed.discarded, PAVILION_COLORS)):
                self.deals.stock.discards[color] += tiles
            self.points[happened.passed.seat] -= happened.passed.lost
        elif kind == "round_began":
            self.wild = PAVILION_COLORS.index(_WILD[(happened.round_began.round - 1) % 6])
        elif kind == "tower_tipped":
            self.deals.tips(happened.tower_tipped.tiles)
        elif kind == "dealt":
            self._deals(happened.dealt)
        elif kind == "final_score":
            final = happened.final_score
            self.bonuses[final.seat] += final.stars + final.numbers - final.lost
        elif kind == "game_ended":
            self.totals = [sum(both) for both in zip(self.points, self.bonuses, strict=True)]

    def _places(self, placed: summer_pavilion_pb2.SummerPavilionPlaced) -> None:
        """One tile stays on the star; the other tiles of the price go to the tower."""
        price = placed.space
        if self.gray:
            center = placed.star == summer_pavilion_pb2.SUMMER_PAVILION_STAR_CENTER
            price = _GRAY_CENTER_PRICE if center else _GRAY_PRICES[placed.space - 1]
        tower = self.deals.stock.discards
        tower[placed.color - 1] += price - placed.wilds - 1
        tower[self.wild] += placed.wilds
        self.points[placed.seat] += placed.points

    def _deals(self, dealt: summer_pavilion_pb2.SummerPavilionDealt) -> None:
        if dealt.HasField("factory"):
            return self.deals.fills(_FACTORY_TILES, dealt.tiles)
        self.deals.fills(_SUPPLY_TILES - self.supply, dealt.tiles)
        self.supply += sum(counts(dealt.tiles, PAVILION_COLORS))
        return None
