// Short names for rulesets and seeds.

import { create } from "@bufbuild/protobuf";
import { SeedSchema, type Seed } from "../gen/azulejo/game/v1/chance_pb.js";
import { BoardSide, RulesetSchema, type Ruleset } from "../gen/azulejo/game/v1/rules_pb.js";

/** A side of the player boards. */
export type Side = "colored" | "gray";

const SIDES = { colored: BoardSide.COLORED, gray: BoardSide.GRAY } as const;

/** Azul for 2 to 4 players. */
export function azul(players: number, side: Side = "colored"): Ruleset {
  const value = { version: 1, side: SIDES[side], players };
  return create(RulesetSchema, { game: { case: "azul", value } });
}

/** Azul: Summer Pavilion for 2 to 4 players. */
export function summerPavilion(players: number, side: Side = "colored"): Ruleset {
  const value = { version: 1, side: SIDES[side], players };
  return create(RulesetSchema, { game: { case: "summerPavilion", value } });
}

/** A seed, which decides every draw: 32 bytes, or a small number for experiments. */
export type SeedLike = Uint8Array | number | bigint | Seed;

/** The seed as a message. */
export function seedOf(seed: SeedLike): Seed {
  if (seed instanceof Uint8Array) {
    return create(SeedSchema, { seed: { case: "key", value: seed } });
  }
  if (typeof seed === "object") {
    return seed;
  }
  return create(SeedSchema, { seed: { case: "number", value: BigInt(seed) } });
}
