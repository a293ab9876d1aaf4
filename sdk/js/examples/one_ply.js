// Looks one move ahead: values every legal move by its effect and plays the best one. Ties are broken
// at random. The server computes the effects, so no rule of the games is needed here.
import { run } from "azulejo-sdk";

/** @param {import("azulejo-sdk").LegalMove} move */
function value({ effect, notation }) {
  switch (effect.case) {
    case "azulEffect": {
      const { wallPoints, completesLine, tilesToLine, floorPenalty, tilesToLid } = effect.value;
      return wallPoints + Number(completesLine) + 0.25 * tilesToLine - floorPenalty - tilesToLid;
    }
    case "summerPavilionEffect": {
      const { points, bonusTiles, tilesTaken, wildsPaid, pointsLost } = effect.value;
      if (notation === "pass") return -Infinity;
      return points + 2 * bonusTiles + 0.5 * tilesTaken - 0.5 * wildsPaid - pointsLost;
    }
    default:
      return 0;
  }
}

await run(
  {
    choose: ({ legalMoves }) => {
      const best = Math.max(...legalMoves.map(value));
      const equals = legalMoves.filter((move) => value(move) === best);
      return equals[Math.floor(Math.random() * equals.length)] ?? "no move";
    },
    matchEnded: ({ match, seat }) => {
      console.log(match?.id, "place", match?.result?.seats[seat]?.placement);
    },
  },
  { register: process.argv[2] ?? "you/one-ply", maxConcurrentMatches: 4 },
);
