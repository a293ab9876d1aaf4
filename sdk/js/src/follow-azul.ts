// Follows a game of Azul.

import type { AzulTiles } from "../gen/azulejo/game/v1/azul_pb.js";
import type { Event, GameState } from "../gen/azulejo/game/v1/game_pb.js";
import { Mismatch, plus, Table, TILES_PER_FACTORY, tilesOf, type Position } from "./follow.js";
import type { Counts } from "./draw.js";

const COLORS = 5;
const TILES_PER_COLOR = 20;

const counts = (tiles: AzulTiles | undefined): Counts =>
  tiles === undefined
    ? tilesOf(COLORS, 0, 0)
    : [tiles.blue, tiles.yellow, tiles.red, tiles.black, tiles.white];

/** Follows a game of Azul. */
export class AzulTable extends Table {
  readonly #floors = new Map<number, Counts>();

  constructor(seed: Uint8Array) {
    super(seed, COLORS, TILES_PER_COLOR);
  }

  protected override read({ game }: GameState): Position {
    if (game.case !== "azul") {
      throw new Mismatch();
    }
    const { drawn, bag, lid, factories, boards } = game.value;
    return {
      stock: { drawn, bag: counts(bag), discards: counts(lid) },
      factories: factories.map(counts),
      supply: tilesOf(COLORS, 0, 0),
      supplySize: 0,
      points: boards.map((board) => board.points),
    };
  }

  override follow({ game }: Event): void {
    if (game.case !== "azul") {
      throw new Mismatch();
    }
    const { event } = game.value;
    switch (event.case) {
      case "fellToFloor": {
        const { seat, color, tiles } = event.value;
        this.#floors.set(seat, plus(tilesOf(COLORS, color - 1, tiles), this.#floor(seat)));
        break;
      }
      case "fellToLid":
        this.discard(tilesOf(COLORS, event.value.color - 1, event.value.tiles));
        break;
      case "tilePlaced": {
        // One tile of the line moves to the wall, the others to the lid.
        const { seat, row, color, points } = event.value;
        this.discard(tilesOf(COLORS, color - 1, row - 1));
        this.score(seat, points);
        break;
      }
      case "floorCleared": {
        const { seat, lost } = event.value;
        this.discard(this.#floor(seat));
        this.#floors.delete(seat);
        this.score(seat, -lost);
        break;
      }
      case "lidTipped":
        this.tipped(counts(event.value.tiles));
        break;
      case "dealt":
        this.dealt(TILES_PER_FACTORY, counts(event.value.tiles));
        break;
      case "bonus":
        this.final(event.value.seat, event.value.points);
        break;
      default:
    }
  }

  #floor(seat: number): Counts {
    return this.#floors.get(seat) ?? tilesOf(COLORS, 0, 0);
  }
}
