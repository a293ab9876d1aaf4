// Single games.

import { toBinary } from "@bufbuild/protobuf";
import { GameStateSchema, type GameState } from "../../gen/azulejo/game/v1/game_pb.js";
import { closed, given, PlayError, seatLine, whole, word, wrongType } from "./error.js";
import type { Exports } from "./exports.js";
import type { Instance } from "./instance.js";
import { layoutOf, type Layout } from "./layout.js";
import {
  chanceLine,
  line,
  random,
  type ChanceOptions,
  type Seed,
  type StartOptions,
} from "./options.js";
import { readStatistics, type PlayoutOptions, type Statistics } from "./playouts.js";

/** What a finished game is worth to each seat. */
export type Returns = "win" | "margin" | "points";

/** One outcome of a deal. */
export interface Outcome {
  /** `B2YR`: two blue tiles, a yellow and a red one. */
  readonly tiles: string;
  readonly probability: number;
}

/** How a house bot chooses. */
export interface BestMoveOptions {
  /** Decides between equal moves, and whatever else the bot draws. Default: random. */
  readonly seed?: Seed;
}

/** More than any observation has. */
const MOST_VALUES = 65_536;
const OVER = 4;
const DEAL_DUE = 5;

/**
 * A game, at any point of it.
 *
 * ```js
 * const { Game } = await load();
 * const game = new Game("azul-colored-2", { seed: 7n });
 * while (!game.isTerminal) game.apply(game.legal()[0]);
 * console.log(game.scores());
 * ```
 *
 * Memory is released by {@link Game.close}, or some time after the last reference is gone.
 */
export class Game {
  /** The key: `azul-colored-2`, … */
  readonly ruleset: string;
  readonly players: number;
  /** The length of a mask. */
  readonly actionCount: number;
  /** The length of an observation. */
  readonly observationSize: number;

  readonly #instance: Instance;
  readonly #exports: Exports;
  readonly #layout: Layout;
  #handle: number;
  /** The seat that has to decide, or what there is instead. */
  #status: number;

  /** @internal */
  constructor(instance: Instance, handle: number, layout: Layout, ruleset: string) {
    this.#instance = instance;
    this.#exports = instance.exports;
    this.#layout = layout;
    this.#handle = handle;
    this.#status = instance.exports.game_status(handle);
    this.ruleset = ruleset;
    this.players = layout.players;
    this.actionCount = layout.actions;
    this.observationSize = layout.size;
    instance.games.register(this, handle, this);
  }

