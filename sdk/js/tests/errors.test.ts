import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import {
  azul,
  AzulejoError,
  Code,
  IllegalMoveError,
  REASONS,
  rpc,
  RULES,
  run,
  UsageError,
} from "azulejo-sdk";
import { errorFromStatus, isTransient } from "#sdk/errors";
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

test("the version that the SDK sends is that of the package", () => {
  const { version } = JSON.parse(readFileSync(join(SDK, "package.json"), "utf8")) as {
    version: string;
  };
  assert.equal(VERSION, `js/${version}`);
});

test("an error of a batch is typed by its reason, like that of a call", () => {
  const { BadRequestSchema, ErrorInfoSchema, StatusSchema } = rpc;
  const info = create(ErrorInfoSchema, {
    reason: "ILLEGAL_MOVE",
    domain: "azulejo",
    metadata: { rule: "COLOR_ABSENT" },
  });
  const violation = { field: "notation", description: "no blue tiles in the center" };
  const bad = create(BadRequestSchema, { fieldViolations: [violation] });
  const status = create(StatusSchema, {
    code: 3,
    message: "illegal move",
    details: [anyPack(ErrorInfoSchema, info), anyPack(BadRequestSchema, bad)],
  });
  const error = errorFromStatus(status);
  assert.ok(error instanceof IllegalMoveError);
  assert.equal(error.rule, "COLOR_ABSENT");
  assert.equal(error.message, "illegal move");
  assert.equal(error.code, Code.InvalidArgument);
  assert.deepEqual(error.metadata, { rule: "COLOR_ABSENT" });
  assert.deepEqual(error.fieldViolations, [violation]);
});

test("only transient errors are retried", () => {
  const retried = (code: Code, reason: string) =>
    isTransient(new AzulejoError("", { code, reason, metadata: {}, fieldViolations: [] }));
  assert.ok(retried(Code.Unavailable, "GOING_AWAY"));
  assert.ok(retried(Code.ResourceExhausted, "OVERLOADED"));
  assert.ok(retried(Code.Internal, ""), "from the transport");
  assert.ok(!retried(Code.Internal, "INTERNAL"), "from the server");
  assert.ok(!retried(Code.Aborted, "REPLACED"));
  assert.ok(!retried(Code.Unauthenticated, "UNKNOWN_TOKEN"));
  assert.ok(!retried(Code.InvalidArgument, "ILLEGAL_MOVE"));
});

test("the delay before a retry grows to a limit, and is never less than the server asks for", () => {
  const longest = (attempt: number) =>
    Math.max(...Array.from({ length: 200 }, () => backoff(attempt)));
  assert.ok(longest(0) <= 75);
  assert.ok(longest(3) > longest(0));
  assert.ok(longest(1_000) <= 7_500);
  assert.ok(Math.min(...Array.from({ length: 200 }, () => backoff(0, 4_000))) >= 4_000);
  assert.ok(new Set(Array.from({ length: 20 }, () => backoff(5))).size > 10, "it has jitter");
});

test("invalid options are refused before the first call", async () => {
  const bot = { choose: () => 0 };
  const refused = async (options: Parameters<typeof run>[1], what: RegExp) =>
    assert.rejects(
      run(bot, options),
      (error) => error instanceof UsageError && what.test(error.message),
    );
  await refused({}, /AZULEJO_TOKEN/);
  await refused({ token: "azb_a b" }, /token/);
  await refused({ token: "azb_a", maxConcurrentMatches: 9 }, /maxConcurrentMatches/);
  await refused({ token: "azb_a", stopAfter: 0 }, /stopAfter/);
  await refused({ register: "no-slash" }, /owner\/name/);
});

test("a ruleset names its game, its side and its players", () => {
  const { game } = azul(3, "gray");
  assert.equal(game.case, "azul");
  assert.equal(game.value.players, 3);
});
