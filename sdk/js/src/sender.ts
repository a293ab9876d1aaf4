// Calls of a playing bot. All of them can be repeated safely, so each is retried until it is
// answered.

import { Code } from "@connectrpc/connect";
import type { actionOf } from "./bot.js";
import { errorFrom, isTransient, type AzulejoError } from "./errors.js";
import { CALL_MS, type Link } from "./link.js";
import type { Log } from "./log.js";
import { opponent, type ChallengeOptions } from "./options.js";
import { newRequestId } from "./request-id.js";
import { backoff, pause } from "./time.js";

/** Retries of a call. The clock is running, so they follow each other quickly. */
const ATTEMPTS = 20;
/** When the bot stops, calls in flight may take this long. */
const CLOSE_MS = 2_000;
/** The most ends that one heartbeat can acknowledge. */
const ENDS_PER_HEARTBEAT = 200;

/** Calls the arena. */
export class Sender {
  readonly #link: Link;
  readonly #log: Log;
  readonly #stop: AbortSignal;
  readonly #inFlight = new Set<Promise<unknown>>();
  /** Ended matches that the server does not know to be acknowledged. */
  readonly #unacknowledged = new Set<string>();

  constructor(link: Link, log: Log, stop: AbortSignal) {
    this.#link = link;
    this.#log = log;
    this.#stop = stop;
  }

  ready(matchId: string, nonce: Uint8Array): void {
    void this.#retry({ matchId }, () =>
      this.#link.play.ready({ matchId, nonce }, { timeoutMs: CALL_MS }),
    );
  }

  async submit(
    where: { readonly matchId: string; readonly turn: number },
    action: ReturnType<typeof actionOf>,
  ): Promise<void> {
    const { matchId, turn } = where;
    await this.#retry(where, () =>
      this.#link.play.submitMove({ matchId, turn, action }, { timeoutMs: CALL_MS }),
    );
  }

  /** Acknowledges ends of matches at once, so that the server does not repeat them. */
  acknowledge(matchIds: readonly string[]): void {
    matchIds.forEach((id) => this.#unacknowledged.add(id));
    if (matchIds.length > 0) {
      this.heartbeat(0n);
    }
  }

  /** Answers a ping, and acknowledges the ends that are not acknowledged yet. */
  heartbeat(ping: bigint): void {
    void this.#track(this.#heartbeat(ping));
  }

  /** Starts a match. Resolves to the error if the server refuses it. */
  async challenge(options: ChallengeOptions): Promise<AzulejoError | undefined> {
    const { ruleset, timeClass, opponents, seat = 0 } = options;
    // The same id in every attempt: a lost response must not start a second match.
    const requestId = newRequestId();
    return this.#retry({}, () =>
      this.#link.challenges.createChallenge(
        {
          ruleset,
          opponents: opponents.map(opponent),
          seat,
          requestId,
          ...(timeClass !== undefined && { timeClass }),
        },
        { timeoutMs: CALL_MS },
      ),
    );
  }

  /** Waits for calls in flight, and acknowledges ends whose heartbeat was lost. */
  async close(): Promise<void> {
    const finished = Promise.allSettled([...this.#inFlight]).then(async () => {
      if (this.#unacknowledged.size > 0) {
        await this.#heartbeat(0n);
      }
    });
    const limit = new AbortController();
    await Promise.race([finished, pause(CLOSE_MS, limit.signal)]);
    // A running timer would keep the process alive.
    limit.abort();
  }

  async #heartbeat(ping: bigint): Promise<void> {
    const endedMatchIds = [...this.#unacknowledged].slice(0, ENDS_PER_HEARTBEAT);
    try {
      await this.#link.play.heartbeat({ ping, endedMatchIds }, { timeoutMs: CALL_MS });
      endedMatchIds.forEach((id) => this.#unacknowledged.delete(id));
    } catch {
      // Not retried: the next heartbeat contains the same ends.
    }
  }

  async #retry(
    where: Readonly<Record<string, unknown>>,
    call: () => Promise<unknown>,
  ): Promise<AzulejoError | undefined> {
    if (this.#stop.aborted) {
      return undefined;
    }
    return this.#track(this.#attempt(where, call));
  }

  async #attempt(
    where: Readonly<Record<string, unknown>>,
    call: () => Promise<unknown>,
  ): Promise<AzulejoError | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await call();
        return undefined;
      } catch (thrown) {
        const error = errorFrom(thrown);
        if (!isTransient(error) || this.#stop.aborted || attempt === ATTEMPTS) {
          this.#logRefusal(where, error);
          return error;
        }
        await pause(backoff(attempt, error.retryAfterMs), this.#stop);
      }
    }
  }

  #logRefusal(where: Readonly<Record<string, unknown>>, error: AzulejoError): void {
    const { code, reason, metadata, message } = error;
    // Answers that are late or sent twice, as after a reconnect.
    const isExpected =
      code === Code.Aborted ||
      code === Code.FailedPrecondition ||
      reason === "MOVE_ALREADY_ACCEPTED";
    this.#log(isExpected ? "debug" : "warn", "the server refused a call", {
      ...where,
      reason,
      ...metadata,
      message,
    });
  }

  #track<T>(call: Promise<T>): Promise<T> {
    this.#inFlight.add(call);
    void call.finally(() => this.#inFlight.delete(call));
    return call;
  }
}
