// Records are verified without a server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { load, PlayError } from "azulejo-sdk/local";
import { PROGRAM } from "./support/server.js";

const { verify } = await load();

interface Document {
  seed: string;
  game: string;
  checks: string;
  result: { score: { seats: { total: number }[] }; check: string };
}

/** A game that the command line has played. */
function record(...options: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "azulejo-record-"));
  try {
    const file = join(folder, "game.json");
    execFileSync(PROGRAM, ["play", "--plain", "--record", file, ...options], { stdio: "pipe" });
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("the record of a game is verified", () => {
  const azul = record("greedy", "random", "--seed", "5");
  const { seats } = (JSON.parse(azul) as Document).result.score;
  const verified = verify(azul);
  assert.equal(verified.ruleset, "azul-colored-2");
  assert.equal(verified.finished, true);
  assert.deepEqual(
    verified.scores,
    seats.map(({ total }) => total),
  );
  assert.ok(verified.winners.every((seat) => verified.ranks[seat] === 1));
  const options = ["--game", "summer-pavilion", "--board", "gray"];
  const pavilion = record("random", "greedy", "random", ...options);
  assert.equal(verify(pavilion).ruleset, "summer-pavilion-gray-3");
});

test("a changed record is refused with its first defect", () => {
  const text = record("random", "random", "--seed", "6");
  const changed = (change: (document: Document) => void) => {
    const document = JSON.parse(text) as Document;
    change(document);
    return JSON.stringify(document);
  };
  const defects: [string, (document: Document) => void][] = [
    ["the seed deals", (document) => (document.seed = "0".repeat(64))],
    ["step 1", (document) => (document.game = document.game.replace(/start 0 \S+/, "start 0"))],
    ["invalid game", (document) => (document.game += " nonsense")],
    ["checksum", (document) => (document.checks = `ffff${document.checks.slice(4)}`)],
    [
      "score",
      (document) => {
        for (const seat of document.result.score.seats) {
          seat.total += 1;
        }
      },
    ],
    ["checksum", (document) => (document.result.check = "0".repeat(16))],
  ];
  for (const [message, change] of defects) {
    assert.throws(
      () => verify(changed(change)),
      (error: unknown) => {
        assert.ok(error instanceof PlayError);
        assert.equal(error.reason, "FALSE_RECORD");
        assert.ok(error.message.includes(message), error.message);
        return true;
      },
    );
  }
});
