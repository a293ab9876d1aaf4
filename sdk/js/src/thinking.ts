// The bot's decisions, each on its own: a slow one holds up no other match.

import type { Turn } from "../gen/azulejo/arena/v1/play_pb.js";
import { actionOf, type Action, type Bot } from "./bot.js";
import type { Log } from "./log.js";
import type { Sender } from "./sender.js";

/** Whoever computes so long without a pause keeps heartbeats and other matches waiting. */
const LONG_MS = 1_000;

interface Thought {
  readonly turn: number;
  readonly illegalTries: number;
  readonly controller: AbortController;
}

/** Asks the bot, and submits what it answers. */
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

  /** A decision is due. */
  about(turn: Turn): void {
    const { matchId } = turn;
    // Heard again after an interruption: the bot is at it, and knows nothing of that. After an
    // answer that was no legal move it is asked anew.
    const before = this.#thoughts.get(matchId);
    if (before?.turn === turn.turn && before.illegalTries === turn.illegalTries) {
      return;
    }
    this.drop(matchId);
    const { illegalTries } = turn;
    const thought = { turn: turn.turn, illegalTries, controller: new AbortController() };
    this.#thoughts.set(matchId, thought);
    void this.#decide(turn, thought.controller.signal).finally(() => {
      if (this.#thoughts.get(matchId) === thought) {
        this.#thoughts.delete(matchId);
      }
    });
  }

  /** The answer is of no use any more. */
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
        const message = "the bot failed: nothing is submitted, and its clock runs on";
        this.#log("error", message, { ...where, error });
      }
      return;
    }
    if (!signal.aborted) {
      await this.#sender.submit(where, action);
    }
  }

  #ask(turn: Turn, signal: AbortSignal): Action | Promise<Action> {
    const began = performance.now();
    const answer = this.#bot.choose(turn, signal);
    const blocked = performance.now() - began;
    if (blocked > LONG_MS) {
      const message =
        "choose() computed long without a pause: heartbeats and other matches had to wait; " +
        "let it compute in threads of its own";
      this.#log("warn", message, { ms: Math.round(blocked) });
    }
    return answer;
  }
}
