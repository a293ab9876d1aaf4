"""Looks one move ahead: plays the move with the best effect. The server computes the effects."""

import random

import azulejo
from azulejo import game


class OnePly(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        best = max(value(move) for move in turn.legal_moves)
        return random.choice([move for move in turn.legal_moves if value(move) == best])


def value(move: azulejo.LegalMove) -> float:
    if move.HasField("azul_effect"):
        return value_azul(move.azul_effect)
    if move.move.summer_pavilion.HasField("pass"):
        return -100.0
    return value_summer_pavilion(move.summer_pavilion_effect)


def value_azul(effect: game.AzulEffect) -> float:
    """Points now, and a little for progress on a pattern line."""
    gain = effect.wall_points + effect.completes_line + 0.25 * effect.tiles_to_line
    return gain - effect.floor_penalty - effect.tiles_to_lid


def value_summer_pavilion(effect: game.SummerPavilionEffect) -> float:
    """Points now, and tiles by their use: bonus tiles are free, wild tiles fit everywhere."""
    gain = effect.points + 2.0 * effect.bonus_tiles + 0.5 * effect.tiles_taken
    return gain - 0.5 * effect.wilds_paid - effect.points_lost


if __name__ == "__main__":
    azulejo.run(OnePly(), name="one-ply", max_concurrent_matches=2)
