import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  azul,
  AzulejoError,
  EndReason,
  game,
  MatchStatus,
  ReplacedError,
  register,
  run,
  summerPavilion,
  TimeClass,
} from "azulejo-sdk";
import { botOf, isOnline } from "./support/ladder.js";
import { first, reasons, Running, start, tokenFor } from "./support/bots.js";
import { Server } from "./support/server.js";
import { Later, soon, until } from "./support/waiting.js";

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  await server.stop();
});

const BOTH_FINISHED = [EndReason.FINISHED, EndReason.FINISHED];

for (const [listen, other] of [
  ["stream", "stream"],
  ["poll", "stream"],
] as const) {
  for (const ruleset of [azul(2), azul(2, "gray"), summerPavilion(2), summerPavilion(2, "gray")]) {
    const side = ruleset.game.value?.side === game.BoardSide.GRAY ? "gray" : "colored";
    const what = `${ruleset.game.case ?? ""} ${side}`;
    test(`two bots play a rated match to its end, by ${listen}: ${what}`, async () => {
      const options = { rulesets: [ruleset], stopAfter: 1 };
      const one = await start(server, { ...options, listen });
      const two = await start(server, { ...options, listen: other });
      for (const { ends, lines } of [await one.done(), await two.done()]) {
        assert.equal(ends.length, 1);
        const [end] = ends;
        assert.equal(end?.ended.match?.status, MatchStatus.ENDED);
        assert.equal(end.ended.match.rated, true);
        assert.deepEqual(reasons(end.ended), BOTH_FINISHED);
        assert.equal(end.fair.verdict, "FAIR");
        assert.deepEqual(
          lines.filter(({ level }) => level === "warn" || level === "error"),
          [],
        );
      }
    });
  }
}

test("a bot gets the start of its match, every move and the end", async () => {
  const events: string[] = [];
  const options = { rulesets: [azul(2)], stopAfter: 1 };
  const one = await start(server, options, {
    matchStarting: ({ match }) => events.push(`starting ${match?.id ?? ""}`),
    moveMade: ({ turn }) => events.push(`move ${turn.toString()}`),
    matchEnded: ({ match }) => events.push(`ended ${match?.id ?? ""}`),
  });
  const two = await start(server, options);
  await Promise.all([one.done(), two.done()]);
  const match = one.ends[0]?.ended.match;
  const moves = Array.from({ length: match?.turns ?? 0 }, (_, turn) => `move ${turn.toString()}`);
  assert.deepEqual(events, [`starting ${match?.id ?? ""}`, ...moves, `ended ${match?.id ?? ""}`]);
});

test("a slow decision does not delay other matches", async () => {
  const options = { rulesets: [azul(2)], timeClasses: [TimeClass.RAPID] };
  const otherEnded = new Later();
  let slow = "";
  const busy = await start(
    server,
    { ...options, maxConcurrentMatches: 3, stopAfter: 3 },
    {
      choose: async (turn) => {
        slow ||= turn.matchId;
        if (turn.matchId === slow) {
          await otherEnded.promise;
        }
        return first(turn);
      },
      matchEnded: ({ match }) => {
        if (match?.id !== slow) {
          otherEnded.resolve();
        }
      },
    },
  );
  const opponents = [await start(server, options), await start(server, options)];
  await busy.done();
  await Promise.all(opponents.map((opponent) => opponent.stop()));
  assert.ok(busy.ends.length >= 3);
  assert.notEqual(busy.ends[0]?.ended.match?.id, slow);
  assert.ok(
    busy.ends.every(({ ended, fair }) => {
      assert.deepEqual(reasons(ended), BOTH_FINISHED);
      return fair.verdict === "FAIR";
    }),
  );
});

test("a bot that stops after some matches does not leave one unfinished", async () => {
  const options = { rulesets: [summerPavilion(2)], maxConcurrentMatches: 2, stopAfter: 3 };
  const one = await start(server, options);
  const two = await start(server, options);
  await Promise.all([one.done(), two.done()]);
  assert.equal(one.ends.length, 3);
  assert.ok(one.ends.every(({ ended }) => ended.match?.status === MatchStatus.ENDED));
});

test("a bot challenges house bots to unrated matches with four seats", async () => {
  const challenge = { ruleset: azul(4), opponents: ["greedy", "random", "random"], seat: 2 };
  const bot = await start(server, { challenge, stopAfter: 2 });
  await bot.done();
  assert.equal(bot.ends.length, 2);
  for (const { ended, fair } of bot.ends) {
    assert.equal(ended.match?.rated, false);
    assert.equal(ended.seat, 2);
    assert.equal(fair.verdict, "FAIR");
  }
});

test("a challenge that the server refuses ends the run with its reason", async () => {
  const challenge = { ruleset: azul(2), opponents: ["missing/bot"] };
  const bot = await start(server, { challenge });
  await assert.rejects(bot.done(), (error) => {
    assert.ok(error instanceof AzulejoError);
    assert.equal(error.reason, "NO_SUCH_BOT");
    return true;
  });
});

for (const listen of ["stream", "poll"] as const) {
  test(`a bot that is replaced does not reconnect, by ${listen}`, async () => {
    const token = await tokenFor(server, "twice");
    const options = { rulesets: [summerPavilion(4)], listen };
    const older = new Running(server, token, {}, options);
    await isOnline(server, token);
    const newer = new Running(server, token, {}, options);
    await assert.rejects(older.done(), (error) => {
      assert.ok(error instanceof ReplacedError);
      assert.equal(error.reason, "REPLACED");
      return true;
    });
    await isOnline(server, token);
    await newer.stop();
  });
}

test("an unknown token ends the run with its reason", async () => {
  const bot = new Running(server, "azb_aaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", {});
  await assert.rejects(bot.done(), (error) => {
    assert.ok(error instanceof AzulejoError);
    assert.equal(error.reason, "UNKNOWN_TOKEN");
    return true;
  });
});

test("run registers a bot and logs its tokens once; the owner's token registers another bot", async () => {
  const stop = new AbortController();
  const logged: string[] = [];
  const registered = new Later();
  const running = run(
    { choose: first },
    {
      server: server.url,
      register: "ada/first",
      signal: stop.signal,
      log: (level, message) => {
        logged.push(`${level} ${message}`);
        registered.resolve();
      },
    },
  );
  await soon(registered.promise, "the token is logged");
  const token = /AZULEJO_TOKEN=(azb_\w+)/.exec(logged.join("\n"))?.[1] ?? "";
  await isOnline(server, token, "ada/first");
  stop.abort();
  await soon(running, "the bot stops");
  const ownerToken = /azo_\w+/.exec(logged.join("\n"))?.[0] ?? "";
  const { bot } = await register({ server: server.url, bot: "ada/second", ownerToken });
  assert.equal(bot?.id, "ada/second");
  await assert.rejects(register({ server: server.url, bot: "ada/third" }), (error) => {
    assert.ok(error instanceof AzulejoError);
    assert.equal(error.reason, "OWNER_TAKEN");
    return true;
  });
});

test("the arena gets the version of the bot", async () => {
  const token = await tokenFor(server, "versioned");
  const bot = new Running(server, token, {}, { version: "2.7-beta", rulesets: [azul(4)] });
  await isOnline(server, token);
  await until(async () => {
    const { versions } = await botOf(server, token);
    return versions.some(({ label }) => label === "2.7-beta");
  }, "the version is known");
  await bot.stop();
});
