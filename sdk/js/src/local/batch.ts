// Many games side by side.

import { closed, given, PlayError, seatLine, show, whole, word, wrongType } from "./error.js";
import { Game, type Returns } from "./game.js";
import type { Instance } from "./instance.js";
import { layoutOf, type Layout } from "./layout.js";
import { line, random, type Seed } from "./options.js";

/** A seat: the same in every game, the next one in every game, or a random one. */
export type SeatChoice = number | "rotating" | "random";

/** How the games of a batch are set up. */
export interface BatchOptions {
  /** Decides all deals and everything else that is random. Default: random. */
  readonly seed?: Seed;
  /** `scaled` (the default): numbers that are rarely above 1; `raw`: bytes. */
  readonly observations?: "scaled" | "raw";
  /** The seat that starts each game. Default: 0. */
  readonly start?: SeatChoice;
  /** Default: `win`. */
  readonly returns?: Returns;
  /** Which seat an observation begins with: the one that has to decide, or always the first one. */
  readonly view?: "seat" | "table";
  /** One seat of each game is the caller's, and house bots play the others. */
  readonly learner?: { readonly seat: SeatChoice; readonly opponents: string };
}

/** The order of {@link Exports.batch_places}. */
const enum Place {
  Games,
  Players,
  Actions,
  ObservationSize,
  Chosen,
  Observations,
  Masks,
  Seats,
  Rewards,
  Ends,
  Last,
}

interface Arrays {
  readonly actions: Int32Array;
  readonly obs: Float32Array | Uint8Array;
  readonly mask: Uint8Array;
  readonly seat: Uint8Array;
  readonly reward: Float32Array;
  readonly done: Uint8Array;
  readonly finalObs: Float32Array | Uint8Array;
}

/**
 * Many games of one ruleset side by side. A finished game starts again at once.
 *
 * ```js
 * const { Batch } = await load();
 * const batch = new Batch("azul-colored-2", 1024, { seed: 1n });
 * for (let step = 0; step < 1000; step++) batch.step(policy(batch.obs, batch.mask));
 * ```
 *
 * The arrays are views of the engine's memory, which every step overwrites. Read them from the batch
 * after every call: if the memory grows, older views become empty.
 */
export class Batch {
  readonly ruleset: string;
  /** The number of games. */
  readonly games: number;
  readonly players: number;
  /** The length of a mask. */
  readonly actionCount: number;
  /** The length of an observation. */
  readonly observationSize: number;

  readonly #instance: Instance;
  readonly #layout: Layout;
  readonly #places: Uint32Array;
  readonly #raw: boolean;
  #handle: number;
  #arrays: Arrays | undefined;

  /** @internal */
  constructor(instance: Instance, handle: number, ruleset: string, raw: boolean) {
    instance.checked(instance.exports.batch_places(handle));
    this.#instance = instance;
    this.#handle = handle;
    this.#places = new Uint32Array(instance.output().buffer);
    this.#raw = raw;
    this.#layout = layoutOf(instance, ruleset);
    this.ruleset = ruleset;
    this.games = this.#place(Place.Games);
    this.players = this.#place(Place.Players);
    this.actionCount = this.#place(Place.Actions);
    this.observationSize = this.#place(Place.ObservationSize);
    instance.batches.register(this, handle, this);
  }

