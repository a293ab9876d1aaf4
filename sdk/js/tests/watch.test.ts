import assert from "node:assert/strict";
import { test } from "node:test";
import { azul, EndReason, TimeClass } from "azulejo-sdk";
import { first, start } from "./support/bots.js";
import { bundle, modules, Page, skip } from "./support/page.js";
import { Server } from "./support/server.js";
import { Later, soon } from "./support/waiting.js";

interface Watched {
  readonly contentTypes: string[];
  readonly cases: string[];
  readonly moves: number[];
  readonly hasStates: boolean;
  readonly totals: number[];
  readonly endReasons: number[];
}

interface Result {
  readonly error?: string;
  readonly json?: Watched;
  readonly binary?: Watched;
}

test("the watching page has only Connect and the generated messages", async () => {
  const own = modules(await bundle("watcher")).filter((module) => !module.includes("node_modules"));
  assert.ok(own.every((module) => /build\/tests\/|dist\/gen\/|dist\/src\/messages\//.test(module)));
});

test(
  "a page in a real browser watches a match to its end by Connect streaming, in JSON and in binary",
  {
    skip,
  },
  async () => {
    const server = await Server.start();
    const started = new Later<string>();
    const bothWatch = new Later();
    const result = new Later<Result>();
    const options = { rulesets: [azul(2)], timeClasses: [TimeClass.RAPID], stopAfter: 1 };
    const bot = {
      // The match waits until the page watches it.
      choose: async (turn: Parameters<typeof first>[0]) => {
        if (turn.turn >= 4) {
          started.resolve(turn.matchId);
          await bothWatch.promise;
        }
        return first(turn);
      },
    };
    const one = await start(server, options, bot);
    const two = await start(server, options, bot);
    const match = await soon(started.promise, "a match is running");
    let watching = 0;
    const page = await Page.open("watcher", { server: server.url, match }, (path, body) => {
      if (path === "/result") {
        result.resolve(body as Result);
      } else if ((watching += 1) === 2) {
        bothWatch.resolve();
      }
    });
    try {
      const { error, json, binary } = await soon(result.promise, "the page posts its result");
      assert.equal(error, undefined);
      await Promise.all([one.done(), two.done()]);
      const ended = one.ends[0]?.ended.match;
      assert.equal(ended?.id, match);
      for (const watched of [json, binary]) {
        assert.ok(watched);
        const moves: number[] = Array.from({ length: ended.turns - 4 }, (_, index) => index + 4);
        assert.deepEqual(watched.moves, moves);
        assert.deepEqual(watched.cases, ["snapshot", ...moves.map(() => "moveMade"), "matchEnded"]);
        assert.equal(watched.hasStates, true);
        assert.deepEqual(
          watched.totals,
          ended.result?.score?.seats.map(({ total }) => total),
        );
        assert.deepEqual(watched.endReasons, [EndReason.FINISHED, EndReason.FINISHED]);
      }
      assert.deepEqual(json?.contentTypes, ["application/connect+json"]);
      assert.deepEqual(binary?.contentTypes, ["application/connect+proto"]);
    } finally {
      bothWatch.resolve();
      await page.close();
      await server.stop();
    }
  },
);
