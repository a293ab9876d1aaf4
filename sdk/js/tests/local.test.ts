// The engine inside the process: the same games as in every other language.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { load, type ChanceOptions, type Game as LocalGame } from "azulejo-sdk/local";
import { Choices } from "./support/choices.js";
import { SDK } from "./support/server.js";

const { Game, Batch, layout, playouts, rulesets } = await load();

const transcripts = JSON.parse(
  readFileSync(join(SDK, "../../service/play/tests/transcripts.json"), "utf8"),
) as Record<string, string>;

function digest(ruleset: string): string {
  const hash = createHash("sha256");
  for (let seed = 0; seed < 200; seed++) {
    const game = new Game(ruleset, { chance: "seed", seed });
    const choices = new Choices(BigInt(seed));
    while (!game.isTerminal) {
      hash.update(`${game.text()}\n`).update(game.mask()).update(game.observe());
      hash.update(game.hash().toString(16).padStart(16, "0"));
      game.apply(choices.of(game.legal()));
    }
    hash.update(`${game.text()}\n${game.scores().join(",")}\n`);
    game.close();
  }
  return hash.digest("hex");
}

test("two hundred games of each ruleset have the digest that all SDKs expect", () => {
  assert.deepEqual(Object.keys(transcripts).sort(), [...rulesets].sort());
  for (const [ruleset, expected] of Object.entries(transcripts)) {
    assert.equal(digest(ruleset), expected, ruleset);
  }
});

/** A game after some moves. */
function middle(ruleset: string, moves: number, seed = 3): LocalGame {
  const game = new Game(ruleset, { seed });
  const choices = new Choices(BigInt(seed));
  for (let move = 0; move < moves && !game.isTerminal; move++) {
    game.apply(choices.of(game.legal()));
  }
  return game;
}

test("legal moves, the mask, ids and texts agree", () => {
  for (const ruleset of rulesets) {
    const game = middle(ruleset, 15);
    const legal = Array.from(game.legal());
    const mask = Array.from(game.mask());
    assert.equal(mask.length, game.actionCount);
    assert.deepEqual(
      legal,
      mask.flatMap((byte, id) => (byte === 1 ? [id] : [])),
    );
    for (const id of legal) {
      assert.equal(game.actionId(game.actionText(id)), id);
    }
    const byText = game.clone().apply(game.actionText(legal[0] ?? 0));
    assert.equal(
      byText.text(),
      game
        .clone()
        .apply(legal[0] ?? 0)
        .text(),
    );
  }
});

test("a position is the same after text, observation, clone and copy", () => {
  for (const ruleset of rulesets) {
    const game = middle(ruleset, 20);
    const text = game.text();
    assert.equal(Game.parse(text).text(), text);
    assert.equal(Game.parse(text).hash(), game.hash());
    const clone = game.clone();
    const copy = new Game(ruleset).copyFrom(game);
    for (const same of [clone, copy]) {
      assert.equal(same.text(), text);
      assert.equal(same.currentPlayer, game.currentPlayer);
      assert.ok(same instanceof Game);
    }
    const seen = Game.fromObservation(ruleset, game.observe(0));
    assert.deepEqual(seen.observe(0), game.observe(0));
    // A copy continues with the same deals.
    const choices = [game, clone, copy].map(() => new Choices(5n));
    for (const [number, same] of [game, clone, copy].entries()) {
      while (!same.isTerminal) {
        same.apply(choices[number]?.of(same.legal()) ?? -1);
      }
    }
    assert.equal(game.text(), clone.text());
    assert.equal(copy.text(), clone.text());
  }
});

test("random moves to the end depend on their seed, and not on the deals of the game", () => {
  const text = middle("azul-colored-2", 8).text();
  const end = (seed: number, options: ChanceOptions) => {
    const game = Game.parse(text, options);
    game.playOut(seed);
    return game.text();
  };
  const first = end(5, { seed: 1 });
  assert.equal(end(5, { seed: 2 }), first);
  assert.equal(end(5, { chance: "seed", seed: 3 }), first);
  assert.equal(end(5, { chance: "explicit" }), first);
  assert.notEqual(end(6, { seed: 1 }), first);
});

