import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { drawTile, drawTiles, type Stock } from "azulejo-sdk";
import { chacha20Block } from "#sdk/chacha20";
import { bytes, hex } from "./support/hex.js";
import { PROJECT } from "./support/server.js";

const LETTERS: Record<string, readonly string[]> = {
  azul: ["B", "Y", "R", "K", "W"],
  "summer-pavilion": ["O", "R", "B", "Y", "G", "P"],
};
const TILES: Record<string, number> = { azul: 20, "summer-pavilion": 22 };

interface Golden {
  draws: { game: string; seed: string; drawn: number; bag: number[]; color: string }[];
  deals: { game: string; seed: string; players: number; displays: string[] }[];
}
const golden = JSON.parse(readFileSync(join(PROJECT, "tests/golden/draw.json"), "utf8")) as Golden;

function block(key: Uint8Array, counter: number, nonce: Uint8Array): string {
  return hex(new Uint8Array(chacha20Block(key, counter, nonce).buffer));
}

// RFC 8439, section 2.3.2 and appendix A.1.
test("a block of the key stream is as in RFC 8439", () => {
  const key = Uint8Array.from({ length: 32 }, (_, index) => index);
  assert.equal(
    block(key, 1, bytes("000000090000004a00000000")),
    "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e" +
      "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
  );
  assert.equal(
    block(new Uint8Array(32), 0, new Uint8Array(12)).slice(0, 32),
    "76b8e0ada0f13d90405d6ae55386bd28",
  );
  assert.equal(
    block(new Uint8Array(32), 1, new Uint8Array(12)).slice(0, 32),
    "9f07e7be5551387a98ba977c732d080d",
  );
});

test("the draw is a pure function of seed, number and bag", () => {
  assert.ok(golden.draws.length > 300);
  for (const { game, seed, drawn, bag, color } of golden.draws) {
    const letter = LETTERS[game]?.[drawTile(bytes(seed), drawn, bag)];
    assert.equal(letter, color, `${game} ${seed} ${drawn.toString()}`);
  }
});

test("the first deal of a seed is the same on every machine", () => {
  assert.ok(golden.deals.length > 40);
  for (const { game, seed, displays } of golden.deals) {
    const letters = LETTERS[game] ?? [];
    const bag = letters.map(() => TILES[game] ?? 0);
    let stock: Stock = { drawn: 0, bag, discards: bag.map(() => 0) };
    const dealt = displays.map((_, display) => {
      const count = game === "summer-pavilion" && display === 0 ? 10 : 4;
      const drawn = drawTiles(bytes(seed), stock, count);
      stock = drawn.stock;
      return shown(drawn.tiles, letters);
    });
    assert.deepEqual(dealt, displays);
  }
});

test("an empty bag is filled from the discards while a display is being filled", () => {
  const stock = { drawn: 40, bag: [1, 0, 0, 0, 0], discards: [0, 3, 0, 0, 0] };
  const { tiles, tipped, stock: left } = drawTiles(new Uint8Array(32), stock, 4);
  assert.deepEqual(tiles, [0, 1, 1, 1]);
  assert.equal(tipped, true);
  assert.deepEqual(left, { drawn: 44, bag: [0, 0, 0, 0, 0], discards: [0, 0, 0, 0, 0] });
});

test("a display stays short if there are not enough tiles", () => {
  const stock = { drawn: 98, bag: [0, 0, 2, 0, 0], discards: [0, 0, 0, 0, 0] };
  assert.deepEqual(drawTiles(new Uint8Array(32), stock, 4).tiles, [2, 2]);
});

function shown(tiles: readonly number[], letters: readonly string[]): string {
  return letters
    .map((letter, color) => ({ letter, count: tiles.filter((tile) => tile === color).length }))
    .filter(({ count }) => count > 0)
    .map(({ letter, count }) => (count === 1 ? letter : `${letter}${count.toString()}`))
    .join("");
}
