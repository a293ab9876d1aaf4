// What a bot sends, by an arena in the process of the test.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isFieldSet } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { arena, azul, Code, type RunOptions } from "azulejo-sdk";
import { newRequestId } from "#sdk/request-id";
import { Arena } from "./support/arena.js";
import { until } from "./support/waiting.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SNAPSHOT = { case: "snapshot", value: {} } as const;
const ended = (id: string) => ({ match: { id, status: arena.MatchStatus.ENDED } });
const matchEnded = (id: string) => ({ case: "matchEnded", value: ended(id) }) as const;

function failOnce(): () => void {
  let isFirst = true;
  return () => {
    if (isFirst) {
      isFirst = false;
      throw new ConnectError("lost", Code.Unavailable);
    }
  };
}

test("a request id is a random UUID of version 4", () => {
  const ids = Array.from({ length: 100 }, newRequestId);
  assert.equal(new Set(ids).size, 100);
  ids.forEach((id) => {
    assert.match(id, UUID);
  });
});

test("the turn of a move is set explicitly, also turn 0", async () => {
  const turn = { matchId: "m", turn: 0, legalMoves: [{ actionId: 3 }] };
  const played = new Arena([SNAPSHOT, { case: "turn", value: turn }]);
  const running = played.run({ choose: ({ legalMoves }) => legalMoves[0] ?? "no move" });
  await until(() => played.moves.length > 0, "the move is submitted");
  played.stop();
  await running;
  const [move] = played.moves;
  assert.ok(move !== undefined && isFieldSet(move, arena.SubmitMoveRequestSchema.field.turn));
  assert.equal(move.turn, 0);
  assert.deepEqual(move.action, { case: "actionId", value: 3 });
});

test("ends are acknowledged without a ping", async () => {
  const snapshot = { case: "snapshot" as const, value: { ended: [ended("a"), ended("b")] } };
  const ends: string[] = [];
  const played = new Arena([snapshot, matchEnded("c")]);
  const running = played.run({ matchEnded: ({ match }) => ends.push(match?.id ?? "") });
  await until(() => played.heartbeats.length === 2, "both are acknowledged");
  played.stop();
  await running;
  assert.deepEqual(ends, ["a", "b", "c"]);
  const acknowledged = played.heartbeats.flatMap(({ endedMatchIds }) => endedMatchIds);
  assert.deepEqual([...new Set(acknowledged)], ["a", "b", "c"]);
  assert.ok(played.heartbeats.every(({ ping }) => ping === 0n));
});

test("an end whose acknowledgement was lost is acknowledged when the bot stops", async () => {
  const played = new Arena([SNAPSHOT, matchEnded("a")], failOnce());
  const running = played.run();
  await until(() => played.heartbeats.length === 1, "the acknowledgement is lost");
  played.stop();
  await running;
  assert.deepEqual(
    played.heartbeats.map(({ endedMatchIds }) => endedMatchIds),
    [["a"], ["a"]],
  );
});

test("a bot that has stopped does not keep its process alive with a timer", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const played = new Arena([SNAPSHOT, matchEnded("a")]);
  const running = played.run();
  await until(() => played.heartbeats.length > 0, "the end is acknowledged");
  played.stop();
  await running;
  assert.equal(timers(), before);
});

test("an end that is repeated is acknowledged again, and reported once", async () => {
  const ends: string[] = [];
  const played = new Arena([SNAPSHOT, matchEnded("a"), matchEnded("a")]);
  const running = played.run({ matchEnded: ({ match }) => ends.push(match?.id ?? "") });
  await until(() => played.heartbeats.length === 2, "both are acknowledged");
  played.stop();
  await running;
  assert.deepEqual(ends, ["a"]);
});

test("a ping is answered with its number", async () => {
  const played = new Arena([SNAPSHOT, { case: "ping", value: { number: 7n } }]);
  const running = played.run();
  await until(() => played.heartbeats.length > 0, "the ping is answered");
  played.stop();
  await running;
  const [heartbeat] = played.heartbeats;
  assert.deepEqual([heartbeat?.ping, heartbeat?.endedMatchIds], [7n, []]);
});

test("a challenge keeps its request id when it is retried", async () => {
  const played = new Arena([SNAPSHOT], failOnce());
  const running = played.run({}, { challenge: { ruleset: azul(2), opponents: ["random"] } });
  await until(() => played.challenges.length === 2, "the challenge is retried");
  played.stop();
  await running;
  const [first, second] = played.challenges.map(({ requestId }) => requestId);
  assert.match(first ?? "", UUID);
  assert.equal(second, first);
});

test("a bot plays on the ladder unless it opts out or challenges", async () => {
  const challenge = { ruleset: azul(2), opponents: ["random"] };
  const offer = async (options: RunOptions) => {
    const played = new Arena([SNAPSHOT]);
    const running = played.run({}, options);
    await until(() => played.hellos.length > 0, "the bot connects");
    played.stop();
    await running;
    const { playsLadder, acceptsChallenges, maxConcurrentMatches } = played.hellos[0]?.offer ?? {};
    return [playsLadder, acceptsChallenges, maxConcurrentMatches];
  };
  assert.deepEqual(await offer({}), [true, true, 1]);
  assert.deepEqual(await offer({ maxConcurrentMatches: 5 }), [true, true, 5]);
  assert.deepEqual(await offer({ playsLadder: false }), [false, true, 1]);
  assert.deepEqual(await offer({ challenge }), [false, false, 1]);
});

test("a pause is logged with reason, note and match", async () => {
  const paused = {
    pauseReason: arena.PauseReason.FAILURES,
    note: "five of the last fifty matches failed",
    matchId: "m",
  };
  const logged: object[] = [];
  const played = new Arena([{ case: "snapshot", value: { paused } }]);
  const running = played.run({}, { log: (_level, _message, fields) => logged.push(fields) });
  await until(() => logged.length > 0, "the pause is logged");
  played.stop();
  await running;
  assert.deepEqual(logged[0], { reason: "FAILURES", note: paused.note, matchId: "m" });
});

test("a poll names the session and the last event, and introduces the bot once", async () => {
  const played = new Arena([SNAPSHOT, matchEnded("a"), { case: "ping", value: { number: 4n } }]);
  const running = played.run({}, { listen: "poll", version: "2" });
  await until(() => played.polls.length === 2, "the bot polls again");
  played.stop();
  await running;
  const [first, second] = played.polls;
  assert.deepEqual([first?.session, first?.afterSeq, first?.hello?.version], ["", 0n, "2"]);
  assert.deepEqual([second?.session, second?.afterSeq], ["session", 3n]);
  assert.equal(second?.hello, undefined);
  assert.equal(second?.maxWait?.seconds, 10n);
});
