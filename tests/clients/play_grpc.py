"""Whole games by grpcio, the gRPC of Python: all by calls that block, one by asyncio."""

import asyncio
import os
import sys

import grpc
from azulejo.engine.v1 import engine_pb2 as engine
from azulejo.engine.v1 import engine_pb2_grpc
from azulejo.game.v1 import chance_pb2, rules_pb2
from google.protobuf import json_format

from transcript import GAMES, Transcript, chosen, named, played


def play(client, game):
    """Yields calls as (method, request), is sent their answers; returns the number of moves."""
    transcript = Transcript(client, game)
    seed = chance_pb2.Seed(number=game["seed"])
    ruleset = json_format.ParseDict(game["ruleset"], rules_pb2.Ruleset())
    answer = yield "NewGame", engine.NewGameRequest(ruleset=ruleset, seed=seed)
    transcript.began(answer)
    while answer.due.WhichOneof("due") != "game_over":
        ply = transcript.plies
        legal = yield "LegalMoves", engine.LegalMovesRequest(state=answer.state)
        move = chosen([(move.action_id, move) for move in legal.moves], ply)
        # Each move by another of its three names.
        field = ("action_id", "notation", "move")[ply % 3]
        action = {field: getattr(move, field)}
        answer = yield "Apply", engine.ApplyRequest(state=answer.state, seed=seed, **action)
        transcript.moved(move.notation, legal, answer)
    transcript.ended((yield "Score", engine.ScoreRequest(state=answer.state)))
    return transcript.plies


def blocking(client, game, stub):
    steps = play(client, game)
    try:
        method, request = next(steps)
        while True:
            method, request = steps.send(getattr(stub, method)(request, timeout=10))
    except StopIteration as end:
        return end.value


async def with_asyncio(client, game, address):
    async with grpc.aio.insecure_channel(address) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        steps = play(client, game)
        try:
            method, request = next(steps)
            while True:
                method, request = steps.send(await getattr(stub, method)(request, timeout=10))
        except StopIteration as end:
            return end.value


def main():
    address = os.environ["ADDRESS"]
    with grpc.insecure_channel(address) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        moves = sum(blocking("grpcio", game, stub) for game in GAMES)
    played("grpcio", len(GAMES), moves)
    with grpc.insecure_channel(address, compression=grpc.Compression.Gzip) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        moves = blocking("grpcio-gzip", named("azul-gray-4"), stub)
    played("grpcio-gzip", 1, moves)
    moves = asyncio.run(with_asyncio("grpcio-asyncio", named("pavilion-gray-3"), address))
    played("grpcio-asyncio", 1, moves)


sys.exit(main())
