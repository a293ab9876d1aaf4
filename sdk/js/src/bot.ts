// What a bot is.

import { isMessage } from "@bufbuild/protobuf";
import type {
  MatchEnded,
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

/** A move by any of its names: a legal move, a typed move, an action id, or the notation. */
export type Action = LegalMove | Move | number | string;

/** A bot. It may be asked about several matches at the same time. */
export interface Bot {
  /**
   * Chooses a move: one of `turn.legalMoves`, or any other name of a move. It may answer later (a
   * promise); then other matches go on meanwhile. The signal is raised when the answer is of no use
   * any more.
   *
   * If it throws, the error is logged and nothing is submitted: the clock of this match runs on.
   */
  choose(turn: Turn, signal: AbortSignal): Action | Promise<Action>;

  /** The bot has a seat in a match. */
  matchStarting?(starting: MatchStarting): void;

  /** Somebody moved. */
  moveMade?(made: MoveMade): void;

  /** A match is over, and `fair` tells whether its deals were those that the arena committed to. */
  matchEnded?(ended: MatchEnded, fair: FairPlay): void;

  /** The bot gets no more matches until its owner resumes it. */
  paused?(paused: Paused): void;
}

/** The move as requests carry it. */
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
  // Plain JavaScript may give anything.
  throw new TypeError(
    "no move: answer with one of turn.legalMoves, a Move, an action id or a text",
  );
}
