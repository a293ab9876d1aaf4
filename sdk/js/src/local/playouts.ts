// Statistics of many games.

import type { Seed } from "./options.js";

/** How many games are played. */
export interface PlayoutOptions {
  /** House bots by seat. Fewer than seats: they take the seats in turn. Default: `["random"]`. */
  readonly bots?: readonly string[];
  /** The same seed gives the same games. Default: random. */
  readonly seed?: Seed;
}

/** What came of many games, one after the other. */
export interface Statistics {
  readonly games: number;
  readonly seats: number;
  /** Points of each seat of each game. */
  readonly scores: Uint16Array;
  /** Rank of each seat of each game. */
  readonly ranks: Uint8Array;
  /** Moves of each game. */
  readonly lengths: Uint32Array;
  /** Rounds of each game. */
  readonly rounds: Uint8Array;
}

/** Takes the output of the module apart. */
export function readStatistics(
  output: Uint8Array<ArrayBuffer>,
  games: number,
  seats: number,
): Statistics {
  let at = 0;
  const next = (bytes: number) => output.slice(at, (at += bytes));
  return {
    games,
    seats,
    scores: new Uint16Array(next(2 * games * seats).buffer),
    lengths: new Uint32Array(next(4 * games).buffer),
    ranks: next(games * seats),
    rounds: next(games),
  };
}
