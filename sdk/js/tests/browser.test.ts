import assert from "node:assert/strict";
import { test } from "node:test";
import { azul, EndReason } from "azulejo-sdk";
import { reasons, start, tokenFor } from "./support/bots.js";
import { bundle, modules, Page, skip } from "./support/page.js";
import { Server } from "./support/server.js";
import { Later, soon } from "./support/waiting.js";

test("the entry point for browsers does not import anything of Node", async () => {
  // Bundling for a browser fails if a module of Node is imported.
  const bundled = await bundle("page");
  assert.ok(modules(bundled).some((module) => module.endsWith("dist/src/browser.js")));
  const foreign = /dist\/src\/(node|balance|threads)\.js|connect-node|^node:/;
  assert.deepEqual(
    modules(bundled).filter((module) => foreign.test(module)),
    [],
  );
  const imports = Object.values(bundled.metafile.outputs).flatMap((output) => output.imports);
  assert.deepEqual(imports, [], "the bundle is complete");
  assert.ok(bundled.outputFiles[0]?.text.includes("azulejo-commit-v1"));
});

interface Result {
  readonly error?: string;
  readonly refused?: string;
  readonly ends?: { match: string; turns: number; reason: number; verdict: string }[];
}

test("a bot on a page in a real browser plays a match by polling", { skip }, async () => {
  const server = await Server.start();
  const token = await tokenFor(server, "page");
  const posted = new Later<Result>();
  const page = await Page.open("page", { server: server.url, token }, (_path, body) => {
    posted.resolve(body as Result);
  });
  const opponent = await start(server, { rulesets: [azul(2)], stopAfter: 1 });
  try {
    const result = await soon(posted.promise, "the page posts its result");
    assert.equal(result.error, undefined);
    assert.equal(result.refused, "ILLEGAL_MOVE");
    await opponent.done();
    const match = opponent.ends[0]?.ended.match;
    const turns = match?.turns ?? 0;
    const end = { match: match?.id, turns, reason: EndReason.FINISHED, verdict: "FAIR" };
    assert.deepEqual(result.ends, [end]);
    assert.deepEqual(
      opponent.ends.map(({ ended }) => reasons(ended)),
      [[EndReason.FINISHED, EndReason.FINISHED]],
    );
  } finally {
    await page.close();
    await server.stop();
  }
});
