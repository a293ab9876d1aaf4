// Takes the most at once: tiles on a pattern line without a penalty, tiles in hand, points.
import { run } from "azulejo-sdk";

/** @param {import("azulejo-sdk").LegalMove} move */
function worth({ effect }) {
  switch (effect.case) {
    case "azulEffect":
      return effect.value.tilesToLine + effect.value.wallPoints - effect.value.floorPenalty;
    case "summerPavilionEffect":
      return effect.value.tilesTaken + effect.value.points - effect.value.pointsLost;
    default:
      return 0;
  }
}

await run(
  {
    choose: ({ legalMoves }) =>
      legalMoves.reduce((best, move) => (worth(move) > worth(best) ? move : best)),
    matchEnded: ({ match, seat }) => {
      console.log(match?.id, "place", match?.result?.seats[seat]?.placement);
    },
  },
  { register: process.argv[2] ?? "you/greedy" },
);
