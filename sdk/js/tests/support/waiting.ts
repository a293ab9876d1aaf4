// Waits with a time limit.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export const PATIENCE_MS = 60_000;

/** Waits until the condition holds; fails if it takes too long. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > patienceMs) {
      throw new Error(`timed out: ${what}`);
    }
    await sleep(20);
  }
}

/** The same promise, but rejected if it takes too long. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  const controller = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`timed out: ${what}`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    controller.abort();
    late.catch(() => undefined);
  }
}

/** How a process ended: its exit code, or the signal. */
export async function ended(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) {
    await soon(once(child, "exit"), "the process ends");
  }
  return child.exitCode ?? child.signalCode ?? "";
}

/** A promise that is resolved from outside. */
export class Later<T = void> {
  readonly promise: Promise<T>;
  resolve!: (value: T) => void;

  constructor() {
    this.promise = new Promise((resolve) => (this.resolve = resolve));
  }
}

const children = new Set<ChildProcess>();
process.once("exit", () => {
  children.forEach((child) => child.kill("SIGKILL"));
});

/** Kills a process when the test process exits. */
export function endWithUs(child: ChildProcess): void {
  children.add(child);
  child.once("exit", () => children.delete(child));
}
