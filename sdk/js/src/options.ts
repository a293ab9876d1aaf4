// Where and how a bot plays.

import type { Opponent } from "../gen/azulejo/arena/v1/challenges_pb.js";
import type { TimeClass } from "../gen/azulejo/arena/v1/arena_pb.js";
import type { Ruleset } from "../gen/azulejo/game/v1/rules_pb.js";
import type { Log } from "./log.js";

/** Options of every connection. */
export interface ConnectOptions {
  /**
   * `http://…` or `https://…`. Default: the environment variable `AZULEJO_SERVER`, or
   * `http://127.0.0.1:7700`; in a browser, the origin of the page.
   */
  readonly server?: string;
  /** A W3C trace context to send with every call, or a function that returns one for each call. */
  readonly traceparent?: string | (() => string | undefined);
}

/** Where and how a bot plays. */
export interface RunOptions extends ConnectOptions {
  /** The bot's token, `azb_…`. Default: the environment variable `AZULEJO_TOKEN`. Never logged. */
  readonly token?: string;
  /**
   * Without a token: the new bot to register, `owner/name`. The tokens are logged once; nothing is
   * written to disk.
   */
  readonly register?: string;
  /** For `register`: the owner's token, to register another bot of the same owner. */
  readonly ownerToken?: string;
  /** For `register`: the code of an invitation, if the arena requires one. */
  readonly invitation?: string;
  /** Ratings belong to a version: change it when the bot changes. Default: `1`. */
  readonly version?: string;
  /** Rulesets that it plays. Default: all. */
  readonly rulesets?: readonly Ruleset[];
  /** Time classes that it plays. Default: blitz. */
  readonly timeClasses?: readonly TimeClass[];
  /** Maximum number of matches at the same time, 1 to 8. Default: 1. */
  readonly maxConcurrentMatches?: number;
  /** Whether bots of other owners may challenge it. Default: true. */
  readonly acceptsChallenges?: boolean;
  /** Whether it plays rated matches on the ladder. Default: true. */
  readonly playsLadder?: boolean;
  /** Plays only unrated matches of this kind, one after the other. */
  readonly challenge?: ChallengeOptions;
  /** Stops after this number of matches with a result. Default: never. */
  readonly stopAfter?: number;
  /** Stops the bot. The clocks of its running matches keep running until it reconnects. */
  readonly signal?: AbortSignal;
  /** Whether SIGINT and SIGTERM stop it too (Node only). Default: true. */
  readonly stopOnSignals?: boolean;
  /** How events are received. Default: a stream in Node; a browser can only poll. */
  readonly listen?: "stream" | "poll";
  /** Receives the log. Default: the console. */
  readonly log?: Log;
}

/** A kind of unrated match. */
export interface ChallengeOptions {
  /** The ruleset. */
  readonly ruleset: Ruleset;
  /** One for each other seat: a house bot (`random`, `greedy`, `strong`), or a bot `owner/name`. */
  readonly opponents: readonly string[];
  /** The time class. Default: blitz. */
  readonly timeClass?: TimeClass;
  /** The seat of the bot, counted from 0. Default: 0. */
  readonly seat?: number;
}

/** A name with a slash is a bot; a name without one is a house bot. */
export function opponent(name: string): Pick<Opponent, "opponent"> {
  const kind = name.includes("/") ? "bot" : "house";
  return { opponent: { case: kind, value: name } };
}
