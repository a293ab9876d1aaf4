// Options of games and batches, as the module reads them.

import { given, PlayError, show, word, wrongType } from "./error.js";

/** A number: a bigint from 0 to 2^64 - 1, or a safe integer. */
export type Seed = bigint | number;

/** Who decides what is dealt. */
export type Chance = "auto" | "seed" | "explicit";

/** How the tiles of a game are dealt. */
export interface ChanceOptions {
  /**
   * - `auto` (the default): a small, fast generator, started with `seed`.
   * - `seed`: a seed, as in the arena: a number, or 64 hexadecimal digits.
   * - `explicit`: the caller, see {@link Game.chanceOutcomes}.
   */
  readonly chance?: Chance;
  /** The same seed and the same moves give the same deals. Default: random. */
  readonly seed?: Seed | string;
}

/** How a game starts. */
export interface StartOptions extends ChanceOptions {
  /** The seat that starts. Default: 0. */
  readonly startSeat?: number;
}

/** A random number of 64 bits. */
export function random(): bigint {
  return crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
}

/** Chance in one line. */
export function chanceLine(options: ChanceOptions): string {
  const { chance = "auto", seed } = given("the options", options);
  switch (chance) {
    case "explicit":
      return chance;
    case "auto":
      return `auto:${String(seed === undefined ? random() : word("the seed", seed))}`;
    case "seed":
      return typeof seed === "string"
        ? `seed:${line("the seed", seed)}`
        : `seed:${String(seed === undefined ? random() : word("the seed", seed))}`;
    default:
      throw new PlayError(
        `unknown chance ${show(chance)}: expected auto, seed or explicit`,
        "NO_SUCH_VALUE",
      );
  }
}

/** A text that becomes one line of the input. */
export function line(what: string, text: unknown): string {
  if (typeof text !== "string") {
    throw wrongType(`${what} must be a text`);
  }
  if (text.includes("\n")) {
    throw new PlayError(`${what} must be a text of one line`, "BAD_MESSAGE");
  }
  return text;
}
