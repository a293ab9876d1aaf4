// Computes without a pause until a file appears, in a thread of its own.

import { existsSync } from "node:fs";
import { serveThread } from "azulejo-sdk";

const file = process.env.AZULEJO_TEST_FILE ?? "";
const LONGEST_MS = 60_000;
let isFirst = true;

serveThread(({ turn, legalMoves }) => {
  const begun = performance.now();
  while (isFirst && !existsSync(file) && performance.now() - begun < LONGEST_MS) {
    // Nobody else gets a turn on this thread.
  }
  isFirst = false;
  if (turn > 1_000) {
    throw new Error("no game is that long");
  }
  return legalMoves[turn % legalMoves.length] ?? "no move";
});
