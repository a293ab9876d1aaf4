// A random legal move, each equally likely.
import { run } from "azulejo-sdk";

await run(
  {
    choose: ({ legalMoves }) =>
      legalMoves[Math.floor(Math.random() * legalMoves.length)] ?? "no move",
    matchEnded: ({ match, seat }) => {
      console.log(match?.id, "place", match?.result?.seats[seat]?.placement);
    },
  },
  { register: process.argv[2] ?? "you/random" },
);
