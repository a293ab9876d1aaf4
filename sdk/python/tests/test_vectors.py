"""The vectors that every SDK runs."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from support import ROOT

import azulejo
from azulejo import fair_play
from azulejo.draw import Stock


def vectors(name: str) -> list[dict[str, Any]]:
    path = ROOT / "tests/sdk/vectors" / name
    found: list[dict[str, Any]] = json.loads(path.read_text())
    assert found, f"{name} is empty"
    return found


def transcript(engine: azulejo.Engine, rules: str, seed: bytes) -> str:
    """SHA-256 of a game in which turn t plays the move number t mod (number of legal moves)."""
    lines: list[str] = []
    answer = engine.new_game(rules, seed=seed)
    state, due = answer.state, answer.due
    while due.WhichOneof("due") != "game_over":
        moves = engine.legal_moves(state).moves
        move = moves[len(lines) % len(moves)]
        lines.append(f"{move.notation}\n")
        applied = engine.apply(state, move, seed=seed)
        state, due = applied.state, applied.due
    totals = [str(seat.total) for seat in engine.score(state).score.seats]
    return hashlib.sha256("".join([*lines, " ".join(totals) + "\n"]).encode()).hexdigest()


def test_draws_are_those_of_the_vectors() -> None:
    for vector in vectors("draw.json"):
        colors = list(vector["bag"])
        stock = Stock(
            list(vector["bag"].values()),
            [vector["lid"].get(color, 0) for color in colors],
            vector["drawn"],
        )
        seed = bytes.fromhex(vector["seed"])
        drawn = [stock.draw(seed) for _ in range(vector["count"])]
        assert [colors[tile] for tile in drawn if tile is not None] == vector["tiles"]


def test_commitments_and_seeds_are_those_of_the_vectors() -> None:
    for vector in vectors("fairness.json"):
        secret = bytes.fromhex(vector["secret"])
        nonces = [bytes.fromhex(nonce or "") for nonce in vector["nonces"]]
        match_id = vector["match_id"]
        assert fair_play.commitment(match_id, secret).hex() == vector["commitment"]
        assert fair_play.seed(match_id, secret, nonces).hex() == vector["seed"]


def test_transcripts_are_those_of_the_vectors(engine: azulejo.Engine) -> None:
    for vector in vectors("transcripts.json"):
        seed = bytes.fromhex(vector["seed"])
        assert transcript(engine, vector["ruleset"], seed) == vector["sha256"], vector


def test_the_same_seed_gives_the_same_transcript(engine: azulejo.Engine) -> None:
    seed = bytes(range(32))
    first = transcript(engine, "azul-colored-2", seed)
    assert first == transcript(engine, "azul-colored-2", seed)
    assert first != transcript(engine, "azul-colored-2", bytes(32))
