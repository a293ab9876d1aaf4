// A bot in its own process. It prints its events, one per line.

import { setTimeout as sleep } from "node:timers/promises";
import { azul, EndReason, run, TimeClass } from "azulejo-sdk";

await run(
  {
    choose: async ({ turn, legalMoves }) => {
      // So that a match lasts long enough to be interrupted.
      await sleep(10);
      return legalMoves[turn % legalMoves.length] ?? "no move";
    },
    moveMade: ({ turn }) => {
      console.log(`move ${turn.toString()}`);
    },
    matchEnded: ({ match, seat }) => {
      console.log(`ended ${EndReason[match?.result?.seats[seat]?.endReason ?? 0] ?? ""}`);
    },
  },
  { rulesets: [azul(2)], timeClasses: [TimeClass.RAPID] },
);
console.log("stopped");
