// The package as users get it: packed and installed into an empty folder.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { azul, EndReason, summerPavilion } from "azulejo-sdk";
import { reasons, start } from "./support/bots.js";
import { Child } from "./support/child.js";
import { SDK, Server } from "./support/server.js";
import { ended } from "./support/waiting.js";

let server: Server;
const folder = mkdtempSync(join(tmpdir(), "azulejo-js-"));
const npm = (cwd: string, ...args: string[]) =>
  execFileSync("npm", [...args, "--silent"], { cwd, encoding: "utf8", stdio: "pipe" });

before(async () => {
  server = await Server.start();
  npm(SDK, "pack", "--pack-destination", folder);
  const packed = readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "";
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  npm(folder, "install", "--no-audit", "--no-fund", "--prefer-offline", `./${packed}`);
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const readme = readFileSync(join(SDK, "README.md"), "utf8");
const [firstBot = "", engineExample = "", localExample = ""] = [
  ...readme.matchAll(/```js\n([\s\S]*?)```/g),
].map(([, code]) => code ?? "");

test("the first bot has at most ten lines", () => {
  assert.match(firstBot, /run\(/);
  assert.ok(firstBot.trimEnd().split("\n").length <= 10);
});

test("the first bot of the README plays a rated match with only the package installed", async () => {
  writeFileSync(join(folder, "first-bot.mjs"), firstBot);
  const bot = new Child(
    process.execPath,
    ["first-bot.mjs"],
    { AZULEJO_SERVER: server.url },
    folder,
  );
  const opponent = await start(server, { stopAfter: 1 });
  await opponent.done();
  const match = opponent.ends[0]?.ended.match;
  assert.equal(match?.rated, true);
  assert.ok(match.seats.some((seat) => seat.bot === "you/first-bot"));
  const allFinished = match.seats.map(() => EndReason.FINISHED);
  assert.deepEqual(
    opponent.ends.map(({ ended }) => reasons(ended)),
    [allFinished],
  );
  assert.equal(await bot.end("SIGTERM"), 0, bot.printed);
  assert.match(bot.printed, /AZULEJO_TOKEN=azb_/);
});

test("the engine example of the README runs with only the package installed", async () => {
  assert.match(engineExample, /connectEngine/);
  const code = engineExample.replace("http://127.0.0.1:7700", server.url);
  writeFileSync(join(folder, "engine.mjs"), code);
  const program = new Child(process.execPath, ["engine.mjs"], {}, folder);
  assert.equal(await ended(program.process), 0, program.printed);
  assert.match(program.printed, /Player 1/);
});

test("the example of the engine in the process runs with only the package installed", async () => {
  assert.match(localExample, /azulejo-sdk\/local/);
  writeFileSync(join(folder, "local.mjs"), localExample);
  const program = new Child(process.execPath, ["local.mjs"], {}, folder);
  assert.equal(await ended(program.process), 0, program.printed);
  assert.match(program.printed, /\[ \d+, \d+ \]/);
});

test("a bot in TypeScript finds its types in the package", () => {
  writeFileSync(
    join(folder, "typed.mts"),
    `import { azul, run, TimeClass, type Bot } from "azulejo-sdk";
     const bot: Bot = { choose: async (turn) => turn.legalMoves[0]!, matchEnded: (ended, fair) => {
       if (fair.verdict === "UNFAIR") throw fair.error;
       const place: number | undefined = ended.match?.result?.seats[ended.seat]?.placement;
       console.log(place);
     } };
     await run(bot, { rulesets: [azul(2)], timeClasses: [TimeClass.RAPID] });
     // @ts-expect-error: a bot must choose.
     await run({});
    `,
  );
  const tsc = join(SDK, "node_modules/typescript/bin/tsc");
  const flags = [
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--module",
    "nodenext",
    "--target",
    "es2022",
  ];
  const types = ["--types", "node", "--typeRoots", join(SDK, "node_modules/@types")];
  execFileSync(process.execPath, [tsc, ...flags, ...types, "typed.mts"], {
    cwd: folder,
    encoding: "utf8",
    stdio: "pipe",
  });
});

for (const example of ["random", "greedy", "one_ply", "mcts"]) {
  test(`the example ${example} plays both games`, async () => {
    const source = join(SDK, "examples", `${example}.js`);
    writeFileSync(join(folder, `${example}.mjs`), readFileSync(source));
    const bot = new Child(
      process.execPath,
      [`${example}.mjs`, `examples-${example}/${example}`],
      { AZULEJO_SERVER: server.url },
      folder,
    );
    for (const ruleset of [azul(2), summerPavilion(2)]) {
      const opponent = await start(server, { rulesets: [ruleset], stopAfter: 1 });
      await opponent.done();
      const [end] = opponent.ends;
      assert.deepEqual(end && reasons(end.ended), [EndReason.FINISHED, EndReason.FINISHED]);
      assert.equal(end?.fair.verdict, "FAIR");
    }
    assert.equal(await bot.end("SIGTERM"), 0);
    assert.doesNotMatch(bot.printed, /azulejo (warn|error)/);
  });
}
