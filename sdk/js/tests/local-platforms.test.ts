// The engine inside the process on other platforms than Node.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { load } from "azulejo-sdk/local";
import { bundle, modules, Page, skip } from "./support/page.js";
import { SDK } from "./support/server.js";
import { Later, soon } from "./support/waiting.js";

interface Result {
  readonly error?: string;
  readonly text?: string;
  readonly scores?: number[];
  readonly moves?: number;
  readonly mask?: number;
}

/** What Node computes. */
async function expected(): Promise<Result> {
  const { Game } = await load();
  const game = new Game("summer-pavilion-colored-2", { chance: "seed", seed: 7n });
  let moves = 0;
  while (!game.isTerminal) {
    game.apply(game.legal()[moves++ % game.legal().length] ?? -1);
  }
  return { text: game.text(), scores: game.scores(), moves, mask: 64 * 180 };
}

async function assertSame({ error, text, scores, moves, mask }: Result): Promise<void> {
  assert.equal(error, undefined);
  assert.deepEqual({ text, scores, moves, mask }, await expected());
}

test("the engine is bundled alone, without a setting of the bundler", async () => {
  const bundled = await bundle("local");
  // A state is a message; nothing that connects is needed.
  const own = /dist\/src\/local\/|dist\/gen\/|@bufbuild\/protobuf|bots\/local\.js/;
  assert.deepEqual(
    modules(bundled).filter((module) => !own.test(module)),
    [],
  );
  const imports = Object.values(bundled.metafile.outputs).flatMap((output) => output.imports);
  assert.deepEqual(imports, [], "the bundle is complete");
});

test("a page in a real browser plays the same game", { skip }, async () => {
  const posted = new Later<Result>();
  const page = await Page.open("local", {}, (_path, body) => {
    posted.resolve(body as Result);
  });
  try {
    await assertSame(await soon(posted.promise, "the page posts its result"));
  } finally {
    await page.close();
  }
});

test("a worker thread has an engine of its own", async () => {
  const worker = new Worker(new URL("./bots/local-thread.js", import.meta.url));
  const result = await new Promise<Result>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  await assertSame({ ...result, mask: 64 * 180 });
});

const DENO = join(SDK, "../../target/tools/deno/node_modules/.bin/deno");
const noDeno = existsSync(DENO) ? false : "deno is not installed";

test("Deno plays the same game", { skip: noDeno }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "azulejo-deno-"));
  try {
    const { outputFiles } = await bundle("local");
    writeFileSync(join(folder, "local.js"), outputFiles[0]?.contents ?? "");
    const options = {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, DENO_DIR: folder },
    } as const;
    const printed = execFileSync(DENO, ["run", "--no-remote", "local.js"], options);
    await assertSame(JSON.parse(printed) as Result);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
