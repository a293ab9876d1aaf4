import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { azul, EndReason } from "azulejo-sdk";
import { reasons, start, tokenFor } from "./support/bots.js";
import { Child } from "./support/child.js";
import { Server } from "./support/server.js";
import { Later, soon } from "./support/waiting.js";

const CHROMIUM = "/usr/bin/chromium";
const PAGE = join(import.meta.dirname, "bots/page.js");

async function bundle() {
  return build({
    entryPoints: [PAGE],
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
}

test("nothing of Node is reachable from a browser's entry", async () => {
  // Bundling for a browser fails if a module of Node is imported.
  const { metafile, outputFiles } = await bundle();
  const inputs = Object.keys(metafile.inputs);
  assert.ok(inputs.some((input) => input.endsWith("dist/src/browser.js")));
  const foreign = /dist\/src\/(node|balance|threads)\.js|connect-node|^node:/;
  assert.deepEqual(
    inputs.filter((input) => foreign.test(input)),
    [],
  );
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  assert.deepEqual(imports, [], "nothing is left to be found elsewhere");
  assert.ok(outputFiles[0]?.text.includes("azulejo-commit-v1"));
});

interface Result {
  readonly error?: string;
  readonly refused?: string;
  readonly ends?: { match: string; turns: number; reason: number; verdict: string }[];
}

/** Serves the page, and hears its result. */
async function host(script: string, heard: (result: Result) => void): Promise<HttpServer> {
  const page = '<!doctype html><title>a bot</title><script type="module" src="/page.js"></script>';
  const http = createServer((request, response) => {
    if (request.url === "/result") {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        response.end();
        heard(JSON.parse(body) as Result);
      });
      return;
    }
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : page);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return http;
}

const skip = existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`;
test("a bot on a page in a real browser plays a match by polling", { skip }, async () => {
  const server = await Server.start();
  const token = await tokenFor(server, "page");
  const heard = new Later<Result>();
  const { outputFiles } = await bundle();
  const http = await host(outputFiles[0]?.text ?? "", heard.resolve);
  const profile = mkdtempSync(join(tmpdir(), "azulejo-js-"));
  const query = new URLSearchParams({ server: server.url, token }).toString();
  const port = (http.address() as AddressInfo).port.toString();
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
  const page = `http://127.0.0.1:${port}/?${query}`;
  const browser = new Child(CHROMIUM, [...flags, `--user-data-dir=${profile}`, page], {});
  const opponent = await start(server, { rulesets: [azul(2)], stopAfter: 1 });
  try {
    const result = await soon(heard.promise, "the page tells how it went");
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
    await browser.end("SIGTERM");
    http.closeAllConnections();
    http.close();
    await server.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
