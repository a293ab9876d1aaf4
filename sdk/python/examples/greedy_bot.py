"""Plays by rule of thumb, without asking the engine: many tiles, few of them on the floor."""

import azulejo
from azulejo import game


class GreedyBot(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        return max(turn.legal_moves, key=lambda move: worth(turn.state, turn.seat, move.move))

    def match_ended(self, ended: azulejo.MatchEnded, fair: bool | None) -> None:
        place = ended.match.result.seats[ended.seat].placement if ended.match.result.seats else "-"
        print(f"{ended.match.pool.name} {ended.match.id}: place {place}, fair: {fair}")  # noqa: T201


def worth(state: game.GameState, seat: int, move: game.Move) -> float:
    if move.azul.HasField("take"):
        return worth_of_take(state.azul, seat, move.azul.take)
    kind = move.summer_pavilion.WhichOneof("move")
    if kind == "take":
        take = move.summer_pavilion.take
        table = state.summer_pavilion
        source = table.factories[take.factory - 1] if take.factory else table.center
        name = game.SummerPavilionColor.Name(take.color).rsplit("_", 1)[1].lower()
        return float(getattr(source, name))
    # Any placement before passing, the dearest first.
    return float(move.summer_pavilion.place.space) if kind == "place" else 0.0


def worth_of_take(table: game.AzulState, seat: int, take: game.AzulTake) -> float:
    source = table.factories[take.factory - 1] if take.factory else table.center
    tiles = int(getattr(source, game.AzulColor.Name(take.color).rsplit("_", 1)[1].lower()))
    if not take.line:
        return -2.0 * tiles
    # A board whose lines are all empty does not name them.
    lines = table.boards[seat].lines
    room = take.line - (lines[take.line - 1].tiles if lines else 0)
    completes = tiles >= room
    return min(tiles, room) - 2.0 * max(0, tiles - room) + (1.0 if completes else 0.0)


if __name__ == "__main__":
    azulejo.run(GreedyBot(), name="greedy-bot", games_at_once=2)
