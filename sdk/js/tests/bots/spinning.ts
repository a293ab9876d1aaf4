// Blocks its worker thread until a file appears.

import { existsSync } from "node:fs";
import { serveThread } from "azulejo-sdk";

const file = process.env.AZULEJO_TEST_FILE ?? "";
const LONGEST_MS = 60_000;
let isFirst = true;

serveThread(({ turn, legalMoves }) => {
  const begun = performance.now();
  while (isFirst && !existsSync(file) && performance.now() - begun < LONGEST_MS) {
    // Nothing else can run on this thread.
  }
  isFirst = false;
  if (turn > 1_000) {
    throw new Error("no game is that long");
  }
  return legalMoves[turn % legalMoves.length] ?? "no move";
});
