// A thread that plays a game with an engine of its own.

import { parentPort } from "node:worker_threads";
import { load } from "azulejo-sdk/local";

const { Game } = await load();
const game = new Game("summer-pavilion-colored-2", { chance: "seed", seed: 7n });
let moves = 0;
while (!game.isTerminal) {
  game.apply(game.legal()[moves++ % game.legal().length] ?? -1);
}
parentPort?.postMessage({ text: game.text(), scores: game.scores(), moves });