test("lists are valid until the next call of the same method, also when the memory grows", async () => {
  const engine = await load();
  const game = new engine.Game("azul-gray-2", { seed: 1 });
  const lists = [game.legal(), game.mask(), game.observe(0), game.observeScaled(1)];
  const before = lists.map((list) => Array.from(list));
  assert.ok(before.every(({ length }) => length > 0));
  for (let copy = 0; copy < 20_000; copy++) {
    game.clone();
  }
  new engine.Batch("summer-pavilion-gray-4", 2000, { seed: 1 }).close();
  assert.deepEqual(
    lists.map((list) => Array.from(list)),
    before,
  );
  // The moves can be tried while the engine makes room for the clones.
  let tried = 0;
  for (const id of game.legal()) {
    const clone = game.clone().apply(id);
    new engine.Batch("azul-colored-2", 100, { seed: 1 });
    assert.notEqual(clone.text(), game.text());
    tried++;
  }
  assert.equal(tried, before[0]?.length);
});

test("actions of a step are read before they are played, whatever the reading does", async () => {
  const engine = await load();
  const options = { seed: 4 };
  const plain = new engine.Batch("azul-colored-2", 8, options);
  const tricky = new engine.Batch("azul-colored-2", 8, options);
  const chosen = Array.from(plain.sample());
  const actions = Array.from(chosen);
  Object.defineProperty(actions, 3, {
    get() {
      // The memory grows, and the views of before are empty.
      new engine.Batch("summer-pavilion-gray-4", 2000, { seed: 1 });
      return chosen[3];
    },
  });
  plain.step(chosen);
  tricky.step(actions);
  assert.deepEqual(Array.from(tricky.obs), Array.from(plain.obs));
  assert.deepEqual(Array.from(tricky.actions), chosen);
});

test("a layout cannot be changed", () => {
  const { sections } = layout("azul-colored-2");
  assert.ok(Object.isFrozen(layout("azul-colored-2")) && Object.isFrozen(sections));
  assert.ok(
    sections.every((section) => Object.isFrozen(section) && Object.isFrozen(section.shape)),
  );
});

test("an engine can be loaded after a failed attempt", async () => {
  const file = pathToFileURL(join(SDK, "dist/src/local/index.js")).href;
  const { load: loadFresh } = (await import(`${file}?fresh`)) as { load: typeof load };
  const { compile } = WebAssembly;
  WebAssembly.compile = () => Promise.reject(new RangeError("out of memory"));
  try {
    await assert.rejects(loadFresh, RangeError);
  } finally {
    WebAssembly.compile = compile;
  }
  assert.deepEqual((await loadFresh()).rulesets, rulesets);
});

test("playouts of a ruleset have first deals of their own", () => {
  const options = { bots: ["greedy", "random"], seed: 5n };
  const statistics = playouts("azul-colored-3", 40, options);
  const start = new Game("azul-colored-3", { chance: "explicit" });
  assert.deepEqual(statistics, start.playouts(40, options));
  assert.equal(statistics.seats, 3);
});

test("a scaled observation is the raw one divided by the scales of the layout", () => {
  const game = middle("summer-pavilion-gray-3", 30);
  const { sections, size, version, hash } = game.layout();
  assert.equal(version, "obs1");
  assert.match(hash, /^[0-9a-f]{16}$/);
  const scales = sections.flatMap(({ shape, scale }) =>
    Array.from({ length: shape.reduce((product, length) => product * length, 1) }, () => scale),
  );
  assert.equal(scales.length, size);
  const raw = Array.from(game.observe(1));
  const scaled = game.observeScaled(1);
  raw.forEach((value, at) => {
    assert.ok(Math.abs((scaled[at] ?? -1) - value / (scales[at] ?? 1)) < 1e-6);
  });
  assert.deepEqual(layout("summer-pavilion-gray-3"), game.layout());
});

test("explicit chance has outcomes whose probabilities sum to one", () => {
  const game = new Game("azul-colored-2", { chance: "explicit" });
  assert.deepEqual([game.isChance, game.currentPlayer, game.isTerminal], [true, null, false]);
  let deals = 0;
  while (game.isChance) {
    const outcomes = game.chanceOutcomes();
    const sum = outcomes.reduce((sum, { probability }) => sum + probability, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9);
    if (deals++ % 2 === 0) {
      game.applyOutcome(outcomes[0]?.tiles ?? "");
    } else {
      game.sampleOutcome(4);
    }
  }
  assert.equal(deals, 5);
  assert.equal(game.currentPlayer, 0);
});

