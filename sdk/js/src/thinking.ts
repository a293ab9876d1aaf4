// The bot's decisions. Each runs by itself: a slow one does not delay other matches.

import type { Turn } from "../gen/azulejo/arena/v1/play_pb.js";
import { actionOf, type Action, type Bot } from "./bot.js";
import type { Log } from "./log.js";
import type { Sender } from "./sender.js";

/** A bot that blocks the thread for longer than this delays heartbeats and other matches. */
const LONG_MS = 1_000;

interface Thought {
  readonly turn: number;
  readonly illegalTries: number;
  readonly controller: AbortController;
}

/** Calls `choose` and submits its answers. */
export class Thinking {
  readonly #bot: Bot;
  readonly #sender: Sender;
  readonly #log: Log;
  readonly #thoughts = new Map<string, Thought>();

  constructor(bot: Bot, sender: Sender, log: Log) {
    this.#bot = bot;
    this.#sender = sender;
    this.#log = log;
  }

  /** The bot has to decide. */
  about(turn: Turn): void {
    const { matchId, illegalTries } = turn;
    // After a reconnect a turn is repeated while the bot still works on it. After an illegal answer
    // it is repeated with more tries, and the bot is asked again.
    const before = this.#thoughts.get(matchId);
    if (before?.turn === turn.turn && before.illegalTries === illegalTries) {
      return;
    }
    this.drop(matchId);
    const thought = { turn: turn.turn, illegalTries, controller: new AbortController() };
    this.#thoughts.set(matchId, thought);
    void this.#decide(turn, thought.controller.signal).finally(() => {
      if (this.#thoughts.get(matchId) === thought) {
        this.#thoughts.delete(matchId);
      }
    });
  }

  /** Aborts a decision that is no longer needed. */
  drop(matchId: string): void {
    this.#thoughts.get(matchId)?.controller.abort();
    this.#thoughts.delete(matchId);
  }

  stop(): void {
    [...this.#thoughts.keys()].forEach((matchId) => {
      this.drop(matchId);
    });
  }

  async #decide(turn: Turn, signal: AbortSignal): Promise<void> {
    const where = { matchId: turn.matchId, turn: turn.turn, seat: turn.seat };
    let action;
    try {
      action = actionOf(await this.#ask(turn, signal));
    } catch (error) {
      if (!signal.aborted) {
        const message = "the bot failed: no move is submitted, and its clock keeps running";
        this.#log("error", message, { ...where, error });
      }
      return;
    }
    if (!signal.aborted) {
      await this.#sender.submit(where, action);
    }
  }

  #ask(turn: Turn, signal: AbortSignal): Action | Promise<Action> {
    const started = performance.now();
    const answer = this.#bot.choose(turn, signal);
    const blocked = performance.now() - started;
    if (blocked > LONG_MS) {
      const message =
        "choose() blocked the thread: heartbeats and other matches were delayed; " +
        "compute in a worker (in Node: inThreads)";
      this.#log("warn", message, { ms: Math.round(blocked) });
    }
    return answer;
  }
}
