import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { azul, EndReason, inThreads, TimeClass } from "azulejo-sdk";
import { reasons, start } from "./support/bots.js";
import { Child } from "./support/child.js";
import { Server } from "./support/server.js";
import { ended } from "./support/waiting.js";

let server: Server;
const folder = mkdtempSync(join(tmpdir(), "azulejo-js-"));
before(async () => {
  server = await Server.start();
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const OPTIONS = { rulesets: [azul(2)], timeClasses: [TimeClass.RAPID] };
const module = (name: string) => new URL(`./bots/${name}.js`, import.meta.url);

test("a bot that computes in threads without a pause does not delay other matches", async () => {
  const file = join(folder, "go-on");
  process.env.AZULEJO_TEST_FILE = file;
  const thinking = inThreads(module("spinning"), { threads: 1 });
  let stuck = "";
  const bot = await start(
    server,
    // Three, so that two matches run at the same time from the start.
    { ...OPTIONS, maxConcurrentMatches: 2, stopAfter: 3 },
    {
      // The first match is played by the thread, the others here.
      choose: (turn, signal) => {
        stuck ||= turn.matchId;
        return turn.matchId === stuck
          ? thinking.choose(turn, signal)
          : (turn.legalMoves[0]?.notation ?? "");
      },
      matchEnded: () => {
        writeFileSync(file, "");
      },
    },
  );
  const opponents = [await start(server, OPTIONS), await start(server, OPTIONS)];
  await bot.done();
  await Promise.all(opponents.map((opponent) => opponent.stop()));
  assert.notEqual(bot.ends[0]?.ended.match?.id, stuck, "the other match ended first");
  const stuckEnd = bot.ends.find(({ ended }) => ended.match?.id === stuck);
  assert.ok(stuckEnd);
  assert.deepEqual(reasons(stuckEnd.ended), [EndReason.FINISHED, EndReason.FINISHED]);
});

test("a process whose bot computes in threads ends when the bot stops", async () => {
  const program = fileURLToPath(module("threaded"));
  const env = { AZULEJO_SERVER: server.url, AZULEJO_TEST_FILE: folder };
  const bot = new Child(process.execPath, [program], env);
  const opponent = await start(server, { ...OPTIONS, stopAfter: 1 });
  await opponent.done();
  assert.equal(await ended(bot.process), 0, bot.printed);
});

test("an error in a thread is logged as an error of the bot", async () => {
  const options = { ...OPTIONS, timeClasses: [TimeClass.BULLET], stopAfter: 1 };
  const bad = await start(server, options, inThreads(module("failing")));
  const good = await start(server, options);
  await Promise.all([bad.done(), good.done()]);
  assert.match((bad.errors()[0]?.fields.error as Error).message, /in a thread/);
});

test("a bot that blocks the thread is advised to use threads", async () => {
  let isFirst = true;
  const options = { ...OPTIONS, stopAfter: 1 };
  const bot = await start(server, options, {
    choose: ({ legalMoves }) => {
      const begun = performance.now();
      while (isFirst && performance.now() - begun < 1_100) {
        // Blocks the thread, as a search would.
      }
      isFirst = false;
      return legalMoves[0] ?? "no move";
    },
  });
  const other = await start(server, options);
  await Promise.all([bot.done(), other.done()]);
  assert.ok(
    bot.lines.some(({ level, message }) => level === "warn" && message.includes("inThreads")),
  );
});
