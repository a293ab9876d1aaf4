// Plays a match again with the engine in the process: every state, every move and the result must be
// those of the game.

import { bytesToHex } from "@noble/hashes/utils.js";
import type { MatchEnded, MoveMade } from "../gen/azulejo/arena/v1/play_pb.js";
import { GameEnd, type GameState } from "../gen/azulejo/game/v1/game_pb.js";
import { BoardSide, type Ruleset } from "../gen/azulejo/game/v1/rules_pb.js";
import type { Game, Local } from "./local/index.js";
import { PlayError } from "./local/error.js";

/** What the bot has seen. */
export interface Replayed {
  readonly ruleset: Ruleset | undefined;
  readonly seats: number;
  readonly seed: Uint8Array;
  readonly first: GameState;
  readonly moves: readonly MoveMade[];
  readonly positions: ReadonlyMap<number, GameState>;
}

/** The first difference: none, the first deal, a turn, or the result. */
export type Difference = undefined | "FIRST_DEAL" | "SCORE" | { readonly turn: number };

export function difference(match: Replayed, ended: MatchEnded, { Game }: Local): Difference {
  const same = (state: GameState, game: Game): boolean => {
    const shown = Game.fromState(state, { chance: "explicit" });
    const equal = shown.text() === game.text();
    shown.close();
    return equal;
  };
  const game = holds(() => begin(match, Game, same));
  if (game === undefined) {
    return "FIRST_DEAL";
  }
  try {
    for (const [turn, { seat, move }] of match.moves.entries()) {
      const shown = match.positions.get(turn);
      const fits = holds(
        () =>
          move !== undefined &&
          (shown === undefined || same(shown, game)) &&
          game.currentPlayer === seat &&
          game.actionText(move.actionId) === move.notation &&
          game.apply(move.actionId) === game,
      );
      if (fits !== true) {
        return { turn };
      }
    }
    return isResultRight(ended, game) ? undefined : "SCORE";
  } finally {
    game.close();
  }
}

/** The game whose first deals follow from the seed. The state does not say in words which seat starts. */
function begin(
  { ruleset, seats, seed, first }: Replayed,
  Game: Local["Game"],
  same: (state: GameState, game: Game) => boolean,
): Game | undefined {
  for (let startSeat = 0; startSeat < seats; startSeat++) {
    const game = new Game(keyOf(ruleset), {
      chance: "seed",
      seed: bytesToHex(seed),
      startSeat,
    });
    if (same(first, game)) {
      return game;
    }
    game.close();
  }
  return undefined;
}

/** The value, or nothing if the engine refuses. */
function holds<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (error instanceof PlayError) {
      return undefined;
    }
    throw error;
  }
}

function keyOf(ruleset: Ruleset | undefined): string {
  const game = ruleset?.game;
  const side = game?.value?.side === BoardSide.GRAY ? "gray" : "colored";
  const name = game?.case === "summerPavilion" ? "summer-pavilion" : "azul";
  return `${name}-${side}-${String(game?.value?.players)}`;
}

function isResultRight(ended: MatchEnded, game: Game): boolean {
  const score = ended.match?.result?.score;
  if (score === undefined) {
    return true;
  }
  const scores = game.scores();
  const winners = game.ranks().flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  return (
    score.seats.length === scores.length &&
    score.seats.every(({ total }, seat) => total === scores[seat]) &&
    score.winners.length === winners.length &&
    score.winners.every((winner, at) => winner === winners[at]) &&
    (score.end !== GameEnd.UNSPECIFIED) === game.isTerminal
  );
}
