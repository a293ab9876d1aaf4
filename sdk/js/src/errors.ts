// Errors of calls, typed by their stable reason.

import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "../gen/google/rpc/error_details_pb.js";
import type { Status } from "../gen/google/rpc/status_pb.js";
import { milliseconds } from "./time.js";
import type { Reason, Rule } from "./reasons.js";

/** A wrong field of the request. */
export interface FieldViolation {
  /** Its path, for example `state.azul.bag`. */
  readonly field: string;
  /** What is wrong with it. */
  readonly description: string;
}

/** What an error contains besides its message. */
export interface Refusal {
  readonly code: Code;
  readonly reason: Reason | "";
  readonly metadata: Readonly<Record<string, string>>;
  readonly fieldViolations: readonly FieldViolation[];
  readonly retryAfterMs?: number;
}

/** A call that failed. `reason` is stable and says why. */
export class AzulejoError extends Error {
  override readonly name: string = "AzulejoError";
  /** The gRPC status code. */
  readonly code: Code;
  /** One of the tables in `proto/README.md`. Empty if the error is not from the server. */
  readonly reason: Reason | "";
  /** More details, for programs. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The wrong fields. */
  readonly fieldViolations: readonly FieldViolation[];
  /** The delay after which the server asks to retry. */
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

/** Another process uses the token. Final: reconnecting would only disconnect that process. */
export class ReplacedError extends AzulejoError {
  override readonly name = "ReplacedError";

  constructor(cause?: unknown) {
    const message =
      "another process uses this token: stop it, or create a separate token for each process";
    const refusal = { code: Code.Aborted, reason: "REPLACED", metadata: {}, fieldViolations: [] };
    super(message, refusal, cause);
  }
}

/** The options are invalid. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The typed error for anything that a call threw. */
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

/** The typed error for one request of a batch: the same as for a single call. */
export function errorFromStatus({ code, message, details }: Status): AzulejoError {
  // Connect has the codes of gRPC.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  const error = new ConnectError(message, code);
  error.details = details.map(({ typeUrl, value }) => ({
    type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
    value,
  }));
  return errorFrom(error);
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
 * Whether the same call may succeed if it is repeated. If a connection breaks during a call, the
 * transport itself raises some of these codes, without a reason.
 */
export function isTransient(error: AzulejoError): boolean {
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
