// What the engine inside the process refuses, and that nothing breaks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  load,
  PlayError,
  type Batch as LocalBatch,
  type Game as LocalGame,
} from "azulejo-sdk/local";
import { breakDown } from "./support/broken.js";
import { Choices } from "./support/choices.js";

const local = await load();
const { Game, Batch, verify, layout } = local;

function refused(call: () => unknown, reason: string, rule?: string): void {
  assert.throws(call, (error: unknown) => {
    assert.ok(error instanceof PlayError, String(error));
    assert.deepEqual([error.reason, error.rule], [reason, rule], error.message);
    return error.message !== "";
  });
}

/** What is not an argument of this type, for callers without TypeScript. */
const odd = (value: unknown): never => value as never;

test("an illegal move names the rule, and changes nothing", () => {
  const game = new Game("azul-colored-2", { chance: "seed", seed: 1 });
  const before = game.text();
  for (const [id, byte] of game.mask().slice().entries()) {
    if (byte === 0) {
      refused(() => game.apply(id), "ILLEGAL_MOVE", "COLOR_ABSENT");
    }
  }
  for (const id of [180, 65536, 2 ** 31, 2 ** 32, 2 ** 32 + 1, -1, 0.5, NaN, Infinity]) {
    refused(() => game.apply(id), "NO_SUCH_ACTION");
    refused(() => game.actionText(id), "NO_SUCH_ACTION");
  }
  for (const text of ["3Q1", "", "\0", "é", "x".repeat(100_000)]) {
    refused(() => game.apply(text), "BAD_NOTATION");
    refused(() => game.actionId(text), "BAD_NOTATION");
  }
  for (const value of [undefined, null, 7n, {}, [], true, Symbol("move")]) {
    refused(() => game.apply(odd(value)), "WRONG_TYPE");
    refused(() => game.actionText(odd(value)), "WRONG_TYPE");
    refused(() => game.actionId(odd(value)), "WRONG_TYPE");
    refused(() => game.applyOutcome(odd(value)), "WRONG_TYPE");
  }
  refused(() => game.applyOutcome("B4"), "NO_DEAL_DUE");
  refused(() => game.chanceOutcomes(), "NO_DEAL_DUE");
  refused(() => game.sampleOutcome(), "NO_DEAL_DUE");
  refused(() => game.observe(2), "NO_SUCH_SEAT");
  for (const seat of [
    -1,
    4,
    2 ** 31,
    2 ** 32,
    2 ** 32 + 1,
    -(2 ** 32),
    2 ** 80,
    Number.MIN_SAFE_INTEGER,
  ]) {
    refused(() => game.observe(seat), "NO_SUCH_SEAT");
    refused(() => game.observeScaled(seat), "NO_SUCH_SEAT");
  }
  for (const seat of [0.5, NaN, Infinity, null, "0", 0n]) {
    refused(() => game.observe(odd(seat)), "WRONG_TYPE");
  }
  refused(() => game.returns(odd("draw")), "NO_SUCH_VALUE");
  refused(() => game.bestMove("chess"), "NO_SUCH_VALUE");
  refused(() => game.bestMove("strong:0"), "NO_SUCH_VALUE");
  refused(() => game.playouts(0), "OUT_OF_RANGE");
  refused(() => game.playouts(2 ** 31), "OUT_OF_MEMORY");
  refused(() => game.playouts(10, { bots: ["greedy", "greedy", "greedy"] }), "OUT_OF_RANGE");
  refused(() => game.playOut(-1n), "BAD_SEED");
  refused(() => game.copyFrom(new Game("azul-gray-2")), "OTHER_GAME");
  for (const other of [{}, undefined, null, 5, "game"]) {
    refused(() => game.copyFrom(odd(other)), "OTHER_GAME");
  }
  refused(() => game.bestMove("greedy", odd(null)), "WRONG_TYPE");
  refused(() => game.bestMove(odd(5)), "WRONG_TYPE");
  refused(() => game.playouts(1, odd(null)), "WRONG_TYPE");
  refused(() => game.playouts(1, { bots: odd("greedy") }), "WRONG_TYPE");
  refused(() => game.playouts(1, { bots: odd([5]) }), "WRONG_TYPE");
  refused(() => local.playouts("azul", 1), "NO_SUCH_RULESET");
  refused(() => local.playouts("azul-colored-2", 0), "OUT_OF_RANGE");
  assert.equal(game.text(), before);
  game.playOut(1);
  refused(() => game.apply(0), "ILLEGAL_MOVE", "GAME_OVER");
  refused(() => game.bestMove(), "NO_TURN");
});

