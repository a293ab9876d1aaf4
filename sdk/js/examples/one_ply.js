// Looks one move ahead: tries every move on a copy of the game, and then plays random games to the end.
// The engine runs in this process, so `best` needs no server.
import { run } from "azulejo-sdk";
import { load } from "azulejo-sdk/local";

const GAMES = 24;
const { Game } = await load();

/**
 * The mean lead of a seat after a move.
 *
 * @param {import("azulejo-sdk/local").Game} game
 * @param {number} action
 * @param {number} seat
 */
function value(game, action, seat) {
  const after = game.clone().apply(action);
  const { scores, seats } = after.playouts(GAMES);
  after.close();
  const totals = Array.from({ length: seats }, () => 0);
  scores.forEach((score, at) => (totals[at % seats] = (totals[at % seats] ?? 0) + score));
  const [own = 0] = totals.splice(seat, 1);
  return (own - Math.max(...totals)) / GAMES;
}

/**
 * The move with the best mean lead.
 *
 * @param {import("azulejo-sdk/local").Game} game
 */
function best(game) {
  const seat = game.currentPlayer ?? 0;
  const values = Array.from(game.legal(), (action) => ({
    action,
    value: value(game, action, seat),
  }));
  return values.reduce((best, other) => (other.value > best.value ? other : best)).action;
}

await run(
  {
    choose: ({ state }) => {
      if (state === undefined) throw new Error("a turn has a state");
      // Explicit: the deals of later rounds are drawn again in every game.
      const game = Game.fromState(state, { chance: "explicit" });
      const action = best(game);
      game.close();
      return action;
    },
    matchEnded: ({ match, seat }) => {
      console.log(match?.id, "place", match?.result?.seats[seat]?.placement);
    },
  },
  { register: process.argv[2] ?? "you/one-ply", maxConcurrentMatches: 4 },
);
