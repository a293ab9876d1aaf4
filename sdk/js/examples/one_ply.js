// Looks one move ahead: the engine expands the position, and the child with the best margin wins.
import { connectEngine, ExpandView, run } from "azulejo-sdk";

const engine = connectEngine();

/**
 * How far the seat is ahead of the best of the others.
 * @param {import("azulejo-sdk").Score | undefined} score
 * @param {number} seat
 */
function margin(score, seat) {
  const totals = score?.seats.map(({ total }) => total) ?? [];
  const others = totals.filter((_, other) => other !== seat);
  return (totals[seat] ?? 0) - Math.max(...others);
}

await run(
  {
    choose: async ({ state, seat }, signal) => {
      if (state === undefined) throw new Error("a turn has a state");
      const { children } = await engine.expand(state, ExpandView.SCORES, { signal });
      const best = Math.max(...children.map(({ score }) => margin(score, seat)));
      const equals = children.filter(({ score }) => margin(score, seat) === best);
      return equals[Math.floor(Math.random() * equals.length)]?.move ?? "no move";
    },
    matchEnded: ({ match, seat }) => {
      console.log(match?.id, "place", match?.result?.seats[seat]?.placement);
    },
  },
  { register: process.argv[2] ?? "you/one-ply" },
);
engine.close();
