// Follows a game by what is told of it, as far as the deals and the points go: which tiles lie in
// bag and discards, which display is filled with what, and what stands on the score track. The rules
// of taking and laying tiles are not checked here; `azulejo verify` does that with the record.

import type { Event, GameState, Move } from "../gen/azulejo/game/v1/game_pb.js";
import { drawTiles, type Counts, type Stock } from "./draw.js";

/** What a follower needs to know of a position. */
export interface Position {
  readonly stock: Stock;
  readonly factories: readonly Counts[];
  /** The supply of Summer Pavilion; nothing for Azul. */
  readonly supply: Counts;
  /** How many tiles the supply takes. */
  readonly supplySize: number;
  readonly points: readonly number[];
}

/** Something that was told and cannot be: the deals were not those of the seed. */
export class NotSo extends Error {}

export const TILES_PER_FACTORY = 4;

export const plus = (one: Counts, other: Counts): number[] =>
  one.map((count, color) => count + (other[color] ?? 0));
export const minus = (one: Counts, other: Counts): number[] =>
  one.map((count, color) => count - (other[color] ?? 0));
export const same = (one: Counts, other: Counts): boolean =>
  one.length === other.length && one.every((count, color) => count === other[color]);
/** So many tiles of one color. */
export const tilesOf = (colors: number, color: number, count: number): number[] =>
  Array.from({ length: colors }, (_, index) => (index === color ? count : 0));

/** A game that is followed. What does not fit is thrown as {@link NotSo}. */
export abstract class Table {
  readonly #seed: Uint8Array;
  readonly #none: Counts;
  #stock: Stock;
  #tipped: Counts | undefined;
  /** The supply of Summer Pavilion. */
  protected supply: Counts;
  /** What stands on the score track, by seat. */
  readonly points: number[] = [];
  /** Points and bonuses by seat, once the game is over; none for a seat without bonuses. */
  readonly totals: number[] = [];

  constructor(seed: Uint8Array, colors: number, tilesPerColor: number) {
    this.#seed = seed;
    this.#none = tilesOf(colors, 0, 0);
    this.supply = this.#none;
    const bag = this.#none.map(() => tilesPerColor);
    this.#stock = { drawn: 0, bag, discards: this.#none };
  }

  /** What a position says of deals and points. */
  protected abstract read(state: GameState): Position;

  /** Something happened, by this move. */
  abstract follow(event: Event, by: Move | undefined): void;

  /** The first deal of the game, as this position shows it. */
  begin(first: GameState): void {
    const told = this.read(first);
    const wanted = told.supplySize;
    if (wanted > 0) {
      this.dealt(wanted, told.supply);
    }
    this.supply = told.supply;
    told.factories.forEach((factory) => {
      this.dealt(TILES_PER_FACTORY, factory);
    });
    this.points.push(...told.points);
    this.compare(first);
  }

  /** Compares with a position that was told. */
  compare(state: GameState): void {
    const { stock, supply, points } = this.read(state);
    const fits =
      stock.drawn === this.#stock.drawn &&
      same(stock.bag, this.#stock.bag) &&
      same(stock.discards, this.#stock.discards) &&
      same(supply, this.supply) &&
      same(points, this.points);
    if (!fits) {
      throw new NotSo();
    }
  }

  /** A display that takes so many tiles is said to have got these. */
  protected dealt(count: number, told: Counts): void {
    const { discards } = this.#stock;
    const { tiles, tipped, stock } = drawTiles(this.#seed, this.#stock, count);
    const drawn = this.#none.map((_, color) => tiles.filter((tile) => tile === color).length);
    const isTipRight =
      this.#tipped === undefined ? !tipped : tipped && same(this.#tipped, discards);
    if (!isTipRight || !same(drawn, told)) {
      throw new NotSo();
    }
    this.#stock = stock;
    this.#tipped = undefined;
  }

  /** The discards are said to have been these when they were tipped into the bag. */
  protected tipped(told: Counts): void {
    this.#tipped = told;
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

/** Whether it is so. */
export function holds(told: () => void): boolean {
  try {
    told();
    return true;
  } catch (error) {
    if (error instanceof NotSo) {
      return false;
    }
    throw error;
  }
}
