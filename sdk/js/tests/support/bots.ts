// Bots that run in the process of the test.

import {
  register,
  run,
  type Bot,
  type FairPlay,
  type Level,
  type MatchEnded,
  type RunOptions,
  type Turn,
} from "azulejo-sdk";
import { names } from "./names.js";
import type { Server } from "./server.js";
import { soon } from "./waiting.js";

let owners = 0;

/** Registers a new bot of a new owner, and returns its token. */
export async function tokenFor(server: Server, name = "bot"): Promise<string> {
  owners += 1;
  const bot = `owner-${process.pid.toString()}-${owners.toString()}/${name}`;
  const { token } = await register({ server: server.url, bot });
  names.set(token, bot);
  return token;
}

export interface LogLine {
  readonly level: Level;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A running bot, its log and its ended matches. */
export class Running {
  readonly ends: { readonly ended: MatchEnded; readonly fair: FairPlay }[] = [];
  readonly lines: LogLine[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(server: Server, token: string, bot: Partial<Bot>, options: RunOptions = {}) {
    const complete: Bot = {
      choose: first,
      ...bot,
      matchEnded: (ended, fair) => {
        this.ends.push({ ended, fair });
        bot.matchEnded?.(ended, fair);
      },
    };
    this.#done = run(complete, {
      server: server.url,
      token,
      stopOnSignals: false,
      signal: this.#stop.signal,
      log: (level, message, fields) => this.lines.push({ level, message, fields }),
      ...options,
    });
    const halt = (): void => {
      this.#stop.abort();
    };
    const { signal } = server.bots;
    signal.addEventListener("abort", halt);
    // Many bots use the same server: one that has stopped must not stay subscribed.
    void this.#done
      .catch(() => undefined)
      .finally(() => {
        signal.removeEventListener("abort", halt);
      });
  }

  /** Waits until the bot stops by itself, or fails. */
  async done(): Promise<this> {
    await soon(this.#done, "the bot stops by itself");
    return this;
  }

  async stop(): Promise<this> {
    this.#stop.abort();
    return this.done();
  }

  errors(): LogLine[] {
    return this.lines.filter(({ level }) => level === "error");
  }
}

export async function start(
  server: Server,
  options: RunOptions = {},
  bot: Partial<Bot> = {},
): Promise<Running> {
  return new Running(server, await tokenFor(server), bot, options);
}

/** A fixed choice, but not always the first move: such games would be too much alike. */
export function first(turn: Turn) {
  return turn.legalMoves[turn.turn % turn.legalMoves.length] ?? "no move";
}

/** How a match ended for its seats. */
export const reasons = ({ match }: MatchEnded) =>
  match?.result?.seats.map(({ endReason }) => endReason);
