// An engine that has failed.

import type { Local } from "azulejo-sdk/local";

/** Calls the engine deeper and deeper, until the stack is full inside of it. Returns what is thrown. */
export function breakDown({ Game }: Local): unknown {
  const game = new Game("azul-colored-2", { seed: 1 });
  const dive = (): unknown => {
    try {
      game.drawing();
    } catch (error) {
      return error;
    }
    return dive();
  };
  return dive();
}