test("a bad deal is refused", () => {
  const game = new Game("azul-colored-2", { chance: "explicit" });
  const before = game.text();
  refused(() => game.applyOutcome("Q4"), "BAD_TILES");
  refused(() => game.applyOutcome("B3"), "IMPOSSIBLE_DEAL", "DEAL_SIZE");
  refused(() => game.apply(0), "ILLEGAL_MOVE", "DEAL_DUE");
  refused(() => game.bestMove(), "NO_TURN");
  assert.equal(game.text(), before);
});

test("a bad start is refused", () => {
  for (const key of ["azul", "azul-colored-5", "", "azul-colored-2 ", "\0"]) {
    refused(() => new Game(key), "NO_SUCH_RULESET");
    refused(() => layout(key), "NO_SUCH_RULESET");
    refused(() => new Batch(key, 1), "NO_SUCH_RULESET");
  }
  refused(() => new Game("azul-colored-2\nexplicit"), "BAD_MESSAGE");
  for (const seat of [2, -1, 2 ** 32, 2 ** 80, -(2 ** 53)]) {
    refused(() => new Game("azul-colored-2", { startSeat: seat }), "NO_SUCH_SEAT");
    refused(() => new Batch("azul-colored-2", 4, { start: seat }), "NO_SUCH_SEAT");
    const learner = { seat, opponents: "random" };
    refused(() => new Batch("azul-colored-2", 4, { learner }), "NO_SUCH_SEAT");
  }
  for (const seat of [1.5, NaN, null, {}, 1n]) {
    refused(() => new Batch("azul-colored-2", 4, { start: odd(seat) }), "WRONG_TYPE");
    const learner = { seat: odd(seat), opponents: "random" };
    refused(() => new Batch("azul-colored-2", 4, { learner }), "WRONG_TYPE");
  }
  refused(() => new Game("azul-colored-2", { startSeat: 1.5 }), "WRONG_TYPE");
  refused(() => new Game("azul-colored-2", odd(null)), "WRONG_TYPE");
  refused(() => new Batch("azul-colored-2", 4, odd(null)), "WRONG_TYPE");
  refused(() => new Batch("azul-colored-2", 4, { learner: odd({}) }), "WRONG_TYPE");
  refused(() => new Game("azul-colored-2", { chance: odd(5n) }), "NO_SUCH_VALUE");
  refused(() => new Game(odd(5)), "WRONG_TYPE");
  for (const seed of [-1, -1n, 2n ** 64n, 1.5, NaN, 2 ** 53, "7"]) {
    refused(() => new Game("azul-colored-2", { seed: odd(seed) }), "BAD_SEED");
  }
  refused(() => new Game("azul-colored-2", { chance: "seed", seed: "7x" }), "BAD_SEED");
  refused(() => new Game("azul-colored-2", { chance: odd("dice") }), "NO_SUCH_VALUE");
  refused(() => Game.parse("azul colored"), "BAD_POSITION_TEXT");
  refused(() => Game.parse(""), "BAD_POSITION_TEXT");
  refused(() => Game.fromState(new Uint8Array(0)), "FIELD_MISSING");
  refused(() => Game.fromState(new Uint8Array(40).fill(255)), "BAD_MESSAGE");
  refused(() => Game.fromState(odd({})), "BAD_MESSAGE");
  refused(() => Game.fromState(odd(null)), "WRONG_TYPE");
  refused(() => Game.fromObservation("azul-colored-2", [0, 0, 0]), "BAD_OBSERVATION");
  refused(() => Game.fromObservation("azul-colored-2", new Uint8Array(171)), "BAD_OBSERVATION");
  refused(() => Game.fromObservation("chess", []), "NO_SUCH_RULESET");
});

test("values that are not those of an observation are refused, and not made into others", () => {
  const values = Array.from(new Game("azul-colored-2", { seed: 1 }).observe());
  assert.equal(Game.fromObservation("azul-colored-2", values).round, 1);
  for (const value of [256, 257, -1, 0.5, NaN, 2 ** 32, odd("0"), odd(undefined), odd(1n)]) {
    const changed = values.map((own, at) => (at === 3 ? value : own));
    refused(() => Game.fromObservation("azul-colored-2", changed), "WRONG_TYPE");
  }
  for (const other of [null, undefined, 5, {}, { length: -1 }, { length: 1n }]) {
    refused(() => Game.fromObservation("azul-colored-2", odd(other)), "WRONG_TYPE");
  }
  refused(() => Game.fromObservation("azul-colored-2", { length: 2 ** 52 }), "BAD_OBSERVATION");
});

