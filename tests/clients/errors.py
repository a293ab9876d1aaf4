"""Errors and health as grpcio sees them; errors as curl sees them."""

import base64
import json
import os
import subprocess
import sys

import grpc
from azulejo.engine.v1 import engine_pb2 as engine
from azulejo.engine.v1 import engine_pb2_grpc
from azulejo.game.v1 import azul_pb2, chance_pb2, game_pb2, rules_pb2
from google.protobuf import json_format
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from transcript import expect, expect_equal, ok

SEED = chance_pb2.Seed(number=1)
AZUL = rules_pb2.AzulRules(side=rules_pb2.BOARD_SIDE_COLORED, players=2)
PAVILION = rules_pb2.SummerPavilionRules(side=rules_pb2.BOARD_SIDE_COLORED, players=4)
# Blue tiles from the center, which is empty at the start.
TAKE = azul_pb2.AzulTake(center=rules_pb2.Center(), color=azul_pb2.AZUL_COLOR_BLUE, line=1)
MOVE = game_pb2.Move(azul=azul_pb2.AzulMove(take=TAKE))
ILLEGAL = {"reason": "ILLEGAL_MOVE", "domain": "azulejo", "metadata": {"rule": "COLOR_ABSENT"}}


def refused(call, code, text):
    """The rich status of a call that must fail."""
    try:
        call()
    except grpc.RpcError as error:
        expect_equal(error.code(), code, text)
        return rpc_status.from_call(error)
    return expect(False, f"{text}: it was not refused")


def error_info(details):
    """The one ErrorInfo among details of the type google.protobuf.Any."""
    infos = [error_details_pb2.ErrorInfo() for _ in details]
    found = [info for info, detail in zip(infos, details) if detail.Unpack(info)]
    expect_equal(len(found), 1, "how many ErrorInfo")
    return json_format.MessageToDict(found[0])


def illegal_move(stub):
    text = "grpcio: an illegal move"
    ruleset = rules_pb2.Ruleset(azul=AZUL)
    state = stub.NewGame(engine.NewGameRequest(ruleset=ruleset, seed=SEED)).state
    request = engine.ApplyRequest(state=state, move=MOVE)
    for compression in (grpc.Compression.NoCompression, grpc.Compression.Gzip):
        status = refused(
            lambda: stub.Apply(request, timeout=10, compression=compression),
            grpc.StatusCode.INVALID_ARGUMENT,
            text,
        )
        expect_equal(error_info(status.details), ILLEGAL, text)
    ok(f"{text} is INVALID_ARGUMENT, ILLEGAL_MOVE, rule COLOR_ABSENT")
    return json_format.MessageToDict(request)


def wrong_fields(details):
    """The paths in BadRequest among details of the type google.protobuf.Any."""
    found = [error_details_pb2.BadRequest() for _ in details]
    for bad, detail in zip(found, details):
        detail.Unpack(bad)
    return [violation.field for bad in found for violation in bad.field_violations]


def wrong_field(stub):
    """The same error by Apply and by BatchApply."""
    text = "grpcio: a wrong field"
    ruleset = rules_pb2.Ruleset(azul=AZUL)
    state = stub.NewGame(engine.NewGameRequest(ruleset=ruleset, seed=SEED)).state
    state.azul.turn_seat = 2
    request = engine.ApplyRequest(state=state, action_id=0)
    code = grpc.StatusCode.INVALID_ARGUMENT
    alone = refused(lambda: stub.Apply(request, timeout=10), code, text)
    batch = stub.BatchApply(engine.BatchApplyRequest(requests=[request]), timeout=10)
    for status in (alone, batch.results[0].error):
        expect_equal((status.code, status.message), (code.value[0], alone.message), text)
        expect_equal(error_info(status.details)["reason"], "OUT_OF_RANGE", text)
        expect_equal(wrong_fields(status.details), ["state.azul.turn_seat"], text)
    ok(f"{text} is named by Apply and BatchApply: OUT_OF_RANGE, state.azul.turn_seat")
    return json_format.MessageToDict(request)


