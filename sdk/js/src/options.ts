// Where and how a bot plays.

import type { Opponent } from "../gen/azulejo/arena/v1/challenges_pb.js";
import type { TimeClass } from "../gen/azulejo/arena/v1/arena_pb.js";
import type { Ruleset } from "../gen/azulejo/game/v1/rules_pb.js";
import type { Log } from "./log.js";

/** What every connection can be told. */
export interface ConnectOptions {
  /**
   * `http://…` or `https://…`. Default: the environment variable `AZULEJO_SERVER`, or
   * `http://127.0.0.1:7700`; in a browser: where the page comes from.
   */
  readonly server?: string;
  /** A W3C trace context to send along, or what makes one for each call. */
  readonly traceparent?: string | (() => string | undefined);
}

/** Where and how a bot plays. */
export interface RunOptions extends ConnectOptions {
  /** The bot's token, `azb_…`. Default: the environment variable `AZULEJO_TOKEN`. Never logged. */
  readonly token?: string;
  /**
   * Without a token: the new bot to register, `owner/name`. The tokens are shown once, on the log;
   * nothing is written to disk.
   */
  readonly register?: string;
  /** For `register`: the owner's token, to register another bot of the same owner. */
  readonly ownerToken?: string;
  /** For `register`: the code of an invitation, where the arena asks for one. */
  readonly invitation?: string;
  /** Ratings belong to a version: change it when the bot changes. Default: `1`. */
  readonly version?: string;
  /** What it plays. Default: everything. */
  readonly rulesets?: readonly Ruleset[];
  /** By which clocks. Default: blitz. */
  readonly timeClasses?: readonly TimeClass[];
  /** Matches at the same time, 1 to 8. Default: 1. */
  readonly gamesAtOnce?: number;
  /** Whether others may challenge it. Default: yes. */
  readonly acceptsChallenges?: boolean;
  /** Challenges only, no rated matches. Default: no. */
  readonly offLadder?: boolean;
  /** Plays nothing but unrated matches of this kind, one after the other. */
  readonly challenge?: ChallengeOptions;
  /** Stops after so many matches have been played to their end. Default: never. */
  readonly stopAfter?: number;
  /** Stops when it is raised. Matches that run go on without the bot until it comes back. */
  readonly signal?: AbortSignal;
  /** Whether SIGINT and SIGTERM stop it too (Node only). Default: yes. */
  readonly stopOnSignals?: boolean;
  /** How events are heard. Default: a stream in Node; a browser can only poll. */
  readonly listen?: "stream" | "poll";
  /** Where log lines go. Default: the console. */
  readonly log?: Log;
}

/** Whom to challenge. */
export interface ChallengeOptions {
  /** What is played. */
  readonly ruleset: Ruleset;
  /** One for each other seat: a house bot (`random`, `greedy`, `strong`), or a bot `owner/name`. */
  readonly opponents: readonly string[];
  /** By which clock. Default: blitz. */
  readonly timeClass?: TimeClass;
  /** The seat of the bot, counted from 0. Default: 0. */
  readonly seat?: number;
}

/** A name with a slash is that of a bot; one without belongs to the house. */
export function opponent(name: string): Pick<Opponent, "opponent"> {
  const kind = name.includes("/") ? "bot" : "house";
  return { opponent: { case: kind, value: name } };
}
