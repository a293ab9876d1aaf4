"""Takes as many tiles as it can use, and puts few on the floor line."""

import azulejo


class GreedyBot(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        return max(turn.legal_moves, key=value)

    def match_ended(self, ended: azulejo.MatchEnded, fair: bool | None) -> None:
        place = ended.match.result.seats[ended.seat].placement if ended.match.result.seats else "-"
        print(f"{ended.match.pool.name} {ended.match.id}: place {place}, fair: {fair}")  # noqa: T201


def value(move: azulejo.LegalMove) -> int:
    if move.HasField("azul_effect"):
        azul = move.azul_effect
        return azul.tiles_to_line + azul.wall_points - 2 * (azul.tiles_to_floor + azul.tiles_to_lid)
    # The most tiles, then the most expensive placement. A pass costs nothing, so it comes last.
    pavilion = move.summer_pavilion_effect
    return pavilion.tiles_taken + pavilion.cost


if __name__ == "__main__":
    azulejo.run(GreedyBot(), name="greedy-bot", max_concurrent_matches=2)
