"""The bot interface: `Bot` and its `Turn`."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass

from .board import Board
from .fair_play import UnfairError
from .gen.arena.v1 import arena_pb2, play_pb2
from .gen.game.v1 import game_pb2

Choice = game_pb2.LegalMove | game_pb2.Move | int | str
"""One of the turn's legal moves, a typed move, an action id, or a move in its notation."""


@dataclass(frozen=True)
class Turn:
    """A decision that the bot has to make."""

    message: play_pb2.Turn
    """As the server sent it."""
    server: str | None = None
    """The server that draws the board."""

    @property
    def match_id(self) -> str:
        return self.message.match_id

    @property
    def number(self) -> int:
        """The number of the decision in the match, counted from 0."""
        return self.message.turn

    @property
    def seat(self) -> int:
        """The bot's seat, counted from 0."""
        return self.message.seat

    @property
    def state(self) -> game_pb2.GameState:
        """The complete state: `state.azul` or `state.summer_pavilion`."""
        return self.message.state

    @property
    def legal_moves(self) -> list[game_pb2.LegalMove]:
        """All legal moves with their effects, in ascending order of action ids."""
        return list(self.message.legal_moves)

    @property
    def time_left(self) -> float:
        """Seconds left in the bank when the turn left the server."""
        return self.message.time_left.ToTimedelta().total_seconds()

    @property
    def previous_receipt(self) -> arena_pb2.Receipt | None:
        """The cost of the bot's previous turn, by the server's clock. None before its first."""
        message = self.message
        return message.previous_receipt if message.HasField("previous_receipt") else None

    @property
    def board(self) -> Board:
        """The state as a picture."""
        return Board(self.state, server=self.server)


class Bot:
    """A bot. Only `choose` is required.

    Every method may be `async def`. One that is not runs in its own thread, so that it blocks
    neither heartbeats nor other matches. `choose` may run for several matches at the same time.
    """

    def choose(self, turn: Turn) -> Choice | Awaitable[Choice]:
        """Returns the move for this turn."""
        raise NotImplementedError("a bot needs a method choose(self, turn)")

    def match_starting(self, starting: play_pb2.MatchStarting) -> Awaitable[None] | None:
        """The bot has a seat in a match. On the ladder it names no opponents yet."""

    def match_started(self, started: play_pb2.MatchStarted) -> Awaitable[None] | None:
        """All seats are ready, and the first deal was made. `started.match` has all the seats."""

    def move_made(self, made: play_pb2.MoveMade) -> Awaitable[None] | None:
        """A seat moved."""

    def match_ended(self, ended: play_pb2.MatchEnded, fair: bool | None) -> Awaitable[None] | None:
        """A match is over.

        `fair` is True if all deals follow from the commitment of the arena, False if not, and None
        if the bot did not see the whole match.
        """

    def unfair(self, ended: play_pb2.MatchEnded, error: UnfairError) -> Awaitable[None] | None:
        """The fair-play check of a match failed; `match_ended` follows."""

    def paused(self, paused: play_pb2.Paused) -> Awaitable[None] | None:
        """The bot gets no more matches until it is resumed."""


def answer(turn: Turn, choice: Choice) -> play_pb2.SubmitMoveRequest:
    """The request that submits a choice. The turn is required, also if it is 0."""
    request = play_pb2.SubmitMoveRequest(match_id=turn.match_id, turn=turn.number)
    if isinstance(choice, game_pb2.LegalMove):
        request.action_id = choice.action_id
    elif isinstance(choice, game_pb2.Move):
        request.move.CopyFrom(choice)
    elif isinstance(choice, str):
        request.notation = choice
    elif isinstance(choice, int) and not isinstance(choice, bool):
        request.action_id = choice
    else:
        raise TypeError(f"choose must return a legal move of the turn, not {choice!r}")
    return request
