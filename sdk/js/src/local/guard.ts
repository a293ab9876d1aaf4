// What happens if the module stops in the middle of a call.

import { PlayError } from "./error.js";
import type { Exports } from "./exports.js";

type Call = (...values: unknown[]) => number;

/** The error of an engine that cannot be used any more. */
export function failed(cause: unknown): PlayError {
  const error = new PlayError("the engine has failed: load another one", "ENGINE_FAILED");
  error.cause = cause;
  return error;
}

class State {
  isFailed = false;
  /** Made before it is needed: if the stack is full, nothing can be called. */
  readonly error = failed(undefined);
}

/**
 * The exports, with a typed error if a call stops in the middle: after a trap, or when the stack is
 * full. The engine may be in any state then, so that it refuses every further call; only what releases
 * games and batches does nothing, because their memory is gone with the engine.
 */
export function guard(raw: Exports): Exports {
  const state = new State();
  const calls = Object.entries(raw as unknown as Record<string, unknown>).map(([name, value]) => [
    name,
    typeof value === "function" ? guardCall(name, value as Call, state) : value,
  ]);
  return Object.fromEntries(calls) as Exports;
}

/** Without a rest parameter for most calls: making an array takes longer than the call. */
function guardCall(name: string, call: Call, state: State): Call {
  if (name.endsWith("_free")) {
    return (handle) => {
      try {
        return state.isFailed ? 0 : call(handle);
      } catch (error) {
        state.isFailed = true;
        state.error.cause = error;
        return 0;
      }
    };
  }
  switch (call.length) {
    case 1:
      return (one) => {
        if (state.isFailed) {
          throw failed(state.error.cause);
        }
        try {
          return call(one);
        } catch (error) {
          state.isFailed = true;
          state.error.cause = error;
          throw state.error;
        }
      };
    case 2:
      return (one, two) => {
        if (state.isFailed) {
          throw failed(state.error.cause);
        }
        try {
          return call(one, two);
        } catch (error) {
          state.isFailed = true;
          state.error.cause = error;
          throw state.error;
        }
      };
    default:
      return (...values) => {
        if (state.isFailed) {
          throw failed(state.error.cause);
        }
        try {
          return call(...values);
        } catch (error) {
          state.isFailed = true;
          state.error.cause = error;
          throw state.error;
        }
      };
  }
}