  /** The handle; 0 is never one, so that a closed game is refused. */
  #open(value: number): number {
    return value === -1 ? this.#refuse() : value;
  }

  #refuse(): never {
    throw this.#handle === 0 ? closed("game") : this.#instance.refusal();
  }

  #check(): void {
    if (this.#handle === 0) {
      throw closed("game");
    }
  }

  #text(value: number): string {
    this.#open(value);
    return this.#instance.text();
  }

  /** Whether the game is over. */
  get isTerminal(): boolean {
    this.#check();
    return this.#status === OVER;
  }

  /** Whether tiles are to be dealt. Only with the chance `explicit`. */
  get isChance(): boolean {
    this.#check();
    return this.#status === DEAL_DUE;
  }

  /** The seat that has to decide; `null` before a deal and after the end. */
  get currentPlayer(): number | null {
    this.#check();
    return this.#status < OVER ? this.#status : null;
  }

  /** The round, counted from 1. */
  get round(): number {
    return this.#open(this.#exports.game_round(this.#handle));
  }

  /**
   * The ids of all legal moves, in ascending order.
   *
   * The array is the same one in every call, because a fresh one would take most of the time: it is
   * valid until the next call of `legal` of any game of the engine. `Array.from(game.legal())` keeps it.
   */
  legal(): Uint16Array {
    return this.#instance.legal(this.#open(this.#exports.game_legal(this.#handle)));
  }

  /**
   * A byte for each action id, 1 if the move is legal. Valid until the next call of `mask` of any game of
   * the engine.
   */
  mask(): Uint8Array {
    this.#open(this.#exports.game_mask(this.#handle));
    return this.#instance.mask(this.actionCount);
  }

  /** Plays a move: an id, or the notation (`3B2`). Deals as far as chance allows. */
  apply(action: number | string): this {
    if (typeof action === "number") {
      // Not a whole number, or outside of 32 bits.
      if (action >>> 0 !== action) {
        this.#check();
        throw this.#noSuchAction(action);
      }
      this.#status = this.#open(this.#exports.game_apply(this.#handle, action));
    } else {
      const length = this.#write("a move", action);
      this.#status = this.#open(this.#exports.game_apply_text(this.#handle, length));
    }
    return this;
  }

  #write(what: string, text: string): number {
    this.#check();
    if (typeof text !== "string") {
      throw wrongType(`${what} must be a text`);
    }
    return this.#instance.write(text);
  }

  #noSuchAction(action: number): PlayError {
    const space = `the action space, which has ${String(this.actionCount)} ids from 0`;
    return new PlayError(`action ${String(action)} is not in ${space}`, "NO_SUCH_ACTION");
  }

  /** The move with this id, in the notation. */
  actionText(action: number): string {
    if (typeof action !== "number") {
      throw wrongType("an action must be a number");
    }
    if (action >>> 0 !== action) {
      this.#check();
      throw this.#noSuchAction(action);
    }
    return this.#text(this.#exports.game_action_text(this.#handle, action));
  }

  /** The id of a move in the notation. It need not be legal now. */
  actionId(text: string): number {
    const length = this.#write("a move", text);
    return this.#open(this.#exports.game_action_id(this.#handle, length));
  }

  /** A copy, which continues with the same deals. */
  clone(): Game {
    const handle = this.#open(this.#exports.game_clone(this.#handle));
    return new Game(this.#instance, handle, this.#layout, this.ruleset);
  }

  /** Becomes equal to another game of the same ruleset: cheaper than a clone. */
  copyFrom(other: Game): this {
    this.#check();
    // `in` requires an object.
    const isGame = typeof other === "object" && (other as unknown) !== null && #instance in other;
    if (!isGame || other.#instance !== this.#instance || other.ruleset !== this.ruleset) {
      throw new PlayError(`expected a game of ${this.ruleset}, of the same engine`, "OTHER_GAME");
    }
    other.#check();
    this.#status = this.#open(this.#exports.game_copy(this.#handle, other.#handle));
    return this;
  }

  /** Every outcome of the deal that is due, with its exact probability. */
  chanceOutcomes(): Outcome[] {
    const text = this.#text(this.#exports.game_outcomes(this.#handle));
    const pairs = JSON.parse(text) as [string, number][];
    return pairs.map(([tiles, probability]) => ({ tiles, probability }));
  }

  /** Deals these tiles: `B2YR`. */
  applyOutcome(tiles: string): this {
    const length = this.#write("a deal", tiles);
    this.#status = this.#open(this.#exports.game_deal(this.#handle, length));
    return this;
  }

  /** Deals one display at random. */
  sampleOutcome(seed: Seed = random()): this {
    this.#status = this.#open(this.#exports.game_sample(this.#handle, word("the seed", seed)));
    return this;
  }

  /**
   * What the game is worth to each seat; all zero until it is over. `win`: the winners share 1 and the
   * others -1; `margin`: the lead in points; `points`: the points.
   */
  returns(kind: Returns = "win"): number[] {
    const length = this.#instance.write(line("the kind", kind));
    this.#open(this.#exports.game_returns(this.#handle, length));
    return Array.from(new Float32Array(this.#instance.output().buffer));
  }

  /** The points of each seat: before the end, with the bonuses that are complete by now. */
  scores(): number[] {
    this.#open(this.#exports.game_scores(this.#handle));
    return Array.from(new Uint16Array(this.#instance.output().buffer));
  }

  /** The rank of each seat, 1 for the leader; equal seats share a rank. */
  ranks(): number[] {
    this.#open(this.#exports.game_ranks(this.#handle));
    return Array.from(this.#instance.output());
  }

  /**
   * The position as a seat sees it, by default the one that has to decide: raw values. Valid until the
   * next call of `observe` of any game of the engine.
   */
  observe(seat?: number): Uint8Array {
    const length = this.#open(this.#exports.game_observe(this.#handle, this.#seat(seat)));
    return this.#instance.raw(length);
  }

  /**
   * The same, divided by the scales of the layout. Valid until the next call of `observeScaled` of any
   * game of the engine.
   */
  observeScaled(seat?: number): Float32Array {
    const length = this.#open(this.#exports.game_observe_scaled(this.#handle, this.#seat(seat)));
    return this.#instance.scaled(length);
  }

  #seat(seat?: number): number {
    this.#check();
    const current = this.#status < OVER ? this.#status : 0;
    if (seat === undefined) {
      return current;
    }
    // A number beyond 32 bits would wrap around.
    if (Number(seatLine("the seat", seat)) !== seat >>> 0) {
      const seats = `this game has ${String(this.players)} seats, numbered from 0`;
      throw new PlayError(`seat ${String(seat)} does not exist: ${seats}`, "NO_SUCH_SEAT");
    }
    return seat;
  }

  /** Where each part of a position is in its observation. */
  layout(): Layout {
    return this.#layout;
  }

  /** A number that is the same for positions that differ only in the order of factory displays. */
  hash(): bigint {
    this.#open(this.#exports.game_hash(this.#handle));
    return new BigUint64Array(this.#instance.output().buffer)[0] ?? 0n;
  }

  /** The position in the notation; `Game.parse` reads it. */
  text(): string {
    return this.#text(this.#exports.game_text(this.#handle));
  }

  /** The position in the notation. */
  toString(): string {
    return this.text();
  }

  /** A picture of the table. */
  svg(): string {
    return this.#text(this.#exports.game_svg(this.#handle));
  }

  /** The table as text for people. */
  drawing(): string {
    return this.#text(this.#exports.game_drawing(this.#handle));
  }

  /**
   * The id of the move that a house bot chooses: `random`, `greedy`, `strong` (100 ms), `strong:250`
   * (ms), `strong:5000n` (iterations). It blocks the thread.
   */
  bestMove(bot = "greedy", options: BestMoveOptions = {}): number {
    this.#check();
    const { seed = random() } = given("the options", options);
    const number = word("the seed", seed);
    const length = this.#instance.write(line("the bot", bot));
    return this.#open(this.#exports.game_best_move(this.#handle, length, number));
  }

  /**
   * Plays random moves to the end, inside of the engine. Returns their number. The deals are drawn from
   * this seed, too, and not from the seed or generator of the game: a clone has other deals with another
   * seed, and the same ones with the same seed.
   */
  playOut(seed: Seed = random()): number {
    const moves = this.#open(this.#exports.game_play_out(this.#handle, word("the seed", seed)));
    this.#status = OVER;
    return moves;
  }

  /**
   * Plays many games from here to the end, inside of the engine; this game does not change. The deals are
   * drawn from the seed of the options, and not from that of the game.
   */
  playouts(games: number, options: PlayoutOptions = {}): Statistics {
    this.#check();
    const { bots = ["random"], seed = random() } = given("the options", options);
    const count = whole("the number of games", games, 0, 2 ** 31);
    const number = word("the seed", seed);
    if (!Array.isArray(bots)) {
      throw wrongType("the bots must be an array of names");
    }
    const names = (bots as readonly string[]).map((bot) => line("the bot", bot)).join(" ");
    const length = this.#instance.write(names);
    this.#open(this.#exports.game_playouts(this.#handle, length, count, number));
    return readStatistics(this.#instance.output(), count, this.players);
  }

  /** Releases the memory at once. The game cannot be used any more. */
  close(): void {
    if (this.#handle !== 0) {
      this.#exports.game_free(this.#handle);
      this.#instance.games.unregister(this);
      this.#handle = 0;
    }
  }
}

/** The class `Game` of an engine. */
export interface Games {
  /** A new game of a ruleset: `azul-colored-2`, `summer-pavilion-gray-4`, … */
  new (ruleset: string, options?: StartOptions): Game;
  /** The game at a position in the notation. */
  parse(text: string, options?: ChanceOptions): Game;
  /** The game at the position of a message, such as the `state` of a turn, or of its bytes. */
  fromState(state: GameState | Uint8Array, options?: ChanceOptions): Game;
  /** The game at the position of an observation, in raw values: whole numbers from 0 to 255. */
  fromObservation(ruleset: string, values: ArrayLike<number>, options?: ChanceOptions): Game;
  readonly prototype: Game;
}

/** The values of an observation; a copy. */
function bytesOf(values: ArrayLike<number>): Uint8Array {
  const { length } = given<{ length: unknown }>("an observation", values);
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0) {
    throw wrongType("an observation must be an array");
  }
  if (length > MOST_VALUES) {
    throw new PlayError(`an observation does not have ${String(length)} values`, "BAD_OBSERVATION");
  }
  return Uint8Array.from({ length }, (_, at) => {
    const value: unknown = values[at];
    // Another number would become one of these.
    if (typeof value !== "number" || (value & 255) !== value) {
      throw wrongType(`value ${String(at)} of the observation is not a number from 0 to 255`);
    }
    return value;
  });
}

function encoded(state: GameState): Uint8Array {
  try {
    return toBinary(GameStateSchema, state);
  } catch {
    throw new PlayError("a state is a GameState, or its bytes", "BAD_MESSAGE");
  }
}

/** Binds the class to an instance. */
export function bindGames(instance: Instance): Games {
  const { exports } = instance;
  const open = (handle: number) => {
    instance.checked(handle);
    instance.checked(exports.game_ruleset(handle));
    const ruleset = instance.text();
    return new Game(instance, handle, layoutOf(instance, ruleset), ruleset);
  };
  /** Writes a text and bytes directly behind it. Returns the length of the text. */
  const before = (text: string, raw: Uint8Array) => {
    instance.room(3 * text.length + raw.length);
    const length = instance.write(text);
    instance.bytes.set(raw, instance.room(0) + length);
    return length;
  };
  function construct(ruleset: string, options: StartOptions = {}): Game {
    const chance = chanceLine(options);
    const seat = seatLine("the start seat", options.startSeat ?? 0);
    const lines = [line("the ruleset", ruleset), chance, seat];
    return open(exports.game_new(instance.write(lines.join("\n"))));
  }
  construct.prototype = Game.prototype;
  construct.parse = (text: string, options: ChanceOptions = {}): Game => {
    const lines = [chanceLine(options), line("the position", text)];
    return open(exports.game_parse(instance.write(lines.join("\n"))));
  };
  construct.fromObservation = (
    ruleset: string,
    values: ArrayLike<number>,
    options: ChanceOptions = {},
  ): Game => {
    const raw = bytesOf(values);
    const header = [line("the ruleset", ruleset), chanceLine(options)].join("\n");
    return open(exports.game_observed(before(header, raw), raw.length));
  };
  construct.fromState = (state: GameState | Uint8Array, options: ChanceOptions = {}): Game => {
    const raw = state instanceof Uint8Array ? state : encoded(given("a state", state));
    return open(exports.game_state(before(chanceLine(options), raw), raw.length));
  };
  return construct as unknown as Games;
}
