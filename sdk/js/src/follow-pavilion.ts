// Follows a game of Summer Pavilion.

import type { Event, GameState, Move } from "../gen/azulejo/game/v1/game_pb.js";
import {
  SummerPavilionColor,
  type SummerPavilionTiles,
} from "../gen/azulejo/game/v1/summer_pavilion_pb.js";
import {
  minus,
  Mismatch,
  plus,
  Table,
  TILES_PER_FACTORY,
  tilesOf,
  type Position,
} from "./follow.js";
import { total, type Counts } from "./draw.js";

const COLORS = 6;
const TILES_PER_COLOR = 22;
const SUPPLY_SIZE = 10;

const counts = (tiles: SummerPavilionTiles | undefined): Counts =>
  tiles === undefined
    ? tilesOf(COLORS, 0, 0)
    : [tiles.orange, tiles.red, tiles.blue, tiles.yellow, tiles.green, tiles.purple];

/** Follows a game of Summer Pavilion. */
export class PavilionTable extends Table {
  #wild: SummerPavilionColor = SummerPavilionColor.PURPLE;

  constructor(seed: Uint8Array) {
    super(seed, COLORS, TILES_PER_COLOR);
  }

  protected override read({ game }: GameState): Position {
    if (game.case !== "summerPavilion") {
      throw new Mismatch();
    }
    const { drawn, bag, tower, factories, supply, boards } = game.value;
    return {
      stock: { drawn, bag: counts(bag), discards: counts(tower) },
      factories: factories.map(counts),
      supply: counts(supply),
      supplySize: SUPPLY_SIZE,
      points: boards.map((board) => board.points),
    };
  }

  override follow({ game }: Event, by: Move | undefined): void {
    if (game.case !== "summerPavilion") {
      throw new Mismatch();
    }
    const { event } = game.value;
    switch (event.case) {
      case "tokenTaken":
        this.score(event.value.seat, -event.value.lost);
        break;
      case "placed": {
        // One of the tiles paid stays on the star, the others go to the tower.
        const { seat, color, wilds, points } = event.value;
        this.discard(tilesOf(COLORS, color - 1, naturals(by) - 1));
        this.discard(tilesOf(COLORS, this.#wild - 1, wilds));
        this.score(seat, points);
        break;
      }
      case "bonusTaken":
        this.supply = minus(this.supply, counts(event.value.tiles));
        break;
      case "passed":
        this.discard(counts(event.value.discarded));
        this.score(event.value.seat, -event.value.lost);
        break;
      case "roundBegan":
        this.#wild = event.value.wild;
        break;
      case "towerTipped":
        this.tipped(counts(event.value.tiles));
        break;
      case "dealt": {
        const tiles = counts(event.value.tiles);
        if (event.value.display.case === "supply") {
          this.dealt(SUPPLY_SIZE - total(this.supply), tiles);
          this.supply = plus(this.supply, tiles);
        } else {
          this.dealt(TILES_PER_FACTORY, tiles);
        }
        break;
      }
      case "finalScore": {
        const { seat, stars, numbers, lost } = event.value;
        this.final(seat, stars + numbers - lost);
        break;
      }
      default:
    }
  }
}

/** The tiles of the color itself that a placement costs. The event does not contain them. */
function naturals(by: Move | undefined): number {
  const move = by?.game.case === "summerPavilion" ? by.game.value.move : undefined;
  if (move?.case !== "place") {
    throw new Mismatch();
  }
  return move.value.naturals;
}
