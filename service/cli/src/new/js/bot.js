// {{name}}: plays a random legal move. Make it better!
import { run } from "azulejo-sdk";

await run(
  {
    // Also in a turn: state is the whole position, timeLeft the time on the clock, and every legal
    // move carries its effect.
    choose: ({ legalMoves }) => legalMoves[Math.floor(Math.random() * legalMoves.length)],
  },
  { register: "you/{{name}}", maxConcurrentMatches: 2 },
);
