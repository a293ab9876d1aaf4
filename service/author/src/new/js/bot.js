// {{name}}: plays a random legal move. Make it better!
import { run } from "azulejo-sdk";

await run(
  {
    // A turn also has state, the complete state, and timeLeft, the time left on the clock. Every
    // legal move includes its effect.
    choose: ({ legalMoves }) => legalMoves[Math.floor(Math.random() * legalMoves.length)],
  },
  { register: "you/{{name}}", maxConcurrentMatches: 2 },
);