test("absurd batches are refused", () => {
  for (const games of [0, 2 ** 20 + 1]) {
    refused(() => new Batch("azul-colored-2", games), "OUT_OF_RANGE");
  }
  for (const games of [-1, 1.5, NaN, odd("8")]) {
    refused(() => new Batch("azul-colored-2", games), "OUT_OF_RANGE");
  }
  // Five gigabytes.
  refused(() => new Batch("summer-pavilion-gray-4", 2 ** 20), "OUT_OF_MEMORY");
  refused(() => new Batch("azul-colored-2", 4, { start: 2 }), "NO_SUCH_SEAT");
  refused(() => new Batch("azul-colored-2", 4, { start: odd("last") }), "NO_SUCH_VALUE");
  refused(() => new Batch("azul-colored-2", 4, { returns: odd("draw") }), "NO_SUCH_VALUE");
  refused(() => new Batch("azul-colored-2", 4, { view: odd("top") }), "NO_SUCH_VALUE");
  refused(() => new Batch("azul-colored-2", 4, { observations: odd("f16") }), "NO_SUCH_VALUE");
  const learner = { seat: 0, opponents: "chess" };
  refused(() => new Batch("azul-colored-2", 4, { learner }), "NO_SUCH_VALUE");
});

test("if one action of a batch is illegal, no game moves", () => {
  const batch = new Batch("azul-colored-2", 4, { seed: 1 });
  const before = Array.from(batch.obs);
  const legal = Array.from(batch.sample());
  for (const action of [179, 180, -1, 2 ** 31, 1.5, NaN, odd(undefined)]) {
    assert.throws(() => {
      batch.step([...legal.slice(1), action]);
    }, PlayError);
  }
  refused(() => {
    batch.step([0]);
  }, "WRONG_COUNT");
  for (const actions of [null, 5, "0000", {}]) {
    assert.throws(() => {
      batch.step(odd(actions));
    }, PlayError);
  }
  refused(() => batch.game(4), "OUT_OF_RANGE");
  batch.observe();
  assert.deepEqual(Array.from(batch.obs), before);
  batch.step(legal);
  assert.notDeepEqual(Array.from(batch.obs), before);
});

test("a text that is not a record is refused", () => {
  for (const text of [
    "",
    "{}",
    "[]",
    "null",
    '{"format":"azulejo-record/9"}',
    "\0",
    "{".repeat(9999),
  ]) {
    refused(() => verify(text), "BAD_RECORD");
  }
  refused(() => verify(odd({})), "WRONG_TYPE");
  const untrue = `{"format":"azulejo-record/1","seats":[],"game":"azul colored 2 start 0",
    "checks":"","result":{"score":{"seats":[],"winners":[]},"check":""}}`;
  refused(() => verify(untrue), "FALSE_RECORD");
});

test("a closed game or batch is refused, and can be closed again", () => {
  const game = new Game("azul-colored-2");
  const other = game.clone();
  game.close();
  game.close();
  const calls: (() => unknown)[] = [
    () => game.isTerminal,
    () => game.isChance,
    () => game.currentPlayer,
    () => game.round,
    () => game.legal(),
    () => game.mask(),
    () => game.apply(0),
    () => game.apply(-1),
    () => game.apply("3B2"),
    () => game.actionText(0),
    () => game.actionId("3B2"),
    () => game.clone(),
    () => game.copyFrom(other),
    () => other.copyFrom(game),
    () => game.chanceOutcomes(),
    () => game.applyOutcome("B4"),
    () => game.sampleOutcome(),
    () => game.returns(),
    () => game.scores(),
    () => game.ranks(),
    () => game.observe(),
    () => game.observeScaled(),
    () => game.hash(),
    () => game.text(),
    () => game.svg(),
    () => game.drawing(),
    () => game.bestMove(),
    () => game.playOut(),
    () => game.playouts(1),
  ];
  for (const call of calls) {
    refused(call, "CLOSED");
  }
  // Its place is used again, and the old object still refuses.
  const next = new Game("azul-colored-2");
  refused(() => game.text(), "CLOSED");
  assert.notEqual(next.text(), "");
  const batch = new Batch("azul-colored-2", 2);
  batch.close();
  batch.close();
  for (const call of [
    () => batch.obs,
    () => batch.mask,
    () => {
      batch.step([0, 0]);
    },
    () => {
      batch.reset(1);
    },
    () => batch.sample(),
    () => batch.game(0),
  ]) {
    refused(call, "CLOSED");
  }
});

/** A random value: mostly something that is not an argument. */
function value(choices: Choices): unknown {
  const values = [
    ...[0, 1, 5, 90, 179, -1, 1e9, 2 ** 32, 0.5, NaN, -Infinity, 7n, -7n, 2n ** 70n],
    ...[
      "",
      "3B2",
      "B2YR",
      "azul-colored-2",
      "summer-pavilion-gray-3",
      "strong:3n",
      "\n",
      "\u{d800}",
    ],
    ...[
      null,
      undefined,
      true,
      [],
      [1, 2],
      {},
      new Uint8Array(171),
      { seed: 1n },
      { chance: "explicit" },
    ],
  ];
  return values[choices.below(values.length)];
}

