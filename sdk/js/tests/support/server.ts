// A real server in its own process, on free ports, with its own store.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ended, endWithUs, until } from "./waiting.js";

/** The folder of the SDK, and of the whole project. */
export const SDK = resolve(import.meta.dirname, "../../..");
export const PROJECT = resolve(SDK, "../..");
export const PROGRAM = resolve(PROJECT, process.env.AZULEJO_BIN ?? "target/release/azulejo");

export class Server {
  readonly #folder = mkdtempSync(join(tmpdir(), "azulejo-js-"));
  readonly #extra: readonly string[];
  #process: ChildProcess | undefined;
  /** `http://127.0.0.1:…`, the same after a restart. */
  url = "";
  admin = "";
  /** Stops the bots that a failed test left running. */
  readonly bots = new AbortController();
  /** Its log. */
  log = "";

  private constructor(extra: readonly string[]) {
    this.#extra = extra;
  }

  static start(...extra: string[]): Promise<Server> {
    return Server.startAt("127.0.0.1:0", ...extra);
  }

  static async startAt(listen: string, ...extra: string[]): Promise<Server> {
    const server = new Server(extra);
    await server.start(listen, "127.0.0.1:0");
    return server;
  }

  private async start(listen: string, adminListen: string): Promise<void> {
    const store = join(this.#folder, "store.db");
    const args = ["serve", "--store", store, "--listen", listen, "--admin-listen", adminListen];
    const started = spawn(PROGRAM, [...args, ...this.#extra], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = started;
    endWithUs(started);
    let printed = "";
    started.stdout.on("data", (text: Buffer) => (printed += text.toString()));
    started.stderr.on("data", (text: Buffer) => (this.log += text.toString()));
    await once(started, "spawn");
    const address = (words: string): string | undefined =>
      new RegExp(`${words} .*(http://[0-9.]+:[0-9]+)`).exec(printed)?.[1];
    await until(
      () => address("Health and metrics:") !== undefined || started.exitCode !== null,
      "the server prints its addresses",
    );
    this.url = address("gRPC and HTTP/JSON:") ?? "";
    this.admin = address("Health and metrics:") ?? "";
    if (this.url === "") {
      throw new Error(`the server did not start: ${this.log}`);
    }
  }

  /** Kills it without a warning. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** On the same port, with the same store. */
  async restart(): Promise<void> {
    await this.start(new URL(this.url).host, new URL(this.admin).host);
  }

  async stop(): Promise<void> {
    this.bots.abort();
    await this.#end("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#process?.exitCode === null) {
      this.#process.kill(signal);
      await ended(this.#process);
    }
  }
}
