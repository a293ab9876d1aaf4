// Durations and delays.

import type { Duration } from "@bufbuild/protobuf/wkt";

/** A duration in milliseconds. 0 if absent. */
export function milliseconds(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) * 1_000 + duration.nanos / 1e6;
}

/** Waits until the time is over or the signal is aborted. Never rejects. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) {
    return;
  }
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener("abort", finish);
  });
}

/** The delay before a retry: exponential, with jitter, and never less than the server asks for. */
export function backoff(attempt: number, askedMs = 0): number {
  const base = Math.min(50 * 2 ** Math.min(attempt, 7), 5_000);
  return askedMs + base * (0.5 + Math.random());
}
