"""The fair-play check: proof that the deals were not chosen, and that the rules were kept.

Before the first deal the arena commits to a secret; then every bot sends a nonce; the seed of all
deals is derived from both. At the end the secret is revealed, and everything that the bot saw must
follow from it: commitment, nonces, seed, every deal, every move, every state, the result. The
engine in the process plays the match again; no server is asked.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import Literal

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from ._native import Game
from .errors import AzulejoError, PlayError
from .gen.arena.v1 import arena_pb2, play_pb2
from .gen.game.v1 import game_pb2
from .rulesets import key
from .watch import Mismatch, Watcher, watcher

Element = Literal["commitment", "nonce", "first deal", "move", "score", "rules"]

_SENTENCES: dict[Element, str] = {
    "commitment": "the secret does not match the commitment",
    "nonce": "the nonces are not those that the seats sent",
    "first deal": "the first deal does not follow from the seed",
    "move": "turn {turn} or the deals before or after it do not follow from the seed",
    "score": "the final score does not follow from the moves",
    "rules": "turn {turn} or the state before it does not follow the rules",
}


class UnfairError(AzulejoError):
    """The fair-play check of a match failed. Keep the record and inform the organiser."""

    def __init__(self, match_id: str, element: Element, turn: int | None = None) -> None:
        super().__init__(f"match {match_id}: {_SENTENCES[element].format(turn=turn)}")
        self.match_id = match_id
        self.element = element
        self.turn = turn


def commitment(match_id: str, secret: bytes) -> bytes:
    """The commitment, which the arena publishes before the first deal."""
    return hashlib.sha256(b"azulejo-commit-v1" + match_id.encode() + secret).digest()


def seed(match_id: str, secret: bytes, nonces: Iterable[bytes]) -> bytes:
    """The seed of a match. The nonces are in the order of the seats; b"" if a seat has none."""
    info = b"azulejo-deal-v1" + b"".join(nonces)
    return HKDF(SHA256(), 32, salt=match_id.encode(), info=info).derive(secret)


class Seen:
    """What the bot saw of a match from its start."""

    def __init__(self, starting: play_pb2.MatchStarting) -> None:
        self.match_id = starting.match.id
        self.seat = starting.seat
        self.commitment = starting.match.commitment
        self.ruleset = starting.match.pool.ruleset
        self.nonce = secrets.token_bytes(32)
        self.first: game_pb2.GameState | None = None
        self.nonces: list[bytes] = []
        self.moves: list[play_pb2.MoveMade] = []
        self.shown: dict[int, game_pb2.GameState] = {}

    def started(self, started: play_pb2.MatchStarted) -> None:
        self.first = started.state
        self.nonces = list(started.nonces)

    def moved(self, made: play_pb2.MoveMade) -> None:
        self.moves.append(made)

    def turned(self, turn: play_pb2.Turn) -> None:
        self.shown[turn.turn] = turn.state

    def check(self, ended: play_pb2.MatchEnded) -> bool:
        """Whether the whole match was seen and verified. Raises UnfairError."""
        if not ended.HasField("reveal"):
            return False
        reveal = ended.reveal
        if commitment(self.match_id, reveal.secret) != self.commitment:
            raise UnfairError(self.match_id, "commitment")
        self._check_nonces(reveal)
        turns = [made.turn for made in self.moves]
        if self.first is None or turns != list(range(ended.match.turns)):
            return False
        game = watcher(self.first, seed(self.match_id, reveal.secret, reveal.nonces))
        self._check_deals(game, self.first)
        self._check_score(game, ended.match)
        self._check_rules(
            self.first, ended.match, seed(self.match_id, reveal.secret, reveal.nonces)
        )
        return True

    def _check_nonces(self, reveal: arena_pb2.Reveal) -> None:
        """A seat has no nonce if the match was voided before the seat was ready."""
        nonces = list(reveal.nonces)
        own = nonces[self.seat] if self.seat < len(nonces) else b""
        wrong = own not in (b"", self.nonce) or (self.first is not None and own != self.nonce)
        if wrong or (self.first is not None and nonces != self.nonces):
            raise UnfairError(self.match_id, "nonce")

    def _check_deals(self, game: Watcher, first: game_pb2.GameState) -> None:
        try:
            game.begins(first)
        except Mismatch:
            raise UnfairError(self.match_id, "first deal") from None
        for made in self.moves:
            try:
                if made.turn in self.shown:
                    game.shows(self.shown[made.turn])
                for event in made.events:
                    game.hears(event)
            except (Mismatch, IndexError):
                raise UnfairError(self.match_id, "move", made.turn) from None

    def _check_score(self, game: Watcher, match: arena_pb2.Match) -> None:
        if not match.result.HasField("score"):
            return
        seats = match.result.score.seats
        right = [seat.points for seat in seats] == game.points
        if game.totals is not None:
            right = right and [seat.total for seat in seats] == game.totals
        if not right:
            raise UnfairError(self.match_id, "score")

    def _check_rules(self, first: game_pb2.GameState, match: arena_pb2.Match, deals: bytes) -> None:
        """Plays the match again: every state, every move, and the score must be the same."""
        game = self._begins(first, deals)
        for made in self.moves:
            shown = self.shown.get(made.turn)
            try:
                fits = shown is None or Game.from_state(shown, chance="explicit") == game
                fits = fits and game.current_player == made.seat
                fits = fits and game.action_text(made.move.action_id) == made.move.notation
                game.apply(made.move.action_id)
            except PlayError:
                fits = False
            if not fits:
                raise UnfairError(self.match_id, "rules", made.turn)
        if not match.result.HasField("score"):
            return
        score = match.result.score
        winners = [seat for seat, rank in enumerate(game.ranks()) if rank == 1]
        same = [seat.total for seat in score.seats] == game.scores()
        if not same or list(score.winners) != winners or (score.end != 0) != game.is_terminal:
            raise UnfairError(self.match_id, "score")

    def _begins(self, first: game_pb2.GameState, deals: bytes) -> Game:
        """The game of the ruleset whose first deals follow from the seed."""
        for seat in range(len(self.nonces)):
            try:
                name = key(self.ruleset)
                game = Game(name, seed=deals.hex(), chance="seed", start_seat=seat)
                if Game.from_state(first, chance="explicit") == game:
                    return game
            except PlayError:
                break
        raise UnfairError(self.match_id, "first deal")
