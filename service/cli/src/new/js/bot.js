// {{name}}: plays any legal move. Make it better!
import { run } from "azulejo-sdk";

await run(
  {
    // state is the whole position, left what is left on the clock.
    choose: ({ legalMoves }) => legalMoves[Math.floor(Math.random() * legalMoves.length)],
  },
  { register: "you/{{name}}", gamesAtOnce: 2 },
);
