// Exports of both entry points.

export type { Action, Bot } from "./bot.js";
export { commitment, matchSeed } from "./fairness.js";
export { drawTile, drawTiles, type Counts, type Drawn, type Stock } from "./draw.js";
export {
  Engine,
  type ApplyOptions,
  type CallLimits,
  type Chance,
  type Drawing,
  type Step,
} from "./engine.js";
export {
  AzulejoError,
  IllegalMoveError,
  ReplacedError,
  UsageError,
  type FieldViolation,
  type Refusal,
} from "./errors.js";
export { UnfairError, type FairPlay, type Unfairness } from "./fair-play.js";
export type { Registration } from "./link.js";
export { consoleLog, type Level, type Log } from "./log.js";
export type { ChallengeOptions, ConnectOptions, RunOptions } from "./options.js";
export { REASONS, RULES, type Reason, type Rule } from "./reasons.js";
export { azul, seedOf, summerPavilion, type SeedLike, type Side } from "./rulesets.js";
export { milliseconds } from "./time.js";
export { Code } from "@connectrpc/connect";

/** The messages of the arena. */
export * as arena from "./messages/arena.js";
/** The messages of the engine. */
export * as engine from "./messages/engine.js";
/** The messages of the games: rules, states, moves, events, scores. */
export * as game from "./messages/game.js";
/** The messages of errors, for clients without this SDK's transport. */
export * as rpc from "./messages/rpc.js";

export {
  EndReason,
  MatchStatus,
  PauseReason,
  SeatReason,
  TimeClass,
  UnratedReason,
  VoidReason,
} from "../gen/azulejo/arena/v1/arena_pb.js";
export type { Receipt } from "../gen/azulejo/arena/v1/arena_pb.js";
export type {
  MatchEnded,
  MatchStarted,
  MatchStarting,
  MoveMade,
  Paused,
  Turn,
} from "../gen/azulejo/arena/v1/play_pb.js";
export { ExpandView, PlayoutPolicy } from "../gen/azulejo/engine/v1/engine_pb.js";
export type { GameState, LegalMove, Move, Score } from "../gen/azulejo/game/v1/game_pb.js";
export type { Ruleset } from "../gen/azulejo/game/v1/rules_pb.js";