def curl_wrong_field(body):
    """JSON requests get the names of fields in the spelling of JSON."""
    text, path = "curl: a wrong field", "state.azul.turnSeat"
    status, answer = curl("Apply", body)
    expect_equal((status, answer["code"]), (400, "invalid_argument"), text)
    found = [one["debug"] for one in answer["details"] if one["type"] == "google.rpc.BadRequest"]
    expect_equal([one["fieldViolations"][0]["field"] for one in found], [path], text)
    status, answer = curl("BatchApply", {"requests": [body]})
    expect_equal(status, 200, text)
    error = answer["results"][0]["error"]
    details = {one["@type"].rsplit("/", 1)[1]: one for one in error["details"]}
    expect_equal(error["code"], grpc.StatusCode.INVALID_ARGUMENT.value[0], text)
    expect_equal(details["google.rpc.ErrorInfo"]["reason"], "OUT_OF_RANGE", text)
    violations = details["google.rpc.BadRequest"]["fieldViolations"]
    expect_equal([one["field"] for one in violations], [path], text)
    ok(f"{text} is named by Apply and BatchApply: OUT_OF_RANGE, {path}")


def late(stub):
    text = "grpcio: a deadline of 20 ms"
    ruleset = rules_pb2.Ruleset(summer_pavilion=PAVILION)
    state = stub.NewGame(engine.NewGameRequest(ruleset=ruleset, seed=SEED)).state
    request = engine.PlayoutsRequest(state=state, games=10_000, seed=SEED)
    code = grpc.StatusCode.DEADLINE_EXCEEDED
    refused(lambda: stub.Playouts(request, timeout=0.02), code, text)
    ok(f"{text} is DEADLINE_EXCEEDED")
    return json_format.MessageToDict(request)


def curl(method, body, header="accept: */*"):
    """The HTTP status and the body."""
    url = f"{os.environ['URL']}/azulejo.engine.v1.EngineService/{method}"
    command = ["curl", "--silent", "--show-error", "--max-time", "10", "--data-binary", "@-"]
    command += ["--header", "content-type: application/json", "--header", header]
    command += ["--write-out", "\n%{http_code}", url]
    done = subprocess.run(command, input=json.dumps(body), capture_output=True, text=True)
    expect_equal(done.returncode, 0, f"curl {method}: {done.stderr}")
    answer, status = done.stdout.rsplit("\n", 1)
    return int(status), json.loads(answer)


def curl_refused(method, body, wanted, header="accept: */*"):
    """Both forms of the ErrorInfo: the bytes, and the debug text beside them."""
    status, answer = curl(method, body, header)
    text = f"curl: {method}"
    expect_equal((status, answer["code"]), wanted, text)
    found = [one for one in answer["details"] if one["type"] == "google.rpc.ErrorInfo"]
    expect_equal(len(found), 1, f"{text}: how many ErrorInfo")
    # Connect leaves the padding out.
    value = base64.b64decode(found[0]["value"] + "===")
    info = json_format.MessageToDict(error_details_pb2.ErrorInfo.FromString(value))
    debug = json_format.ParseDict(found[0]["debug"], error_details_pb2.ErrorInfo())
    expect_equal(json_format.MessageToDict(debug), info, f"{text}: the debug text")
    return info


def health(port, channel):
    stub = health_pb2_grpc.HealthStub(channel)
    for service in ("", "live", "ready"):
        answer = stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=10)
        serving = health_pb2.HealthCheckResponse.SERVING
        expect_equal(answer.status, serving, f"health of {service!r} on the {port} port")
        ok(f"grpcio: health of {service!r} on the {port} port is SERVING")
    text = f"grpcio: health of an unknown service on the {port} port"
    unknown = health_pb2.HealthCheckRequest(service="azulejo.engine.v9.EngineService")
    refused(lambda: stub.Check(unknown, timeout=10), grpc.StatusCode.NOT_FOUND, text)
    ok(f"{text} is NOT_FOUND")


def main():
    with grpc.insecure_channel(os.environ["ADDRESS"]) as channel:
        stub = engine_pb2_grpc.EngineServiceStub(channel)
        illegal = illegal_move(stub)
        wrong = wrong_field(stub)
        playouts = late(stub)
        health("public", channel)
    with grpc.insecure_channel(os.environ["ADMIN_ADDRESS"]) as channel:
        health("admin", channel)
    info = curl_refused("Apply", illegal, (400, "invalid_argument"))
    expect_equal(info, ILLEGAL, "curl: an illegal move")
    ok("curl: an illegal move is HTTP 400, invalid_argument, ILLEGAL_MOVE, rule COLOR_ABSENT")
    curl_wrong_field(wrong)
    in_time = "connect-timeout-ms: 20"
    info = curl_refused("Playouts", playouts, (504, "deadline_exceeded"), in_time)
    expect_equal(info["reason"], "DEADLINE_EXCEEDED", "curl: a deadline of 20 ms")
    ok("curl: a deadline of 20 ms is HTTP 504, deadline_exceeded, DEADLINE_EXCEEDED")


sys.exit(main())