// A million random calls; by default fewer, to be fast.
const CALLS = Number(process.env.AZULEJO_RANDOM_CALLS ?? 100_000);

test(`${String(CALLS)} random calls return or throw an error, and the engine works afterwards`, () => {
  const choices = new Choices(99n);
  const games: LocalGame[] = [new Game("azul-colored-2", { seed: 1n })];
  const batches: LocalBatch[] = [new Batch("azul-gray-2", 2, { seed: 1n })];
  const names = (of: object) =>
    Object.getOwnPropertyNames(of).filter((name) => name !== "constructor");
  // Slow ones are left out: what they do depends on the arguments alone.
  const onGames = names(Game.prototype).filter((name) => !["svg", "playouts"].includes(name));
  const onBatches = names(Batch.prototype);
  let returned = 0;
  for (let call = 0; call < CALLS; call++) {
    const onGame = choices.below(4) > 0;
    const [objects, methods] = onGame ? [games, onGames] : [batches, onBatches];
    const object = objects[choices.below(objects.length)] as unknown as Record<string, unknown>;
    const method = methods[choices.below(methods.length)] ?? "";
    const legal = onGame && choices.below(2) > 0;
    try {
      const member = object[method];
      const first =
        legal && method === "apply" ? (object as unknown as LocalGame).legal()[0] : value(choices);
      const result =
        typeof member === "function"
          ? (member as (...given: unknown[]) => unknown).call(object, first, value(choices))
          : member;
      returned += 1;
      if (result instanceof Game && games.length < 50) {
        games.push(result);
      }
    } catch (error) {
      assert.ok(error instanceof PlayError, `${method}: ${String(error)}`);
    }
    if (games.length > 40 || choices.below(200) === 0) {
      games.splice(0, games.length - 5).forEach((game) => {
        game.close();
      });
      const keys = ["azul-colored-2", "azul-gray-4", "summer-pavilion-colored-3"];
      const key = keys[choices.below(keys.length)] ?? "";
      games.push(new Game(key, { chance: choices.below(3) === 0 ? "explicit" : "auto", seed: 2 }));
      batches.splice(0).forEach((batch) => {
        batch.close();
      });
      batches.push(new Batch(key, 2, { seed: 3 }));
    }
  }
  assert.ok(returned > CALLS / 10, `${String(returned)} calls returned`);
  const game = new Game("azul-colored-2", { chance: "seed", seed: 7 });
  game.playOut(1n);
  assert.ok(game.isTerminal);
});

test("an engine that stops in a call says so, refuses every further call, and leaves others alone", async () => {
  const engine = await load();
  const game = new engine.Game("azul-colored-2", { seed: 1 });
  const batch = new engine.Batch("azul-colored-2", 2, { seed: 1 });
  const other = new Game("azul-colored-2", { seed: 1 });
  const error = breakDown(engine);
  assert.ok(error instanceof PlayError, String(error));
  assert.equal(error.reason, "ENGINE_FAILED");
  assert.ok(error.cause instanceof RangeError, String(error.cause));
  const calls: (() => unknown)[] = [
    () => game.legal(),
    () => game.apply(0),
    () => game.text(),
    () => game.clone(),
    () => new engine.Game("azul-gray-2"),
    () => new engine.Batch("azul-gray-2", 2),
    () => engine.verify("{}"),
    () => engine.living,
    () => {
      batch.step([0, 0]);
    },
  ];
  for (const call of calls) {
    refused(call, "ENGINE_FAILED");
  }
  game.close();
  batch.close();
  assert.ok(other.legal().length > 0);
  assert.ok(new (await load()).Game("azul-colored-2").legal().length > 0);
});

test("closed games and batches leave nothing behind", async () => {
  const engine = await load();
  const play = () => {
    const game = new engine.Game("summer-pavilion-gray-4", { seed: 1 });
    const clone = game.clone();
    clone.playOut(2);
    clone.close();
    game.close();
    const batch = new engine.Batch("azul-gray-2", 64, { seed: 2 });
    batch.step(batch.sample());
    const { byteLength } = batch.obs.buffer;
    batch.close();
    return byteLength;
  };
  const before = play();
  for (let round = 0; round < 3000; round++) {
    play();
  }
  assert.equal(play(), before);
  assert.equal(engine.living, 0);
});

test("games that were not closed are released with the last reference", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const engine = await load();
  const game = new engine.Game("azul-colored-2", { seed: 1 });
  for (let copy = 0; copy < 10_000; copy++) {
    game.clone();
  }
  assert.ok(engine.living > 5000);
  for (let wait = 0; wait < 100 && engine.living > 1; wait++) {
    collect();
    await new Promise((soon) => setTimeout(soon, 20));
  }
  assert.equal(engine.living, 1);
  assert.equal(game.round, 1);
});
