// A bot in its own process.

import { spawn, type ChildProcess } from "node:child_process";
import { ended, endWithUs, until } from "./waiting.js";

export class Child {
  readonly process: ChildProcess;
  /** What it printed to standard output and standard error. */
  printed = "";

  constructor(program: string, args: readonly string[], env: Record<string, string>, cwd?: string) {
    this.process = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, AZULEJO_TOKEN: "", ...env },
      ...(cwd !== undefined && { cwd }),
    });
    const append = (text: Buffer): void => {
      this.printed += text.toString();
    };
    this.process.stdout?.on("data", append);
    this.process.stderr?.on("data", append);
    endWithUs(this.process);
  }

  /** Waits until it has printed this. */
  async prints(what: RegExp): Promise<void> {
    const isOver = (): boolean => this.process.exitCode !== null;
    await until(() => what.test(this.printed) || isOver(), `it prints ${what.source}`).catch(
      (error: unknown) => {
        throw new Error(`it printed only: ${this.printed}`, { cause: error });
      },
    );
    if (!what.test(this.printed)) {
      throw new Error(`it ended and printed only: ${this.printed}`);
    }
  }

  /** The exit code, or the signal. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    this.process.kill(signal);
    return ended(this.process);
  }
}
