// What a bot says. Every call may be made twice, so that it is made until it is answered.

import { Code } from "@connectrpc/connect";
import type { ChallengeOptions } from "./options.js";
import { opponent } from "./options.js";
import type { actionOf } from "./bot.js";
import { errorFrom, isPassing, type AzulejoError } from "./errors.js";
import { CALL_MS, type Link } from "./link.js";
import type { Log } from "./log.js";
import { backoff, pause } from "./time.js";

/** Attempts to be heard; the clock runs, so they are quick. */
const ATTEMPTS = 20;
/** When the bot stops, what is half said may take so long to be answered. */
const LAST_WORDS_MS = 2_000;

/** Says things to the arena. */
export class Sender {
  readonly #link: Link;
  readonly #log: Log;
  readonly #stop: AbortSignal;
  readonly #saying = new Set<Promise<unknown>>();

  constructor(link: Link, log: Log, stop: AbortSignal) {
    this.#link = link;
    this.#log = log;
    this.#stop = stop;
  }

  ready(matchId: string, nonce: Uint8Array): void {
    const request = { matchId, nonce };
    void this.#insist({ matchId }, () => this.#link.play.ready(request, { timeoutMs: CALL_MS }));
  }

  async submit(
    where: { readonly matchId: string; readonly turn: number },
    action: ReturnType<typeof actionOf>,
  ): Promise<void> {
    const { matchId, turn } = where;
    const request = { matchId, turn, action };
    await this.#insist(where, () => this.#link.play.submitMove(request, { timeoutMs: CALL_MS }));
  }

  /** A sign of life, which also confirms what was seen. */
  beat({ ping, seq }: { readonly ping: bigint; readonly seq: bigint }): void {
    const call = this.#link.play.heartbeat({ ping, seen: seq }, { timeoutMs: CALL_MS });
    // Should it be lost, the next one will do.
    void this.#follow(call.catch(() => undefined));
  }

  /** Calls the seats to a match. The answer is what stands against it, if something does. */
  async challenge(options: ChallengeOptions): Promise<AzulejoError | undefined> {
    const { ruleset, timeClass, opponents, seat = 0 } = options;
    const request = {
      ruleset,
      opponents: opponents.map(opponent),
      seat,
      ...(timeClass !== undefined && { timeClass }),
    };
    return this.#insist({}, () =>
      this.#link.challenges.createChallenge(request, { timeoutMs: CALL_MS }),
    );
  }

  /** Waits for what is half said. */
  async fallSilent(): Promise<void> {
    await Promise.race([Promise.allSettled([...this.#saying]), pause(LAST_WORDS_MS)]);
  }

  async #insist(
    where: Readonly<Record<string, unknown>>,
    call: () => Promise<unknown>,
  ): Promise<AzulejoError | undefined> {
    if (this.#stop.aborted) {
      return undefined;
    }
    return this.#follow(this.#repeat(where, call));
  }

  async #repeat(
    where: Readonly<Record<string, unknown>>,
    call: () => Promise<unknown>,
  ): Promise<AzulejoError | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await call();
        return undefined;
      } catch (thrown) {
        const error = errorFrom(thrown);
        if (!isPassing(error) || this.#stop.aborted || attempt === ATTEMPTS) {
          this.#refused(where, error);
          return error;
        }
        await pause(backoff(attempt, error.retryAfterMs), this.#stop);
      }
    }
  }

  #refused(where: Readonly<Record<string, unknown>>, error: AzulejoError): void {
    const { reason, metadata, message } = error;
    // Late answers after an interruption: nothing that anybody must know.
    const isExpected = error.code === Code.Aborted || error.code === Code.FailedPrecondition;
    this.#log(isExpected ? "debug" : "warn", "the server refuses", {
      ...where,
      reason,
      ...metadata,
      message,
    });
  }

  #follow<T>(saying: Promise<T>): Promise<T> {
    this.#saying.add(saying);
    void saying.finally(() => this.#saying.delete(saying));
    return saying;
  }
}