test("a finished game has returns that sum to zero, scores and ranks", () => {
  for (const ruleset of rulesets) {
    const game = new Game(ruleset, { seed: 11, startSeat: 1 });
    assert.equal(game.currentPlayer, 1);
    assert.ok(game.returns().every((value) => value === 0));
    assert.ok(game.playOut(1) > 10);
    assert.deepEqual([game.isTerminal, game.currentPlayer], [true, null]);
    const returns = game.returns();
    assert.ok(Math.abs(returns.reduce((sum, value) => sum + value, 0)) < 1e-6);
    const [ranks, scores] = [game.ranks(), game.scores()];
    const best = ranks.indexOf(1);
    assert.ok((returns[best] ?? 0) >= 0 && scores[best] === Math.max(...scores));
    assert.deepEqual(game.returns("points"), scores);
    assert.equal(game.legal().length, 0);
  }
});

test("house bots choose legal moves, and the same iterations choose the same one", () => {
  for (const ruleset of ["azul-colored-2", "summer-pavilion-colored-3"]) {
    const game = middle(ruleset, 8);
    const legal = new Set(game.legal());
    const before = game.text();
    for (const bot of ["random", "greedy", "strong:50n", "strong:5"]) {
      assert.ok(legal.has(game.bestMove(bot, { seed: 3 })), bot);
    }
    const seed = 9;
    assert.equal(game.bestMove("strong:200n", { seed }), game.bestMove("strong:200n", { seed }));
    const chosen = Array.from({ length: 50 }, () => game.bestMove("random"));
    assert.ok(new Set(chosen).size > 1, "the default seed is random");
    assert.equal(game.text(), before);
  }
});

test("a bot with a time budget thinks for that time", () => {
  const game = new Game("azul-colored-2", { seed: 1 });
  const began = performance.now();
  game.bestMove("strong:60");
  const took = performance.now() - began;
  assert.ok(took >= 59 && took < 1000, String(took));
});

test("playouts have a result of every game, and the same seed gives the same games", () => {
  const game = new Game("azul-gray-3", { seed: 1 });
  const options = { bots: ["greedy", "random"], seed: 5n };
  const statistics = game.playouts(40, options);
  assert.deepEqual(statistics, game.playouts(40, options));
  assert.deepEqual([statistics.scores.length, statistics.ranks.length], [120, 120]);
  assert.ok(statistics.lengths.every((length) => length > 20));
  assert.ok(statistics.rounds.every((round) => round >= 5));
  const mean = (seat: number) =>
    statistics.scores.reduce((sum, score, at) => sum + (at % 3 === seat ? score : 0), 0) / 40;
  assert.ok(mean(0) > mean(1) + 10, "greedy is better than random");
});

test("a drawing is a picture, and a text", () => {
  const game = middle("summer-pavilion-colored-2", 12);
  assert.match(game.svg(), /^<svg [\s\S]*<\/svg>\s*$/);
  assert.ok(game.drawing().split("\n").length > 5);
});

test("a batch plays the games that single games play", () => {
  for (const observations of ["scaled", "raw"] as const) {
    const batch = new Batch("azul-gray-2", 8, { seed: 3n, observations });
    let ends = 0;
    for (let step = 0; step < 300; step++) {
      const games = Array.from(batch.done.keys(), (index) => batch.game(index));
      const actions = Array.from(batch.sample());
      games.forEach((game, index) => {
        const own = { mask: batch.actionCount, obs: batch.observationSize };
        assert.equal(batch.seat[index], game.currentPlayer);
        const mask = batch.mask.subarray(index * own.mask, (index + 1) * own.mask);
        assert.deepEqual(Array.from(mask), Array.from(game.mask()));
        const seen = observations === "raw" ? game.observe() : game.observeScaled();
        const obs = batch.obs.subarray(index * own.obs, (index + 1) * own.obs);
        assert.deepEqual(Array.from(obs), Array.from(seen));
        game.apply(actions[index] ?? -1);
      });
      batch.step(actions);
      games.forEach((game, index) => {
        assert.equal(batch.done[index], Number(game.isTerminal));
        const reward = batch.reward.subarray(index * 2, index * 2 + 2);
        assert.deepEqual(Array.from(reward), game.returns());
        ends += Number(game.isTerminal);
        game.close();
      });
    }
    assert.ok(ends > 5);
    batch.close();
  }
});

test("one seat of a batch learns against a house bot", () => {
  const learner = { seat: 1, opponents: "greedy" };
  const batch = new Batch("azul-colored-3", 16, { seed: 3, start: "rotating", learner });
  for (let step = 0; step < 100; step++) {
    assert.ok(batch.seat.every((seat) => seat === 1));
    batch.sample();
    batch.step();
  }
  batch.reset(9);
  const first = Array.from(batch.obs);
  batch.step(batch.sample());
  assert.notDeepEqual(Array.from(batch.obs), first);
  batch.reset(9);
  assert.deepEqual(Array.from(batch.obs), first);
});
