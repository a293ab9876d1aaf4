// The move that looks best at once, by a rule of thumb for each game.
import { run } from "azulejo-sdk";

const AZUL = /** @type {const} */ (["blue", "yellow", "red", "black", "white"]);
const PAVILION = /** @type {const} */ (["orange", "red", "blue", "yellow", "green", "purple"]);

/**
 * What a move of Azul brings: tiles on a line, a complete line, nothing on the floor.
 * @param {import("azulejo-sdk").game.AzulState} state
 * @param {number} seat
 * @param {import("azulejo-sdk").game.AzulMove} move
 */
function azulWorth(state, seat, { move }) {
  if (move.case !== "take") return 0;
  const { source, color, destination } = move.value;
  const place = source.case === "factory" ? state.factories[source.value - 1] : state.center;
  const taken = place?.[AZUL[color - 1] ?? "blue"] ?? 0;
  if (destination.case !== "line") return -2 * taken;
  const line = destination.value;
  const room = line - (state.boards[seat]?.lines[line - 1]?.tiles ?? 0);
  const laid = Math.min(taken, room);
  return laid - 2 * (taken - laid) + (laid === room ? line : 0);
}

/**
 * What a move of Summer Pavilion brings: many tiles, then many tiles laid.
 * @param {import("azulejo-sdk").game.SummerPavilionState} state
 * @param {import("azulejo-sdk").game.SummerPavilionMove} move
 */
function pavilionWorth(state, { move }) {
  if (move.case === "place") return move.value.space;
  if (move.case !== "take") return 0;
  const { source, color } = move.value;
  const place = source.case === "factory" ? state.factories[source.value - 1] : state.center;
  return place?.[PAVILION[color - 1] ?? "orange"] ?? 0;
}

/**
 * @param {import("azulejo-sdk").Turn} turn
 * @param {import("azulejo-sdk").LegalMove} legal
 */
function worth({ state, seat }, { move }) {
  const [position, chosen] = [state?.game, move?.game];
  if (position?.case === "azul" && chosen?.case === "azul") {
    return azulWorth(position.value, seat, chosen.value);
  }
  if (position?.case === "summerPavilion" && chosen?.case === "summerPavilion") {
    return pavilionWorth(position.value, chosen.value);
  }
  return 0;
}

await run(
  {
    choose: (turn) =>
      turn.legalMoves.reduce((best, move) => (worth(turn, move) > worth(turn, best) ? move : best)),
    matchEnded: ({ match, seat }) => {
      console.log(match?.id, "place", match?.result?.seats[seat]?.placement);
    },
  },
  { register: process.argv[2] ?? "you/greedy" },
);
