import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { azul, Code, REASONS, RULES, run, UsageError } from "azulejo-sdk";
import { AzulejoError } from "azulejo-sdk";
import { isPassing } from "#sdk/errors";
import { backoff } from "#sdk/time";
import { SDK as VERSION } from "#sdk/version";
import { PROJECT, SDK } from "./support/server.js";

const readme = readFileSync(join(PROJECT, "proto/README.md"), "utf8");

function listed(heading: string): string[] {
  const section = readme.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...section.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, word]) => word ?? "");
}

test("the reasons and rules are those of the contract", () => {
  const reasons = ["Reasons", "Before the engine", "The arena"].flatMap(listed);
  assert.deepEqual([...REASONS], [...new Set(reasons)].sort());
  assert.deepEqual([...RULES], listed("Rules"));
});

test("the version that the arena is told is that of the package", () => {
  const { version } = JSON.parse(readFileSync(join(SDK, "package.json"), "utf8")) as {
    version: string;
  };
  assert.equal(VERSION, `js/${version}`);
});

test("only what may pass is tried again", () => {
  const passes = (code: Code, reason: string) =>
    isPassing(new AzulejoError("", { code, reason, metadata: {}, fieldViolations: [] }));
  assert.ok(passes(Code.Unavailable, "GOING_AWAY"));
  assert.ok(passes(Code.ResourceExhausted, "OVERLOADED"));
  assert.ok(passes(Code.Internal, ""), "the way to the server said so");
  assert.ok(!passes(Code.Internal, "INTERNAL"), "the server said so");
  assert.ok(!passes(Code.Aborted, "REPLACED"));
  assert.ok(!passes(Code.Unauthenticated, "UNKNOWN_TOKEN"));
  assert.ok(!passes(Code.InvalidArgument, "ILLEGAL_MOVE"));
});

test("the wait before another attempt grows, has an end, and honours the server", () => {
  const longest = (attempt: number, asked?: number) =>
    Math.max(...Array.from({ length: 200 }, () => backoff(attempt, asked)));
  assert.ok(longest(0) <= 75);
  assert.ok(longest(3) > longest(0));
  assert.ok(longest(1_000) <= 7_500);
  assert.ok(Math.min(...Array.from({ length: 200 }, () => backoff(0, 4_000))) >= 2_000);
  assert.ok(new Set(Array.from({ length: 20 }, () => backoff(5))).size > 10, "never the same");
});

test("options that cannot be are refused before anything begins", async () => {
  const bot = { choose: () => 0 };
  const refused = async (options: Parameters<typeof run>[1], what: RegExp) =>
    assert.rejects(
      run(bot, options),
      (error) => error instanceof UsageError && what.test(error.message),
    );
  await refused({}, /AZULEJO_TOKEN/);
  await refused({ token: "azb_a b" }, /token/);
  await refused({ token: "azb_a", gamesAtOnce: 9 }, /gamesAtOnce/);
  await refused({ token: "azb_a", stopAfter: 0 }, /stopAfter/);
  await refused({ register: "nobody" }, /owner\/name/);
});

test("a ruleset names its game, its side and its players", () => {
  const { game } = azul(3, "gray");
  assert.equal(game.case, "azul");
  assert.equal(game.value.players, 3);
});
