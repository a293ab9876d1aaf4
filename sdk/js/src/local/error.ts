// Why the engine refused something.

/**
 * What was refused, and why. What was refused changed nothing. With the reason `ENGINE_FAILED`, a call
 * stopped in the middle, `cause` says why, and the engine refuses every further call: load another one.
 */
export class PlayError extends Error {
  override readonly name = "PlayError";
  /** Stable, as in the API: `ILLEGAL_MOVE`, `NO_SUCH_ACTION`, `CLOSED`, … */
  readonly reason: string;
  /** The rule that forbids the move or the deal, if there is one: `COLOR_ABSENT`, … */
  readonly rule: string | undefined;

  constructor(message: string, reason: string, rule?: string) {
    super(message);
    this.reason = reason;
    this.rule = rule;
  }
}

/** The error for a game or batch that is used after `close`. */
export function closed(what: string): PlayError {
  return new PlayError(`the ${what} is closed`, "CLOSED");
}

/** An argument of another type. */
export function wrongType(what: string): PlayError {
  return new PlayError(what, "WRONG_TYPE");
}

/** Options, or another object. */
export function given<T>(what: string, value: T): T {
  if (typeof value !== "object" || value === null) {
    throw wrongType(`${what} must be an object`);
  }
  return value;
}

/** A value in a message. Not every value can become a text. */
export function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "object":
      return value === null ? "null" : "an object";
    case "function":
      return "a function";
    default:
      return String(value);
  }
}

/** The number of a seat, as a text. The module refuses the number of no seat. */
export function seatLine(what: string, value: unknown): string {
  if (typeof value !== "number" || !Number.isInteger(value)) {
    throw wrongType(`${what} must be the number of a seat`);
  }
  return String(BigInt(value));
}

/** A whole number in a range. */
export function whole(what: string, value: unknown, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    const range = `${String(least)} to ${String(most)}`;
    throw new PlayError(`${what} must be a whole number from ${range}`, "OUT_OF_RANGE");
  }
  return value;
}

const MOST = 2n ** 64n - 1n;

/** A number of 64 bits. */
export function word(what: string, value: unknown): bigint {
  const number = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof number !== "bigint" || number < 0n || number > MOST) {
    const message = `${what} must be a bigint from 0 to 2^64 - 1, or a safe integer`;
    throw new PlayError(message, "BAD_SEED");
  }
  return number;
}
