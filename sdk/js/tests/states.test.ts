// States and legal moves as the engine returns them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AzulejoError, connectEngine, type Engine } from "azulejo-sdk";
import { Server } from "./support/server.js";

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

/** States of all rulesets: the first one, and some after a few moves. */
async function* states() {
  for (const { ruleset, key } of await engine.listRulesets()) {
    assert.ok(ruleset);
    let { state, due } = await engine.newGame(ruleset, { seed: 7 });
    for (let turn = 0; due?.due.case === "seat" && turn < 40; turn += 1) {
      assert.ok(state);
      if (turn % 13 === 0) {
        yield { key, state, turn };
      }
      const { moves } = await engine.legalMoves(state);
      const move = moves[turn % moves.length];
      assert.ok(move);
      ({ state, due } = await engine.apply(state, move, { seed: 7 }));
    }
  }
}

const parts = ({ name, message, code, reason, metadata, fieldViolations }: AzulejoError) => ({
  name,
  message,
  code,
  reason,
  metadata,
  fieldViolations,
});

test("every board of a fresh state is complete", async () => {
  for (const { ruleset, key } of await engine.listRulesets()) {
    assert.ok(ruleset);
    const { state } = await engine.newGame(ruleset, { seed: 1 });
    const game = state?.game;
    if (game?.case === "azul") {
      const { boards, bag, lid, center } = game.value;
      assert.equal(boards.length, ruleset.game.value?.players, key);
      assert.ok(bag && lid && center, key);
      for (const { lines, wall, floor, hasMarker } of boards) {
        assert.equal(lines.length, 5, key);
        assert.equal(wall.length, 25, key);
        assert.ok(floor, key);
        assert.equal(hasMarker, false, key);
      }
    } else {
      assert.ok(game?.case === "summerPavilion", key);
      const { boards, bag, tower, supply, center, passedSeats } = game.value;
      assert.equal(boards.length, ruleset.game.value?.players, key);
      assert.ok(bag && tower && supply && center, key);
      assert.deepEqual(passedSeats, [], key);
      for (const { spaces, hand, hasToken } of boards) {
        assert.equal(spaces.length, 42, key);
        assert.ok(hand, key);
        assert.equal(hasToken, false, key);
      }
    }
  }
});

test("a state survives as one line of text", async () => {
  let count = 0;
  for await (const { key, state, turn } of states()) {
    const text = await engine.formatPosition(state);
    assert.doesNotMatch(text, /\n/);
    const parsed = await engine.parsePosition(text);
    const where = `${key} after ${turn.toString()} moves: ${text}`;
    assert.deepEqual(parsed.state, state, where);
    assert.equal(parsed.due?.due.case, "seat", where);
    count += 1;
  }
  assert.ok(count > 24);
});

test("text that is not a position is refused with its reason", async () => {
  await assert.rejects(engine.parsePosition("not a position"), (error) => {
    assert.ok(error instanceof AzulejoError);
    assert.equal(error.reason, "BAD_POSITION_TEXT");
    return true;
  });
});

test("every legal move carries the effect of its game", async () => {
  for await (const { key, state } of states()) {
    const { moves } = await engine.legalMoves(state);
    const effect = `${state.game.case ?? ""}Effect`;
    assert.deepEqual([...new Set(moves.map((move) => move.effect.case))], [effect], key);
  }
});

test("errors of a batch carry code, reason, metadata and field, like those of single calls", async () => {
  const reasons = new Set<string>();
  for await (const { key, state } of states()) {
    // Unreadable, unknown, and legal in no state of this test.
    const actions = ["not a move", 1_000_000, state.game.case === "azul" ? "r1c1" : "=O4"];
    const errors = await engine.batchApply(actions.map((action) => ({ state, action })));
    for (const [index, action] of actions.entries()) {
      const error = errors[index];
      const single: unknown = await engine.apply(state, action).catch((error: unknown) => error);
      assert.ok(error instanceof AzulejoError && single instanceof AzulejoError, key);
      assert.equal(error.fieldViolations.length, 1);
      assert.deepEqual(parts(error), parts(single));
      reasons.add(error.reason);
    }
  }
  assert.deepEqual([...reasons], ["BAD_NOTATION", "NO_SUCH_ACTION", "ILLEGAL_MOVE"]);
});
