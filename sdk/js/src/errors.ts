// What the server's refusals look like here: typed, with the word that never changes.

import { Code, ConnectError } from "@connectrpc/connect";
import type { BatchError } from "../gen/azulejo/engine/v1/engine_pb.js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../gen/google/rpc/error_details_pb.js";
import { milliseconds } from "./time.js";
import type { Reason, Rule } from "./reasons.js";

/** A field of the request that is to blame. */
export interface FieldViolation {
  /** Its path, for example `state.azul.bag`. */
  readonly field: string;
  /** What is wrong with it. */
  readonly description: string;
}

/** What a refusal carries. */
export interface Refusal {
  readonly code: Code;
  readonly reason: Reason | "";
  readonly metadata: Readonly<Record<string, string>>;
  readonly fieldViolations: readonly FieldViolation[];
  readonly retryAfterMs?: number;
}

/** A call that failed. `reason` says why, in a word that never changes. */
export class AzulejoError extends Error {
  override readonly name: string = "AzulejoError";
  /** The gRPC status code. */
  readonly code: Code;
  /** See the tables in `proto/README.md`; empty if the call did not reach the server. */
  readonly reason: Reason | "";
  /** More for programs. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Which fields are to blame. */
  readonly fieldViolations: readonly FieldViolation[];
  /** When the server asks to try again. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, refusal: Refusal, cause?: unknown) {
    super(message, { cause });
    this.code = refusal.code;
    this.reason = refusal.reason;
    this.metadata = refusal.metadata;
    this.fieldViolations = refusal.fieldViolations;
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

/** The rules forbid the move. */
export class IllegalMoveError extends AzulejoError {
  override readonly name = "IllegalMoveError";

  /** The rule that forbids it. */
  get rule(): Rule {
    return this.metadata.rule ?? "";
  }
}

/** Another process uses the token. Final: coming back would only throw that one out. */
export class ReplacedError extends AzulejoError {
  override readonly name = "ReplacedError";

  constructor(cause?: unknown) {
    const message =
      "another process uses this token: stop it, or get a token of its own for each process";
    const refusal = { code: Code.Aborted, reason: "REPLACED", metadata: {}, fieldViolations: [] };
    super(message, refusal, cause);
  }
}

/** Something about the options that must be put right before anything can begin. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What the server, or the way to it, said. */
export function errorFrom(thrown: unknown): AzulejoError {
  if (thrown instanceof AzulejoError) {
    return thrown;
  }
  const error = ConnectError.from(thrown);
  const [info] = error.findDetails(ErrorInfoSchema);
  const [retry] = error.findDetails(RetryInfoSchema);
  const bad = error.findDetails(BadRequestSchema).flatMap((bad) => bad.fieldViolations);
  return ofReason(error.rawMessage, error, {
    code: error.code,
    reason: info?.reason ?? "",
    metadata: info?.metadata ?? {},
    fieldViolations: bad.map(({ field, description }) => ({ field, description })),
    ...(retry?.retryDelay && { retryAfterMs: milliseconds(retry.retryDelay) }),
  });
}

/** Why one request of a batch was refused. */
export function errorOfBatch({ reason, message, field, metadata }: BatchError): AzulejoError {
  const fieldViolations = field === "" ? [] : [{ field, description: message }];
  const refusal = { code: Code.InvalidArgument, reason, metadata, fieldViolations };
  return ofReason(message, undefined, refusal);
}

function ofReason(message: string, cause: unknown, refusal: Refusal): AzulejoError {
  switch (refusal.reason) {
    case "ILLEGAL_MOVE":
      return new IllegalMoveError(message, refusal, cause);
    case "REPLACED":
      return new ReplacedError(cause);
    default:
      return new AzulejoError(message, refusal, cause);
  }
}

/**
 * Whether the same call may succeed a little later. The way to the server raises some codes by
 * itself, without a reason, when a server goes away in the middle of a call.
 */
export function isPassing(error: AzulejoError): boolean {
  switch (error.code) {
    case Code.Unavailable:
    case Code.DeadlineExceeded:
    case Code.ResourceExhausted:
      return true;
    case Code.Canceled:
    case Code.Unknown:
    case Code.Internal:
    case Code.Aborted:
    case Code.DataLoss:
      return error.reason === "";
    default:
      return false;
  }
}