  #place(which: Place): number {
    return this.#places[which] ?? 0;
  }

  #views(): Arrays {
    if (this.#handle === 0) {
      throw closed("batch");
    }
    const memory = this.#instance.memory;
    if (this.#arrays?.actions.buffer !== memory) {
      const values = this.games * this.observationSize;
      const observations = (place: Place) => {
        const address = this.#place(place);
        return this.#raw
          ? new Uint8Array(memory, address, values)
          : new Float32Array(memory, address, values);
      };
      const { games, players, actionCount } = this;
      this.#arrays = {
        actions: new Int32Array(memory, this.#place(Place.Chosen), games),
        obs: observations(Place.Observations),
        mask: new Uint8Array(memory, this.#place(Place.Masks), games * actionCount),
        seat: new Uint8Array(memory, this.#place(Place.Seats), games),
        reward: new Float32Array(memory, this.#place(Place.Rewards), games * players),
        done: new Uint8Array(memory, this.#place(Place.Ends), games),
        finalObs: observations(Place.Last),
      };
    }
    return this.#arrays;
  }

  /** What the seat that has to decide sees: `observationSize` values for each game. */
  get obs(): Float32Array | Uint8Array {
    return this.#views().obs;
  }

  /** `actionCount` bytes for each game, 1 if the move is legal. */
  get mask(): Uint8Array {
    return this.#views().mask;
  }

  /** The seat that has to decide in each game. */
  get seat(): Uint8Array {
    return this.#views().seat;
  }

  /** What the game that has just ended is worth to each of its seats; zero while it goes on. */
  get reward(): Float32Array {
    return this.#views().reward;
  }

  /** 1 if a game has just ended. The other arrays show the game that has begun instead. */
  get done(): Uint8Array {
    return this.#views().done;
  }

  /** The last observations of the games that have just ended; others are left as they are. */
  get finalObs(): Float32Array | Uint8Array {
    return this.#views().finalObs;
  }

  /** The actions of the next step; you may write them here. */
  get actions(): Int32Array {
    return this.#views().actions;
  }

  /**
   * Plays one move in every game: these, or what `actions` contains. If one of them is illegal, none is
   * played.
   */
  step(actions?: ArrayLike<number>): void {
    this.#views();
    if (actions !== undefined) {
      // Reading them can run code of the caller, which may use the engine: the view is opened after it.
      const chosen = this.#read(actions);
      this.#views().actions.set(chosen);
    }
    this.#instance.checked(this.#instance.exports.batch_step(this.#handle));
  }

  #read(actions: ArrayLike<number>): ArrayLike<number> {
    const { length } = given<{ length: unknown }>("the actions", actions);
    if (length !== this.games) {
      const message = `the array of actions has ${show(length)} elements, expected ${String(this.games)}`;
      throw new PlayError(message, "WRONG_COUNT");
    }
    if (actions instanceof Int32Array || actions instanceof Uint16Array) {
      return actions;
    }
    return Int32Array.from({ length: this.games }, (_, game) => {
      const action: unknown = actions[game];
      if (typeof action !== "number") {
        throw wrongType(`game ${String(game)}: an action must be a number`);
      }
      // What does not have 32 bits would become another number.
      if ((action | 0) !== action) {
        const message = `game ${String(game)}: action ${String(action)} is not in the action space`;
        throw new PlayError(message, "NO_SUCH_ACTION");
      }
      return action;
    });
  }

  /** Starts all games again. */
  reset(seed: Seed = random()): void {
    this.#views();
    const number = word("the seed", seed);
    this.#instance.checked(this.#instance.exports.batch_reset(this.#handle, number));
  }

  /** Writes all arrays again; rewards and ends are zero. */
  observe(): void {
    this.#views();
    this.#instance.checked(this.#instance.exports.batch_observe(this.#handle));
  }

  /** Chooses a random legal action of each game: writes and returns `actions`. */
  sample(): Int32Array {
    this.#views();
    this.#instance.checked(this.#instance.exports.batch_sample(this.#handle));
    return this.actions;
  }

  /** A copy of one game. */
  game(index: number): Game {
    this.#views();
    const number = whole("the game", index, 0, this.games - 1);
    const handle = this.#instance.exports.batch_game(this.#handle, number);
    this.#instance.checked(handle);
    return new Game(this.#instance, handle, this.#layout, this.ruleset);
  }

  /** Where each part of a position is in its observation. */
  layout(): Layout {
    return this.#layout;
  }

  /** Releases the memory at once. The batch cannot be used any more. */
  close(): void {
    if (this.#handle !== 0) {
      this.#instance.exports.batch_free(this.#handle);
      this.#instance.batches.unregister(this);
      this.#handle = 0;
      this.#arrays = undefined;
    }
  }
}

/** The class `Batch` of an engine. */
export interface Batches {
  /** This many new games of a ruleset. */
  new (ruleset: string, games: number, options?: BatchOptions): Batch;
  readonly prototype: Batch;
}

/** A seat, or how it is chosen. */
function seatOf(what: string, choice: SeatChoice): string {
  return typeof choice === "string" ? line(what, choice) : seatLine(what, choice);
}

/** Binds the class to an instance. */
export function bindBatches(instance: Instance): Batches {
  function construct(ruleset: string, games: number, options: BatchOptions = {}): Batch {
    const { seed = random(), observations = "scaled", learner } = given("the options", options);
    if (learner !== undefined) {
      given("the learner", learner);
    }
    if (!["scaled", "raw"].includes(observations)) {
      const message = `unknown observations ${show(observations)}: expected scaled or raw`;
      throw new PlayError(message, "NO_SUCH_VALUE");
    }
    const lines = [
      ruleset,
      String(whole("the number of games", games, 0, 2 ** 31)),
      observations,
      String(word("the seed", seed)),
      options.start === undefined ? "" : seatOf("the start seat", options.start),
      options.returns ?? "",
      options.view ?? "",
      learner === undefined ? "" : seatOf("the seat of the learner", learner.seat),
      learner?.opponents ?? "",
    ];
    const length = instance.write(lines.map((text) => line("an option", text)).join("\n"));
    const handle = instance.checked(instance.exports.batch_new(length));
    return new Batch(instance, handle, ruleset, observations === "raw");
  }
  construct.prototype = Batch.prototype;
  return construct as unknown as Batches;
}
