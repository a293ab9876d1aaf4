"""Looks one move ahead: tries every move on a copy of the game, and then plays random games.

The engine runs in this process, so `best` needs no server.
"""

import azulejo

PLAYOUTS = 24


class OnePly(azulejo.Bot):
    def choose(self, turn: azulejo.Turn) -> azulejo.Choice:
        return best(azulejo.Game.from_state(turn.state))


def best(game: azulejo.Game) -> int:
    """The action id with the best mean lead at the end of random games."""
    seat = game.current_player
    assert seat is not None, "a seat has to decide"
    return max(game.legal_actions(), key=lambda action: value(game, action, seat))


def value(game: azulejo.Game, action: int, seat: int) -> float:
    after = game.clone()
    after.apply(action)
    played = after.playouts(PLAYOUTS)
    others = (played.scores_of(other) for other in range(played.seats) if other != seat)
    lead = sum(played.scores_of(seat)) - max(sum(scores) for scores in others)
    return lead / PLAYOUTS


if __name__ == "__main__":
    azulejo.run(OnePly(), name="one-ply", max_concurrent_matches=2)
