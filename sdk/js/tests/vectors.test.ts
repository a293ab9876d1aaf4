// The test vectors that all SDKs share.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  azul,
  commitment,
  connectEngine,
  drawTiles,
  matchSeed,
  summerPavilion,
  type Engine,
  type Ruleset,
  type Side,
} from "azulejo-sdk";
import { bytes, hex } from "./support/hex.js";
import { PROJECT, Server } from "./support/server.js";

function vectors<T>(name: string): T[] {
  const path = join(PROJECT, "tests/sdk/vectors", name);
  assert.ok(existsSync(path), `${path} does not exist`);
  const read = JSON.parse(readFileSync(path, "utf8")) as T[];
  assert.ok(read.length > 0, `${path} is empty`);
  return read;
}

let server: Server;
let engine: Engine;
before(async () => {
  server = await Server.start();
  engine = connectEngine({ server: server.url });
});
after(async () => {
  engine.close();
  await server.stop();
});

interface DrawVector {
  seed: string;
  drawn: number;
  bag: Record<string, number>;
  lid: Record<string, number>;
  count: number;
  tiles: string[];
}

test("the shared vectors of the draw", () => {
  for (const { seed, drawn, bag, lid, count, tiles } of vectors<DrawVector>("draw.json")) {
    // The bag names every color, in the order of the enum.
    const colors = Object.keys(bag);
    const named = [...Object.keys(lid), ...tiles];
    assert.ok(
      named.every((color) => colors.includes(color)),
      `colors of ${seed}`,
    );
    const stock = {
      drawn,
      bag: colors.map((color) => bag[color] ?? 0),
      discards: colors.map((color) => lid[color] ?? 0),
    };
    const made = drawTiles(bytes(seed), stock, count).tiles.map((tile) => colors[tile]);
    assert.deepEqual(made, tiles, JSON.stringify({ seed, drawn, bag, lid, count }));
  }
});

interface FairnessVector {
  match_id: string;
  secret: string;
  nonces: (string | null)[];
  commitment: string;
  seed: string;
}

test("the shared vectors of commitment and seed", () => {
  for (const vector of vectors<FairnessVector>("fairness.json")) {
    const secret = bytes(vector.secret);
    const nonces = vector.nonces.map((nonce) => bytes(nonce ?? ""));
    assert.equal(hex(commitment(vector.match_id, secret)), vector.commitment);
    assert.equal(hex(matchSeed(vector.match_id, secret, nonces)), vector.seed);
  }
});

interface TranscriptVector {
  ruleset: string;
  seed: string;
  sha256: string;
}

test("the shared transcripts of whole games", async () => {
  for (const { ruleset, seed, sha256 } of vectors<TranscriptVector>("transcripts.json")) {
    assert.equal(await transcript(engine, rulesetOf(ruleset), bytes(seed)), sha256, ruleset);
  }
});

test("a transcript depends on the seed and on nothing else", async () => {
  const of = (number: number) => transcript(engine, azul(2), new Uint8Array(32).fill(number));
  const [one, same, other] = [await of(1), await of(1), await of(2)];
  assert.equal(one, same);
  assert.notEqual(one, other);
});

/** The ruleset of a key like `azul-colored-2` or `summer-pavilion-gray-4`. */
function rulesetOf(key: string): Ruleset {
  const [, game, side, players] = /^(azul|summer-pavilion)-(colored|gray)-([234])$/.exec(key) ?? [];
  assert.ok(side === "colored" || side === "gray", `not a ruleset: ${key}`);
  const make: (players: number, side: Side) => Ruleset = game === "azul" ? azul : summerPavilion;
  return make(Number(players), side);
}

/** Plays move number (turn mod moves) at every turn, and hashes the moves and the totals. */
async function transcript(engine: Engine, ruleset: Ruleset, seed: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  let { state, due } = await engine.newGame(ruleset, { seed });
  for (let turn = 0; due?.due.case === "seat"; turn += 1) {
    assert.ok(state);
    const { moves } = await engine.legalMoves(state);
    const move = moves[turn % moves.length];
    assert.ok(move);
    hash.update(`${move.notation}\n`);
    ({ state, due } = await engine.apply(state, move, { seed }));
  }
  assert.equal(due?.due.case, "gameOver");
  assert.ok(state);
  const { score } = await engine.score(state);
  hash.update(`${score?.seats.map(({ total }) => total.toString()).join(" ") ?? ""}\n`);
  return hash.digest("hex");
}
