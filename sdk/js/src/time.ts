// Durations of the contract, and waiting.

import type { Duration } from "@bufbuild/protobuf/wkt";

/** A duration in milliseconds; an absent one is none. */
export function milliseconds(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) * 1_000 + duration.nanos / 1e6;
}

/** Waits; less if the signal says so. Never fails. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) {
    return;
  }
  await new Promise<void>((resolve) => {
    const over = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal?.addEventListener("abort", over);
  });
}

/** How long to wait before the attempt with this number: longer and longer, never the same. */
export function backoff(attempt: number, askedMs = 0): number {
  const base = Math.min(50 * 2 ** Math.min(attempt, 7), 5_000);
  return Math.max(askedMs, base) * (0.5 + Math.random());
}
