// A page in a real browser: bundled, served, and opened in headless Chromium.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build, type BuildResult } from "esbuild";
import { Child } from "./child.js";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
const HTML = '<!doctype html><title>Test</title><script type="module" src="/page.js"></script>';
/** The folder of the compiled pages. */
const PAGES = resolve(import.meta.dirname, "../bots");

/** Why tests in a browser are skipped, if they are. */
export const skip = existsSync(CHROMIUM) ? false : `${CHROMIUM} is not installed`;

type Bundle = BuildResult<{ write: false; metafile: true }>;

export async function bundle(name: string): Promise<Bundle> {
  return build({
    entryPoints: [join(PAGES, `${name}.js`)],
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
}

/** The modules in a bundle. */
export const modules = ({ metafile }: Bundle): string[] => Object.keys(metafile.inputs);

/** An open page. What it posts to a path of its server is passed to `posted`. */
export class Page {
  readonly #http: HttpServer;
  readonly #browser: Child;
  readonly #profile = mkdtempSync(join(tmpdir(), "azulejo-js-"));

  private constructor(http: HttpServer, query: Record<string, string>) {
    this.#http = http;
    const port = (http.address() as AddressInfo).port.toString();
    const url = `http://127.0.0.1:${port}/?${new URLSearchParams(query).toString()}`;
    this.#browser = new Child(CHROMIUM, [...FLAGS, `--user-data-dir=${this.#profile}`, url], {});
  }

  static async open(
    name: string,
    query: Record<string, string>,
    posted: (path: string, body: unknown) => void,
  ): Promise<Page> {
    const { outputFiles } = await bundle(name);
    const script = outputFiles[0]?.text ?? "";
    const http = createServer((request, response) => {
      const { method, url = "/" } = request;
      if (method === "POST") {
        let body = "";
        request.on("data", (part: Buffer) => (body += part.toString()));
        request.on("end", () => {
          response.end();
          posted(url, JSON.parse(body));
        });
        return;
      }
      const isScript = url === "/page.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? script : HTML);
    });
    await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening));
    return new Page(http, query);
  }

  async close(): Promise<void> {
    await this.#browser.end("SIGTERM");
    this.#http.closeAllConnections();
    this.#http.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
