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
  readonly seed: Uint8Array;
  readonly first: GameState;
  readonly moves: readonly MoveMade[];
  readonly positions: ReadonlyMap<number, GameState>;
}

/** The first difference: none, the first deal, a turn, or the result. */
export type Difference = undefined | "FIRST_DEAL" | "SCORE" | { readonly turn: number };

/** Reasons of errors that say nothing about the match. */
const NOT_RULES: ReadonlySet<string> = new Set([
  "BAD_MESSAGE",
  "CLOSED",
  "ENGINE_FAILED",
  "NO_SUCH_RULESET",
  "OUT_OF_MEMORY",
  "TOO_MANY_OPEN",
  "UNKNOWN_RULES_VERSION",
  "WRONG_TYPE",
]);

/**
 * Plays the match again. Throws if the engine cannot: only what the rules refuse is a difference.
 */
export function difference(match: Replayed, ended: MatchEnded, { Game }: Local): Difference {
  const same = (state: GameState, game: Game): boolean =>
    holds(() => {
      const shown = Game.fromState(state, { chance: "explicit" });
      try {
        return shown.text() === game.text();
      } finally {
        shown.close();
      }
    });
  const game = begin(match, Game, same);
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
      if (!fits) {
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
  { ruleset, seed, first }: Replayed,
  Game: Local["Game"],
  same: (state: GameState, game: Game) => boolean,
): Game | undefined {
  const players = ruleset?.game.value?.players ?? 0;
  for (let startSeat = 0; startSeat < Math.max(players, 1); startSeat++) {
    // The match has no part in this call: whatever is refused is not its fault.
    const game = new Game(keyOf(ruleset), {
      chance: "seed",
      seed: bytesToHex(seed),
      startSeat,
    });
    let isSame = false;
    try {
      isSame = same(first, game);
    } finally {
      if (!isSame) {
        game.close();
      }
    }
    if (isSame) {
      return game;
    }
  }
  return undefined;
}

/** Whether it is true. What the rules refuse is not; other errors say nothing about the match. */
function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (error instanceof PlayError && !NOT_RULES.has(error.reason)) {
      return false;
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
