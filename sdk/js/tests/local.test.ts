// The engine inside the process: the same games as in every other language.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load, type Game as LocalGame } from "azulejo-sdk/local";
import { Choices } from "./support/choices.js";
import { SDK } from "./support/server.js";

const { Game, Batch, layout, rulesets } = await load();

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
    game.playOut(5);
    clone.playOut(5);
    assert.equal(game.text(), clone.text());
    assert.notEqual(copy.text(), clone.text());
  }
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
    assert.equal(game.bestMove("strong:200n"), game.bestMove("strong:200n"));
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
