// Bounded waits.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export const PATIENCE_MS = 60_000;

/** Waits until it is so; fails if it never is. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const begun = performance.now();
  while (!(await isSo())) {
    if (performance.now() - begun > patienceMs) {
      throw new Error(`waited in vain: ${what}`);
    }
    await sleep(20);
  }
}

/** The same promise, but it fails if it takes too long. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  const controller = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`waited in vain: ${what}`);
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

/** Something that is known later. */
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

/** No process outlives the test that started it. */
export function endWithUs(child: ChildProcess): void {
  children.add(child);
  child.once("exit", () => children.delete(child));
}
