// The draw: a pure function of the seed, the number of tiles drawn so far, and the bag, as specified
// in `proto/azulejo/game/v1/chance.proto`.

import { chacha20Block } from "./chacha20.js";

/** Tiles by color, in the order of the color enum. */
export type Counts = readonly number[];

/** The tiles that can be drawn. */
export interface Stock {
  /** Tiles drawn since the start of the game. */
  readonly drawn: number;
  /** The bag. */
  readonly bag: Counts;
  /** The lid of Azul, the tower of Summer Pavilion: returned to the bag when that is empty. */
  readonly discards: Counts;
}

/** The tiles drawn, in order, and what is left. */
export interface Drawn {
  /** Colors, counted from 0 in the order of the enum. */
  readonly tiles: readonly number[];
  /** Whether the discards were returned to the bag. */
  readonly tipped: boolean;
  readonly stock: Stock;
}

/** The number of tiles. */
export function total(tiles: Counts): number {
  return tiles.reduce((sum, count) => sum + count, 0);
}

/** The color, counted from 0, of draw number `drawn` from this bag, which must not be empty. */
export function drawTile(seed: Uint8Array, drawn: number, bag: Counts): number {
  const tiles = total(bag);
  const limit = Math.floor(2 ** 32 / tiles) * tiles;
  const nonce = new Uint8Array(12);
  for (let attempt = 0; ; attempt += 1) {
    new DataView(nonce.buffer).setUint32(0, attempt, true);
    const word = chacha20Block(seed, drawn, nonce).find((word) => word < limit);
    if (word !== undefined) {
      return colorOf(bag, word % tiles);
    }
  }
}

/** Draws `count` tiles, or fewer if there are not enough. */
export function drawTiles(seed: Uint8Array, stock: Stock, count: number): Drawn {
  let { drawn } = stock;
  let bag = [...stock.bag];
  let discards = [...stock.discards];
  const tiles: number[] = [];
  let tipped = false;
  while (tiles.length < count) {
    if (total(bag) === 0 && total(discards) > 0) {
      [bag, discards] = [discards, bag];
      tipped = true;
    }
    if (total(bag) === 0) {
      break;
    }
    const color = drawTile(seed, drawn, bag);
    bag[color] = (bag[color] ?? 0) - 1;
    tiles.push(color);
    drawn += 1;
  }
  return { tiles, tipped, stock: { drawn, bag, discards } };
}

function colorOf(bag: Counts, number: number): number {
  let before = 0;
  return bag.findIndex((count) => {
    before += count;
    return number < before;
  });
}
