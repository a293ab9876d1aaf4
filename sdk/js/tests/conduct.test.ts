import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { azul, EndReason, TimeClass, type Bot, type Turn } from "azulejo-sdk";
import { first, reasons, start, type Running } from "./support/bots.js";
import { Server } from "./support/server.js";

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  await server.stop();
});

// With bullet, a silent bot is out of time soon.
const OPTIONS = { rulesets: [azul(2)], timeClasses: [TimeClass.BULLET], stopAfter: 1 };

/** Plays well at first, then as given. */
function later(then: (turn: Turn) => ReturnType<Bot["choose"]>): Bot["choose"] {
  return (turn) => (turn.turn < 4 ? first(turn) : then(turn));
}

async function misbehaving(
  choose: Bot["choose"],
  reason = EndReason.OUT_OF_TIME,
): Promise<Running> {
  const bad = await start(server, OPTIONS, { choose });
  const good = await start(server, OPTIONS);
  await Promise.all([bad.done(), good.done()]);
  assert.equal(bad.ends.length, 1);
  const [end] = bad.ends;
  assert.ok(end);
  const seat = end.ended.seat;
  assert.equal(reasons(end.ended)?.[seat], reason);
  assert.equal(reasons(end.ended)?.[1 - seat], EndReason.FINISHED);
  assert.equal(end.fair.verdict, "FAIR", "as far as it was played");
  return bad;
}

test("an error of a bot is logged with its turn, and the bot runs out of time", async () => {
  const bad = await misbehaving(
    later(() => {
      throw new Error("a defect of the bot");
    }),
  );
  const [line] = bad.errors();
  assert.match(String(line?.message), /the bot failed/);
  assert.equal(line?.fields.matchId, bad.ends[0]?.ended.match?.id);
  assert.equal(typeof line?.fields.turn, "number");
  assert.match((line?.fields.error as Error).message, /a defect of the bot/);
});

test("a rejected promise has the same effect", async () => {
  const bad = await misbehaving(later(() => Promise.reject(new Error("later"))));
  assert.match((bad.errors()[0]?.fields.error as Error).message, /later/);
});

test("an answer that is not a move has the same effect", async () => {
  const bad = await misbehaving(later(() => undefined as unknown as number));
  assert.match((bad.errors()[0]?.fields.error as Error).message, /not a move/);
});

test("an illegal move is logged with reason and rule, and the bot is asked again", async () => {
  const bad = await misbehaving(
    later(() => "1B1"),
    EndReason.ILLEGAL_MOVES,
  );
  const [line, ...more] = bad.lines.filter(({ level }) => level === "warn");
  assert.match(String(line?.message), /refused/);
  assert.equal(line?.fields.reason, "ILLEGAL_MOVE");
  assert.equal(typeof line.fields.rule, "string");
  assert.equal(line.fields.tries, "1");
  assert.deepEqual(
    more.map(({ fields }) => fields.tries),
    ["2", "3"],
  );
});

test("an unknown action id is logged with its reason", async () => {
  const bad = await misbehaving(
    later(() => 1_000_000),
    EndReason.ILLEGAL_MOVES,
  );
  assert.equal(bad.lines.find(({ level }) => level === "warn")?.fields.reason, "NO_SUCH_ACTION");
});

test("a hook that throws does not affect the match", async () => {
  const fails = () => {
    throw new Error("in a hook");
  };
  const bot = { matchStarting: fails, moveMade: fails, matchEnded: fails };
  const one = await start(server, OPTIONS, bot);
  const two = await start(server, OPTIONS);
  await Promise.all([one.done(), two.done()]);
  assert.deepEqual(
    two.ends.map(({ ended }) => reasons(ended)),
    [[EndReason.FINISHED, EndReason.FINISHED]],
  );
  assert.match(String(one.errors()[0]?.message), /matchStarting failed/);
  assert.match(String(one.errors().at(-1)?.message), /matchEnded failed/);
});
