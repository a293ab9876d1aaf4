// Follows a game by its events, as far as deals and points are concerned: the tiles in bag and
// discards, the tiles on each display, and the score track. The rules for taking and placing tiles are
// not checked here; `azulejo verify` does that with the record.

import type { Event, GameState, Move } from "../gen/azulejo/game/v1/game_pb.js";
import { drawTiles, type Counts, type Stock } from "./draw.js";

/** The part of a state that is followed. */
export interface Position {
  readonly stock: Stock;
  readonly factories: readonly Counts[];
  /** The supply of Summer Pavilion; empty for Azul. */
  readonly supply: Counts;
  /** Number of tiles in a full supply. */
  readonly supplySize: number;
  readonly points: readonly number[];
}

/** A state or an event does not follow from the seed. */
export class Mismatch extends Error {}

export const TILES_PER_FACTORY = 4;

export const plus = (one: Counts, other: Counts): number[] =>
  one.map((count, color) => count + (other[color] ?? 0));
export const minus = (one: Counts, other: Counts): number[] =>
  one.map((count, color) => count - (other[color] ?? 0));
export const same = (one: Counts, other: Counts): boolean =>
  one.length === other.length && one.every((count, color) => count === other[color]);
/** A number of tiles of one color. */
export const tilesOf = (colors: number, color: number, count: number): number[] =>
  Array.from({ length: colors }, (_, index) => (index === color ? count : 0));

/** A game that is followed. Throws {@link Mismatch} where something does not follow from the seed. */
export abstract class Table {
  readonly #seed: Uint8Array;
  readonly #none: Counts;
  #stock: Stock;
  #tipped: Counts | undefined;
  /** The supply of Summer Pavilion. */
  protected supply: Counts;
  /** Points on the score track, by seat. */
  readonly points: number[] = [];
  /** Points with bonuses, by seat, once the game is over. Absent for a seat without bonuses. */
  readonly totals: number[] = [];

  constructor(seed: Uint8Array, colors: number, tilesPerColor: number) {
    this.#seed = seed;
    this.#none = tilesOf(colors, 0, 0);
    this.supply = this.#none;
    const bag = this.#none.map(() => tilesPerColor);
    this.#stock = { drawn: 0, bag, discards: this.#none };
  }

  /** Reads deals and points from a state. */
  protected abstract read(state: GameState): Position;

  /** An event of this move. */
  abstract follow(event: Event, by: Move | undefined): void;

  /** Checks the first deal of the game. */
  begin(first: GameState): void {
    const { supply, supplySize, factories, points } = this.read(first);
    if (supplySize > 0) {
      this.dealt(supplySize, supply);
    }
    this.supply = supply;
    factories.forEach((factory) => {
      this.dealt(TILES_PER_FACTORY, factory);
    });
    this.points.push(...points);
    this.compare(first);
  }

  /** Compares with a state that the bot received. */
  compare(state: GameState): void {
    const { stock, supply, points } = this.read(state);
    const fits =
      stock.drawn === this.#stock.drawn &&
      same(stock.bag, this.#stock.bag) &&
      same(stock.discards, this.#stock.discards) &&
      same(supply, this.supply) &&
      same(points, this.points);
    if (!fits) {
      throw new Mismatch();
    }
  }

  /** A display for `count` tiles was filled with these. */
  protected dealt(count: number, dealt: Counts): void {
    const { discards } = this.#stock;
    const { tiles, tipped, stock } = drawTiles(this.#seed, this.#stock, count);
    const drawn = this.#none.map((_, color) => tiles.filter((tile) => tile === color).length);
    const isTipRight =
      this.#tipped === undefined ? !tipped : tipped && same(this.#tipped, discards);
    if (!isTipRight || !same(drawn, dealt)) {
      throw new Mismatch();
    }
    this.#stock = stock;
    this.#tipped = undefined;
  }

  /** These discards were returned to the bag. */
  protected tipped(discards: Counts): void {
    this.#tipped = discards;
  }

  protected discard(tiles: Counts): void {
    this.#stock = { ...this.#stock, discards: plus(this.#stock.discards, tiles) };
  }

  protected score(seat: number, points: number): void {
    this.points[seat] = (this.points[seat] ?? 0) + points;
  }

  protected final(seat: number, points: number): void {
    this.totals[seat] = (this.points[seat] ?? 0) + points;
  }
}

/** Whether there is no {@link Mismatch}. */
export function matches(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Mismatch) {
      return false;
    }
    throw error;
  }
}
