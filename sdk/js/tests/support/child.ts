// A bot in a process of its own.

import { spawn, type ChildProcess } from "node:child_process";
import { ended, endWithUs, until } from "./waiting.js";

export class Child {
  readonly process: ChildProcess;
  /** What it printed, both ways. */
  printed = "";

  constructor(program: string, args: readonly string[], env: Record<string, string>, cwd?: string) {
    this.process = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, AZULEJO_TOKEN: "", ...env },
      ...(cwd !== undefined && { cwd }),
    });
    const hear = (text: Buffer): void => {
      this.printed += text.toString();
    };
    this.process.stdout?.on("data", hear);
    this.process.stderr?.on("data", hear);
    endWithUs(this.process);
  }

  /** Waits until it has printed this. */
  async says(what: RegExp): Promise<void> {
    const isOver = (): boolean => this.process.exitCode !== null;
    await until(() => what.test(this.printed) || isOver(), `it says ${what.source}`).catch(
      (error: unknown) => {
        throw new Error(`it said only: ${this.printed}`, { cause: error });
      },
    );
    if (!what.test(this.printed)) {
      throw new Error(`it ended, having said: ${this.printed}`);
    }
  }

  /** The exit code, or the signal. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    this.process.kill(signal);
    return ended(this.process);
  }
}
