/**
 * Both games inside your program: for search, for learning, and for statistics. No server is required.
 *
 * ```js
 * import { load } from "azulejo-sdk/local";
 *
 * const { Game } = await load();
 * const game = new Game("azul-colored-2", { seed: 7n });
 * game.apply(game.legal()[0]);
 * ```
 *
 * @module
 */

import { bindBatches, type Batches } from "./batch.js";
import type { Exports } from "./exports.js";
import { bindGames, type Games } from "./game.js";
import { Instance } from "./instance.js";
import { layoutOf, verifyRecord, type Layout, type Verified } from "./layout.js";
import type { PlayoutOptions, Statistics } from "./playouts.js";
import { WASM } from "./wasm.js";

export { PlayError } from "./error.js";
export type { Batch, Batches, BatchOptions, SeatChoice } from "./batch.js";
export type { BestMoveOptions, Game, Games, Outcome, Returns } from "./game.js";
export type { Layout, Section, Verified } from "./layout.js";
export type { Chance, ChanceOptions, Seed, StartOptions } from "./options.js";
export type { PlayoutOptions, Statistics } from "./playouts.js";

/** An engine: an instance of the WebAssembly module, with a memory of its own. */
export interface Local {
  readonly Game: Games;
  readonly Batch: Batches;
  /** The keys of all rulesets. */
  readonly rulesets: readonly string[];
  /** Where each part of a position is in its observation. */
  readonly layout: (ruleset: string) => Layout;
  /** Plays many new games of a ruleset, each with deals of its own. See {@link Game.playouts}. */
  readonly playouts: (ruleset: string, games: number, options?: PlayoutOptions) => Statistics;
  /**
   * Verifies a record, the JSON of a finished game or match: every deal, every move, the result, and
   * for a match of the arena the commitment, the clocks and the placements. Throws a
   * {@link PlayError} with the first defect: its reason is `FALSE_RECORD`, or `BAD_RECORD` for a text that
   * is not a record.
   */
  readonly verify: (record: string) => Verified;
  /** The number of games and batches that are not released yet. */
  readonly living: number;
}

/** Compiled once for all instances; again after a failure. */
let module: Promise<WebAssembly.Module> | undefined;

/**
 * Loads an engine, in a few milliseconds. Every call loads another one, with a memory of its own:
 * call it once for each thread.
 */
export async function load(): Promise<Local> {
  module ??= compile().catch((error: unknown) => {
    module = undefined;
    throw error;
  });
  const instance = new Instance(await start(await module));
  instance.exports.rulesets();
  const rulesets = Object.freeze(instance.text().split("\n"));
  const Game = bindGames(instance);
  return {
    Game,
    Batch: bindBatches(instance),
    rulesets,
    layout: (ruleset) => layoutOf(instance, ruleset),
    playouts: (ruleset, games, options) => {
      const start = new Game(ruleset, { chance: "explicit" });
      try {
        return start.playouts(games, options);
      } finally {
        start.close();
      }
    },
    verify: (record) => verifyRecord(instance, record),
    get living() {
      return instance.checked(instance.exports.living());
    },
  };
}

async function compile(): Promise<WebAssembly.Module> {
  const zipped = Uint8Array.from(atob(WASM), (character) => character.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

async function start(module: WebAssembly.Module): Promise<Exports> {
  const { exports } = await WebAssembly.instantiate(module, {
    azulejo: { now: () => performance.now() },
  });
  return exports as unknown as Exports;
}
