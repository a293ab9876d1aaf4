"""Whole games by programs of the command line that speak JSON: curl and buf curl.

The state goes back to the server as it came, word for word.
"""

import json
import os
import subprocess
import sys

from azulejo.engine.v1 import engine_pb2 as engine
from google.protobuf import json_format

from transcript import GAMES, Transcript, chosen, expect, named, played

URL = os.environ["URL"]
SERVICE = "azulejo.engine.v1.EngineService"


def curl(method):
    command = ["curl", "--silent", "--show-error", "--fail-with-body", "--max-time", "10"]
    url = f"{URL}/{SERVICE}/{method}"
    if method == "LegalMoves":
        query = ["--get", "--data", "connect=v1&encoding=json", "--data-urlencode", "message@-"]
        return [*command, *query, url]
    header = ["--header", "content-type: application/json"]
    return [*command, *header, "--data-binary", "@-", url]


def buf_curl(*options):
    buf = [os.environ["BUF"], "curl", "--http2-prior-knowledge", *options, "--data", "@-"]
    return lambda method: [*buf, f"{URL}/{SERVICE}/{method}"]


def call(command, method, body):
    """The answer twice: as it came, and as a message, which a field that is unknown would spoil."""
    done = subprocess.run(
        command(method), input=json.dumps(body), capture_output=True, text=True, timeout=30
    )
    expect(done.returncode == 0, f"{command(method)}: {done.stdout}{done.stderr}")
    message = getattr(engine, f"{method}Response")()
    return json.loads(done.stdout), json_format.Parse(done.stdout, message)


def play(client, game, command):
    transcript = Transcript(client, game)
    seed = {"number": str(game["seed"])}
    raw, answer = call(command, "NewGame", {"ruleset": game["ruleset"], "seed": seed})
    transcript.began(answer)
    while "gameOver" not in raw["due"]:
        ply = transcript.plies
        moves, legal = call(command, "LegalMoves", {"state": raw["state"]})
        move = chosen([(move.get("actionId", 0), move) for move in moves["moves"]], ply)
        field = ("actionId", "notation", "move")[ply % 3]
        body = {"state": raw["state"], "seed": seed, field: move.get(field, 0)}
        raw, answer = call(command, "Apply", body)
        transcript.moved(move["notation"], legal, answer)
    transcript.ended(call(command, "Score", {"state": raw["state"]})[1])
    return transcript.plies


def main():
    shorts = [named("azul-short"), named("pavilion-short")]
    grpc = buf_curl("--protocol", "grpc")
    connect = buf_curl("--protocol", "connect")
    for client, games, command in (
        ("curl", GAMES, curl),
        ("buf-curl-grpc", shorts, grpc),
        ("buf-curl-connect", shorts, connect),
    ):
        moves = sum(play(client, game, command) for game in games)
        played(client, len(games), moves)


sys.exit(main())
