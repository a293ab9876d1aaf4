// {{name}}: searches with the engine in its own process. It plays on from every move to the end, at
// random and many times, most often from the moves with the best results. Make it better!
import { milliseconds, run } from "azulejo-sdk";
import { load } from "azulejo-sdk/local";

// Milliseconds for a move. It is less when little is left on the clock.
const MOST = 200;

const { Game } = await load();

function choose({ state, seat, legalMoves, timeLeft }) {
  const end = performance.now() + Math.min(MOST, milliseconds(timeLeft) / 20);
  // The coming deals are not known: every playout draws its own.
  const game = Game.fromState(state, { chance: "explicit" });
  const future = game.clone();
  const tries = legalMoves.map(() => ({ visits: 0, total: 0 }));
  for (let number = 0; number < tries.length || performance.now() < end; number++) {
    const bonus = 2 * Math.log(number);
    const bound = ({ visits, total }) => total / visits + Math.sqrt(bonus / visits);
    const next = number < tries.length ? number : best(tries.map(bound));
    future.copyFrom(game).apply(legalMoves[next].actionId).playOut(number);
    tries[next].visits += 1;
    tries[next].total += future.returns()[seat];
  }
  game.close();
  future.close();
  return legalMoves[best(tries.map(({ visits }) => visits))];
}

function best(values) {
  return values.indexOf(Math.max(...values));
}

await run({ choose }, { register: "you/{{name}}", maxConcurrentMatches: 2 });
