import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  azul,
  AzulejoError,
  Code,
  connectEngine,
  ExpandView,
  IllegalMoveError,
  summerPavilion,
  type Engine,
  type GameState,
} from "azulejo-sdk";
import { Server } from "./support/server.js";
import { until } from "./support/waiting.js";

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

function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined);
  return value;
}

async function newState(seed = 1): Promise<GameState> {
  return present((await engine.newGame(azul(2), { seed })).state);
}

async function refusal(call: Promise<unknown>): Promise<AzulejoError> {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof AzulejoError);
  return thrown;
}

test("every ruleset is listed, with its key", async () => {
  const rulesets = await engine.listRulesets();
  assert.equal(rulesets.length, 12);
  assert.ok(rulesets.every(({ actionCount, name }) => actionCount > 0 && name !== ""));
  assert.equal(new Set(rulesets.map(({ key }) => key)).size, 12);
  assert.ok(rulesets.some(({ key }) => key === "azul-colored-2"));
});

test("a new game without a seed returns the seed of the engine", async () => {
  const { seed, state } = await engine.newGame(summerPavilion(3, "gray"));
  const again = await engine.newGame(summerPavilion(3, "gray"), { seed: present(seed) });
  assert.deepEqual(again.state, state);
});

test("a move is accepted in every form", async () => {
  const state = await newState();
  const { moves } = await engine.legalMoves(state);
  const move = present(moves[3]);
  const forms = [move, present(move.move), move.actionId, move.notation];
  const states = await Promise.all(forms.map((form) => engine.apply(state, form)));
  assert.equal(states.length, 4);
  states.forEach((next) => {
    assert.deepEqual(next, states[0]);
  });
  assert.notDeepEqual(present(states[0]).state, state);
});

test("a deal that waits has outcomes whose probabilities sum to 1, and can be made", async () => {
  const none = { game: { case: "azul" as const, value: { displays: [] } } };
  const { state, due } = await engine.newGame(azul(2), { displays: none });
  assert.equal(due?.due.case, "deal");
  const { outcomes, allWays } = await engine.dealOutcomes(present(state));
  assert.equal(outcomes.length, 70);
  assert.equal(
    outcomes.reduce((sum, { ways }) => sum + ways, 0n),
    allWays,
  );
  const one = await engine.deal(present(state), { seed: 5 }, 1);
  assert.equal(one.events.length, 1);
  const all = await engine.deal(present(state), { seed: 5 });
  assert.equal(all.events.length, 5);
});

test("expand returns every move with its score, and its state on request", async () => {
  const state = await newState();
  const { moves } = await engine.legalMoves(state);
  const { children } = await engine.expand(state, ExpandView.SCORES);
  assert.deepEqual(
    children.map(({ move }) => move?.actionId),
    moves.map(({ actionId }) => actionId),
  );
  assert.ok(children.every((child) => child.state === undefined && child.score !== undefined));
  const full = await engine.expand(state);
  assert.ok(full.children.every((child) => child.state !== undefined));
});

test("each step of a batch succeeds or fails by itself", async () => {
  const state = await newState();
  const { moves } = await engine.legalMoves(state);
  const steps = [
    { state, action: present(moves[0]), seed: 1 },
    { state, action: "cB1" },
  ];
  const [good, bad] = await engine.batchApply(steps);
  assert.ok(good !== undefined && !(good instanceof AzulejoError));
  assert.deepEqual(good, await engine.apply(state, present(moves[0]), { seed: 1 }));
  assert.ok(bad instanceof IllegalMoveError);
  assert.equal(bad.rule, "COLOR_ABSENT");
});

test("apply returns legal moves and score of the next state on request", async () => {
  const state = await newState();
  const { moves } = await engine.legalMoves(state);
  const step = { state, action: present(moves[0]), seed: 1 };
  const plain = await engine.apply(state, step.action, { seed: 1 });
  assert.deepEqual([plain.legalMoves, plain.score], [[], undefined]);

  const include = { includeLegalMoves: true, includeScore: true };
  const full = await engine.apply(state, step.action, { seed: 1, ...include });
  const next = present(full.state);
  assert.deepEqual(full.legalMoves, (await engine.legalMoves(next)).moves);
  assert.deepEqual(full.score, (await engine.score(next)).score);
  assert.deepEqual(await engine.batchApply([step, { ...step, ...include }]), [plain, full]);
});

test("playouts, score and drawings of a state", async () => {
  const state = await newState();
  const played = await engine.playouts(state, { games: 20, seed: 3 });
  assert.equal(played.games, 20);
  assert.equal(Math.round(played.seats.reduce((sum, { wins }) => sum + wins, 0)), 20);
  assert.equal((await engine.score(state)).finished, false);
  assert.equal((await engine.render(state)).mediaType, "image/svg+xml");
  const { drawing } = await engine.render(state, { as: "text", names: ["Ada", "Bob"] });
  assert.match(drawing, /Ada/);
});

test("an invalid record is refused with its reason", async () => {
  const error = await refusal(engine.replay("no record"));
  assert.equal(error.reason, "BAD_RECORD");
});

test("an illegal move is refused with reason, rule and field", async () => {
  const error = await refusal(engine.apply(await newState(), "cB1"));
  assert.ok(error instanceof IllegalMoveError);
  assert.equal(error.code, Code.InvalidArgument);
  assert.equal(error.reason, "ILLEGAL_MOVE");
  assert.equal(error.rule, "COLOR_ABSENT");
  assert.deepEqual(error.metadata, { rule: "COLOR_ABSENT" });
  assert.deepEqual(
    error.fieldViolations.map(({ field }) => field),
    ["notation"],
  );
});

test("an impossible state is refused, and the field is named", async () => {
  const state = await newState();
  assert.ok(state.game.case === "azul");
  present(state.game.value.bag).blue += 1;
  const error = await refusal(engine.legalMoves(state));
  assert.equal(error.reason, "TILES_NOT_CONSERVED");
  assert.ok(error.fieldViolations.length > 0);
});

test("a call ends at its deadline", async () => {
  const state = present((await engine.newGame(summerPavilion(4), { seed: 1 })).state);
  const error = await refusal(engine.playouts(state, { games: 10_000 }, { timeoutMs: 20 }));
  assert.equal(error.code, Code.DeadlineExceeded);
});

test("a call is cancelled by its signal", async () => {
  const state = present((await engine.newGame(summerPavilion(4), { seed: 1 })).state);
  const signal = AbortSignal.timeout(20);
  const error = await refusal(engine.playouts(state, { games: 10_000 }, { signal }));
  assert.equal(error.code, Code.Canceled);
});

test("an error that is not from a server has no reason", async () => {
  const unreachable = connectEngine({ server: "http://127.0.0.1:1" });
  const error = await refusal(unreachable.listRulesets());
  unreachable.close();
  assert.equal(error.code, Code.Unavailable);
  assert.equal(error.reason, "");
});

test("the trace context reaches the server", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  // The server logs trace ids only if a collector is configured. It need not exist.
  const flags = ["--log", "trace", "--log-format", "json"];
  const logging = await Server.start(...flags, "--otlp-endpoint", "http://127.0.0.1:1");
  const traceparent = () => `00-${trace}-00f067aa0ba902b7-01`;
  const traced = connectEngine({ server: logging.url, traceparent });
  await traced.listRulesets();
  traced.close();
  await until(() => logging.log.includes(trace), "the trace id is logged");
  await logging.stop();
});
