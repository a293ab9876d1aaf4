// Errors as connect-node sees them, by gRPC and by the Connect protocol.
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { clientOf, expect, expectEqual, ok, seeded, transports } from "./engine.mjs";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/js/google/rpc/error_details_pb.js";
import { AzulColor } from "./gen/js/azulejo/game/v1/azul_pb.js";
import { BoardSide } from "./gen/js/azulejo/game/v1/rules_pb.js";

const rules = (players) => ({ side: BoardSide.COLORED, players });
const azul = { game: { case: "azul", value: rules(2) } };
const pavilion = { game: { case: "summerPavilion", value: rules(4) } };
// Blue tiles from the center, which is empty at the start.
const take = {
  source: { case: "center", value: {} },
  color: AzulColor.BLUE,
  destination: { case: "line", value: 1 },
};
const action = {
  case: "move",
  value: { game: { case: "azul", value: { move: { case: "take", value: take } } } },
};

async function refused(call, text) {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  return expect(false, `${text}: it was not refused`);
}

function expectReason(error, reason, metadata, text) {
  const infos = error.findDetails(ErrorInfoSchema);
  expectEqual(infos.length, 1, `${text}: how many ErrorInfo`);
  const [info] = infos;
  const got = { reason: info.reason, domain: info.domain, metadata: info.metadata };
  expectEqual(got, { reason, domain: "azulejo", metadata }, text);
}

async function illegalMove(name, client) {
  const text = `${name}: an illegal move`;
  const { state } = await client.newGame({ ruleset: azul, chance: seeded(1) });
  const error = await refused(client.apply({ state, action }), text);
  expectEqual(Code[error.code], "InvalidArgument", text);
  expectReason(error, "ILLEGAL_MOVE", { rule: "COLOR_ABSENT" }, text);
  const fields = error.findDetails(BadRequestSchema).flatMap((bad) => bad.fieldViolations);
  expectEqual(fields.map(({ field }) => field), ["move"], `${text}: the wrong field`);
  ok(`${text} is InvalidArgument, ILLEGAL_MOVE, rule COLOR_ABSENT`);
}

// The error of a batch is that of Apply, as a message.
async function batchError(name, client) {
  const text = `${name}: an illegal move in a batch`;
  const { state } = await client.newGame({ ruleset: azul, chance: seeded(1) });
  const { results } = await client.batchApply({ requests: [{ state, action }] });
  const { case: kind, value } = results[0].result;
  expectEqual([kind, Code[value.code]], ["error", "InvalidArgument"], text);
  const [info] = value.details.map((any) => anyUnpack(any, ErrorInfoSchema)).filter(Boolean);
  expectEqual([info.reason, info.metadata.rule], ["ILLEGAL_MOVE", "COLOR_ABSENT"], text);
  const [bad] = value.details.map((any) => anyUnpack(any, BadRequestSchema)).filter(Boolean);
  expectEqual(bad.fieldViolations.map(({ field }) => field), ["move"], text);
  ok(`${text} is InvalidArgument, ILLEGAL_MOVE, rule COLOR_ABSENT`);
}

// More than can be done in 20 ms.
async function late(client, options, text) {
  const { state } = await client.newGame({ ruleset: pavilion, chance: seeded(1) });
  const request = { state, games: 10_000, seed: seeded(1).value };
  const error = await refused(client.playouts(request, options), text);
  expectEqual(Code[error.code], "DeadlineExceeded", text);
  return error;
}

const baseUrl = process.env.URL;
const protocols = {
  "connect-node-grpc": {
    transport: createGrpcTransport({ baseUrl }),
    header: ["grpc-timeout", "20m"],
  },
  "connect-node-binary": {
    transport: createConnectTransport({ baseUrl, httpVersion: "2", useBinaryFormat: true }),
    header: ["connect-timeout-ms", "20"],
  },
  "connect-node-json": {
    transport: createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
    header: ["connect-timeout-ms", "20"],
  },
};

for (const [name, transport] of Object.entries(transports)) {
  await illegalMove(name, clientOf(transport));
  await batchError(name, clientOf(transport));
}
for (const [name, { transport, header }] of Object.entries(protocols)) {
  const client = clientOf(transport);
  const text = `${name}: a deadline of 20 ms`;
  await late(client, { timeoutMs: 20 }, text);
  ok(`${text} is DeadlineExceeded`);
  // Only the server knows of this one, so that the answer is its own.
  const told = `${name}: a deadline of 20 ms that only the server knows`;
  const error = await late(client, { headers: [header] }, told);
  expectReason(error, "DEADLINE_EXCEEDED", {}, told);
  ok(`${told} is DeadlineExceeded, DEADLINE_EXCEEDED`);
}
process.exit(0);
