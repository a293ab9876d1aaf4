// Playing, from the first connection to the last match.

import type { PlayEvent } from "../gen/azulejo/arena/v1/play_pb.js";
import type { Bot } from "./bot.js";
import { UsageError, type AzulejoError } from "./errors.js";
import { Link, registerOn, type Platform } from "./link.js";
import { listenByPolls, listenToStream, type Left, type Listener } from "./listen.js";
import { consoleLog, type Log } from "./log.js";
import type { RunOptions } from "./options.js";
import { Player } from "./player.js";
import { Sender } from "./sender.js";
import { backoff, pause } from "./time.js";
import { Verifier } from "./verifier.js";
import { SDK } from "./version.js";

/** Plays until it is stopped or replaced, or until the server refuses it for good. */
export async function runOn(platform: Platform, bot: Bot, options: RunOptions): Promise<void> {
  const log = options.log ?? consoleLog;
  check(platform, options);
  const server = options.server ?? platform.server;
  const token = await tokenOf(platform, options, log);
  const stop = new AbortController();
  const halt = (): void => {
    stop.abort();
  };
  options.signal?.addEventListener("abort", halt);
  if (options.signal?.aborted === true) {
    halt();
  }
  const stopListening =
    options.stopOnSignals === false
      ? () => undefined
      : platform.onStop((signal) => {
          log("info", "stopping; running matches continue when the bot reconnects", { signal });
          halt();
        });
  const link = new Link(platform, server, token, options);
  try {
    // The engine verifies finished matches. It is not loaded by programs that do not play.
    const { load } = await import("./local/index.js");
    const verifier = new Verifier(await load(), load, log);
    await new Run(platform, bot, options, link, log, stop, verifier).play();
  } finally {
    options.signal?.removeEventListener("abort", halt);
    stopListening();
    link.reset();
  }
}

function check({ canStream }: Platform, options: RunOptions): void {
  const { maxConcurrentMatches: matches = 1, stopAfter = 1 } = options;
  if (!Number.isInteger(matches) || matches < 1 || matches > 8) {
    throw new UsageError("maxConcurrentMatches must be 1 to 8");
  }
  if (!Number.isInteger(stopAfter) || stopAfter < 1) {
    throw new UsageError("stopAfter must be 1 or more");
  }
  if (options.listen === "stream" && !canStream) {
    throw new UsageError("a browser cannot listen to a stream: omit `listen`");
  }
}

async function tokenOf(platform: Platform, options: RunOptions, log: Log): Promise<string> {
  const { token = platform.token, register, server, traceparent, ...rest } = options;
  if (token !== undefined) {
    return token;
  }
  if (register === undefined) {
    throw new UsageError(
      'run() requires a token: set AZULEJO_TOKEN, or pass `token` or `register: "you/first-bot"`',
    );
  }
  const { ownerToken, invitation } = rest;
  const registered = await registerOn(platform, {
    bot: register,
    ownerToken,
    invitation,
    ...(server !== undefined && { server }),
    ...(traceparent !== undefined && { traceparent }),
  });
  // The only time that a token is logged: the server stores only a hash of it.
  log("info", `registered ${register}; for the next run: AZULEJO_TOKEN=${registered.token}`, {});
  if (registered.ownerToken !== "") {
    log("info", `the owner's token, for more bots: ${registered.ownerToken}`, {});
  }
  return registered.token;
}

class Run implements Listener {
  readonly #options: RunOptions;
  readonly #link: Link;
  readonly #log: Log;
  readonly #stop: AbortController;
  readonly #sender: Sender;
  readonly #player: Player;
  readonly #listen: typeof listenToStream;
  readonly #sdk: string;
  #isOverlapping = false;
  #isChallenging = false;
  #fault: AzulejoError | undefined;

  constructor(
    platform: Platform,
    bot: Bot,
    options: RunOptions,
    link: Link,
    log: Log,
    stop: AbortController,
    verifier: Verifier,
  ) {
    this.#options = options;
    this.#link = link;
    this.#log = log;
    this.#stop = stop;
    this.#sender = new Sender(link, log, stop.signal);
    this.#player = new Player(bot, this.#sender, log, verifier);
    const streams = platform.canStream && options.listen !== "poll";
    this.#listen = streams ? listenToStream : listenByPolls;
    this.#sdk = `${SDK} ${platform.name}`;
  }

  async play(): Promise<void> {
    const stop = this.#stop.signal;
    let attempt = 0;
    try {
      while (!this.#isOver()) {
        const left = await this.#listen(this.#link, this, stop);
        this.#isOverlapping = left.again === true;
        if (!this.#isOver() && !this.#isOverlapping) {
          attempt = left.heard ? 0 : attempt + 1;
          await this.#waitBefore(attempt, left);
        }
      }
    } finally {
      this.#player.stop();
      await this.#sender.close();
    }
    if (this.#fault !== undefined) {
      throw this.#fault;
    }
  }

  hello(matches: number): ReturnType<Listener["hello"]> {
    const { version = "1", rulesets = [], timeClasses = [], challenge } = this.#options;
    const { acceptsChallenges = challenge === undefined, playsLadder = true } = this.#options;
    return {
      version,
      sdk: this.#sdk,
      offer: {
        rulesets: [...rulesets],
        timeClasses: [...timeClasses],
        maxConcurrentMatches: matches,
        acceptsChallenges,
        playsLadder: playsLadder && challenge === undefined,
      },
    };
  }

  /**
   * At most as many as are left to start: matches that end at the same moment are followed by new
   * ones at the same moment, and a bot that leaves a new match forfeits it.
   */
  matchesWanted(): number {
    const { maxConcurrentMatches = 1, stopAfter = Infinity, challenge } = this.#options;
    if (challenge !== undefined) {
      return 1;
    }
    const left = stopAfter - this.#player.finished - this.#player.running.size;
    return Math.max(0, Math.min(maxConcurrentMatches, left));
  }

  isDone(): boolean {
    const { stopAfter = Infinity } = this.#options;
    return this.#player.finished >= stopAfter && this.#player.running.size === 0;
  }

  take(event: PlayEvent): void {
    this.#player.take(event);
    if (event.event.case === "snapshot" && !this.#isOverlapping) {
      this.#player.forget(event.event.value);
    }
    this.#challenge();
  }

  #challenge(): void {
    const { challenge } = this.#options;
    const isBusy = this.#isChallenging || this.#player.running.size > 0;
    if (challenge === undefined || isBusy || this.isDone()) {
      return;
    }
    this.#isChallenging = true;
    void this.#sender.challenge(challenge).then((error) => {
      this.#isChallenging = false;
      if (error !== undefined && !this.#stop.signal.aborted) {
        this.#fault = error;
        this.#stop.abort();
      }
    });
  }

  #isOver(): boolean {
    return this.#stop.signal.aborted || this.isDone();
  }

  async #waitBefore(attempt: number, { error }: Left): Promise<void> {
    const reason = error?.reason ?? "";
    const message = error?.message ?? "the stream ended";
    this.#log("debug", "reconnecting", { attempt, reason, message });
    if (attempt === 3) {
      this.#log("warn", "the server does not answer; still trying", { reason, message });
    }
    await pause(backoff(attempt, error?.retryAfterMs), this.#stop.signal);
    this.#link.reset();
  }
}
