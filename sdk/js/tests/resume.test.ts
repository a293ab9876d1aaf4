import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { azul, EndReason, MatchStatus, TimeClass } from "azulejo-sdk";
import { reasons, start, tokenFor } from "./support/bots.js";
import { Child } from "./support/child.js";
import { Server } from "./support/server.js";
import { Later, soon, until } from "./support/waiting.js";

const STEADY = join(import.meta.dirname, "bots/steady.js");
const FINISHED = [EndReason.FINISHED, EndReason.FINISHED];

for (const listen of ["stream", "poll"] as const) {
  test(`a match continues after the server was killed and restarted, by ${listen}`, async () => {
    const server = await Server.start();
    const inTheMiddle = new Later();
    const options = { rulesets: [azul(2)], stopAfter: 1, listen };
    const failures: string[] = [];
    const bot = {
      moveMade: ({ turn }: { turn: number }) => {
        if (turn === 15) {
          inTheMiddle.resolve();
        }
      },
    };
    const one = await start(server, options, bot);
    const two = await start(server, options, bot);
    await soon(inTheMiddle.promise, "the match is running");
    await server.kill();
    await server.restart();
    for (const running of [one, two]) {
      await running.done();
      assert.equal(running.ends.length, 1, "the bot gets one end");
      const [end] = running.ends;
      assert.equal(end?.ended.match?.status, MatchStatus.ENDED);
      assert.deepEqual(reasons(end.ended), FINISHED);
      assert.notEqual(end.fair.verdict, "UNFAIR");
      failures.push(...running.errors().map(({ message }) => message));
    }
    assert.deepEqual(failures, []);
    await server.stop();
  });
}

for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  test(`a bot that got ${signal} continues its match when it is restarted`, async () => {
    const server = await Server.start();
    const token = await tokenFor(server);
    const env = { AZULEJO_SERVER: server.url, AZULEJO_TOKEN: token };
    const options = { rulesets: [azul(2)], timeClasses: [TimeClass.RAPID], stopAfter: 1 };
    const opponent = await start(server, options);
    const before = new Child(process.execPath, [STEADY], env);
    await before.prints(/^move 9$/m);
    const code = await before.end(signal);
    assert.equal(code, signal === "SIGKILL" ? "SIGKILL" : 0, before.printed);
    if (signal === "SIGTERM") {
      assert.match(before.printed, /^stopped$/m);
      assert.doesNotMatch(before.printed, /azulejo (warn|error)/);
    }
    assert.doesNotMatch(before.printed, /^ended/m, "the match was not over");

    const again = new Child(process.execPath, [STEADY], env);
    await opponent.done();
    await again.prints(/^ended FINISHED$/m);
    assert.equal(await again.end("SIGTERM"), 0);
    assert.doesNotMatch(again.printed, /^move 9$/m, "earlier moves are not played again");
    assert.deepEqual(
      opponent.ends.map(({ ended }) => reasons(ended)),
      [FINISHED],
    );
    await server.stop();
  });
}

test("a bot waits for a server that is not running yet", async () => {
  const server = await Server.start();
  const token = await tokenFor(server);
  await server.kill();
  const bot = new Child(process.execPath, [STEADY], {
    AZULEJO_SERVER: server.url,
    AZULEJO_TOKEN: token,
  });
  await bot.prints(/does not answer/);
  await server.restart();
  const opponent = await start(server, {
    rulesets: [azul(2)],
    timeClasses: [TimeClass.RAPID],
    stopAfter: 1,
  });
  await opponent.done();
  await until(() => bot.printed.includes("ended FINISHED"), "the bot played");
  assert.equal(await bot.end("SIGINT"), 0);
  await server.stop();
});
