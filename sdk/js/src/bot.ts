// The interface of a bot.

import { isMessage } from "@bufbuild/protobuf";
import type {
  MatchEnded,
  MatchStarted,
  MatchStarting,
  MoveMade,
  Paused,
  Turn,
} from "../gen/azulejo/arena/v1/play_pb.js";
import {
  LegalMoveSchema,
  MoveSchema,
  type LegalMove,
  type Move,
} from "../gen/azulejo/game/v1/game_pb.js";
import type { FairPlay } from "./fair-play.js";

/** A move in any form: a legal move, a move message, an action id, or the notation. */
export type Action = LegalMove | Move | number | string;

/** A bot. It may play several matches at the same time. */
export interface Bot {
  /**
   * Chooses a move: one of `turn.legalMoves`, or a move in another form. It may return a promise;
   * other matches continue meanwhile. The signal is aborted when the answer is no longer needed.
   *
   * If it throws, the error is logged and no move is submitted: the clock of this match keeps running.
   */
  choose(turn: Turn, signal: AbortSignal): Action | Promise<Action>;

  /** A match with this bot begins. On the ladder it names no opponents yet. */
  matchStarting?(starting: MatchStarting): void;

  /** All seats are ready, and the first deal was made. The match has all its seats. */
  matchStarted?(started: MatchStarted): void;

  /** A seat of one of the bot's matches moved. */
  moveMade?(made: MoveMade): void;

  /** A match is over. `fair` says whether its deals were those that the arena committed to. */
  matchEnded?(ended: MatchEnded, fair: FairPlay): void;

  /** The bot is paused: it gets no more matches until it is resumed. */
  paused?(paused: Paused): void;
}

/** The move as a field of requests. */
export function actionOf(
  action: Action,
):
  | { readonly case: "actionId"; readonly value: number }
  | { readonly case: "notation"; readonly value: string }
  | { readonly case: "move"; readonly value: Move } {
  if (typeof action === "number") {
    return { case: "actionId", value: action };
  }
  if (typeof action === "string") {
    return { case: "notation", value: action };
  }
  if (isMessage(action, LegalMoveSchema)) {
    return { case: "actionId", value: action.actionId };
  }
  if (isMessage(action, MoveSchema)) {
    return { case: "move", value: action };
  }
  // JavaScript without types may return anything.
  throw new TypeError(
    "not a move: return one of turn.legalMoves, a Move, an action id or a notation",
  );
}
