// Whole games by connect-node: gRPC, and the Connect protocol as binary, as JSON and by GET.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fromJson, toJson } from "@bufbuild/protobuf";
import { clientOf, expect, expectEqual, ok, seeded, transports, used } from "./engine.mjs";
import {
  ApplyResponseSchema,
  LegalMovesResponseSchema,
  NewGameResponseSchema,
  ScoreResponseSchema,
} from "./gen/js/azulejo/engine/v1/engine_pb.js";
import { GameStateSchema } from "./gen/js/azulejo/game/v1/game_pb.js";
import { RulesetSchema } from "./gen/js/azulejo/game/v1/rules_pb.js";

const games = JSON.parse(readFileSync(new URL("./games.json", import.meta.url), "utf8"));

// JSON with sorted keys and without fields at their default.
const canonical = (schema, message) => JSON.stringify(toJson(schema, message), sorted);
function sorted(_key, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
const digest = (schema, message) =>
  createHash("sha256").update(canonical(schema, message)).digest("hex");

// Each move by another of its three names.
function named(move, ply) {
  const field = ["actionId", "notation", "move"][ply % 3];
  return { case: field, value: move[field] };
}

async function play(client, game) {
  const chance = seeded(game.seed);
  const ruleset = fromJson(RulesetSchema, game.ruleset);
  let answer = await client.newGame({ ruleset, chance });
  const began = digest(NewGameResponseSchema, answer);
  const lines = [`new ${digest(GameStateSchema, answer.state)} ${began}`];
  let ply = 0;
  while (answer.due.due.case !== "gameOver") {
    const { state } = answer;
    const legal = await client.legalMoves({ state });
    const moves = legal.moves.toSorted((a, b) => a.actionId - b.actionId);
    const move = moves[(ply * 7 + 3) % moves.length];
    answer = await client.apply({ state, action: named(move, ply), chance });
    ply += 1;
    const digests = [
      digest(LegalMovesResponseSchema, legal),
      digest(GameStateSchema, answer.state),
      digest(ApplyResponseSchema, answer),
    ];
    lines.push(`${ply} ${move.notation} ${digests.join(" ")}`);
  }
  const score = await client.score({ state: answer.state });
  expect(score.finished, "Score says that the game is over");
  lines.push(`score ${canonical(ScoreResponseSchema, score)}`);
  return { lines, ply };
}

for (const [name, transport] of Object.entries(transports)) {
  const played = games.filter((game) => !name.endsWith("gzip") || game.name === "azul-gray-4");
  const folder = `${process.env.TRANSCRIPTS}/${name}`;
  mkdirSync(folder, { recursive: true });
  Object.assign(used, { GET: 0, POST: 0 });
  let moves = 0;
  for (const game of played) {
    const { lines, ply } = await play(clientOf(transport), game);
    writeFileSync(`${folder}/${game.name}.txt`, lines.join("\n") + "\n");
    moves += ply;
  }
  if (name.includes("get")) {
    // NewGame is the only one that has a side effect.
    expectEqual(used.POST, played.length, `${name}: calls by POST`);
    expectEqual(used.GET, 2 * moves + played.length, `${name}: calls by GET`);
  }
  ok(`${name}: games played: ${played.length}, moves: ${moves}`);
}
process.exit(0);
