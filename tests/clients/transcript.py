"""The games that are played, and the transcript by which clients are compared."""

import hashlib
import json
import os
import pathlib
import sys

from google.protobuf import json_format

HERE = pathlib.Path(__file__).parent
GAMES = json.loads((HERE / "games.json").read_text())


def named(name):
    return next(game for game in GAMES if game["name"] == name)


def chosen(moves, ply):
    """The move that is played: a fixed rule, the same in every driver."""
    moves = sorted(moves, key=lambda move: move[0])
    return moves[(ply * 7 + 3) % len(moves)][1]


def canonical(message):
    """JSON with sorted keys and without fields at their default."""
    tree = json_format.MessageToDict(message)
    return json.dumps(tree, sort_keys=True, separators=(",", ":"))


def digest(message):
    return hashlib.sha256(canonical(message).encode()).hexdigest()


class Transcript:
    """One game as one client saw it: a line for each move, and the score."""

    def __init__(self, client, game):
        self.path = pathlib.Path(os.environ["TRANSCRIPTS"]) / client / f"{game['name']}.txt"
        self.lines = []
        self.plies = 0

    def began(self, answer):
        self.lines.append(f"new {digest(answer.state)} {digest(answer)}")

    def moved(self, notation, legal, answer):
        self.plies += 1
        state = digest(answer.state)
        self.lines.append(f"{self.plies} {notation} {digest(legal)} {state} {digest(answer)}")

    def ended(self, answer):
        expect(answer.finished, "Score says that the game is over")
        self.lines.append(f"score {canonical(answer)}")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("\n".join(self.lines) + "\n")


def ok(text):
    print(f"ok      {text}", flush=True)


def played(client, games, moves):
    ok(f"{client}: games played: {games}, moves: {moves}")


def expect(condition, text):
    if not condition:
        print(f"FAILED  {text}", flush=True)
        sys.exit(1)


def expect_equal(got, wanted, text):
    expect(got == wanted, f"{text}: wanted {wanted!r}, got {got!r}")
