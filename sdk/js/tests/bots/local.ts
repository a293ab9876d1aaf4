// The engine on a page: it posts what it computes to the server of the page.

import { load } from "azulejo-sdk/local";

async function play(): Promise<object> {
  const { Game, Batch, living } = await load();
  const game = new Game("summer-pavilion-colored-2", { chance: "seed", seed: 7n });
  let moves = 0;
  while (!game.isTerminal) {
    game.apply(game.legal()[moves++ % game.legal().length] ?? -1);
  }
  const bot = new Game("azul-colored-2", { chance: "seed", seed: 7 }).bestMove("strong:20");
  const batch = new Batch("azul-colored-2", 64, { seed: 1 });
  batch.step(batch.sample());
  const text = game.text();
  return { text, scores: game.scores(), moves, bot, mask: batch.mask.length, living };
}

const result = await play().catch((error: unknown) => ({ error: String(error) }));
// Deno has no page.
if ("document" in globalThis) {
  await fetch("/result", { method: "POST", body: JSON.stringify(result) });
} else {
  console.log(JSON.stringify(result));
}
