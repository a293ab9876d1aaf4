// How events are received: by a stream, or by polling. Both end when the connection is lost; then
// `run` reconnects, and the first event is a snapshot.

import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type HelloSchema,
  type NextEventsResponse,
  type PlayEvent,
} from "../gen/azulejo/arena/v1/play_pb.js";
import { errorFrom, isTransient, ReplacedError, type AzulejoError } from "./errors.js";
import type { Link } from "./link.js";
import { backoff, pause } from "./time.js";

/** A stream without an event for this long is dead. The server sends pings more often. */
const SILENCE_MS = 15_000;
/** How long a poll waits for an event. */
const POLL_SECONDS = 10n;
/** How often a poll is attempted before a new session is opened. */
const POLL_ATTEMPTS = 3;

/** Receives the events of a bot. */
export interface Listener {
  /** The introduction of the bot, with the number of matches that it wants at the same time. */
  hello(matches: number): MessageInitShape<typeof HelloSchema>;
  /** How many matches it wants at the same time now. */
  matchesWanted(): number;
  take(event: PlayEvent): void;
  isDone(): boolean;
}

/** How listening ended. */
export interface Left {
  /** Whether there was an event. */
  readonly heard: boolean;
  readonly error?: AzulejoError;
  /** Continue at once, with another offer. */
  readonly again?: boolean;
}

/** Listens to a stream. */
export async function listenToStream(
  link: Link,
  listener: Listener,
  stop: AbortSignal,
): Promise<Left> {
  const watch = new Watch(stop);
  const matches = listener.matchesWanted();
  let heard = false;
  try {
    const answer = link.play.play({ hello: listener.hello(matches) }, { signal: watch.signal });
    const events = answer[Symbol.asyncIterator]();
    for (;;) {
      const next = await events.next();
      if (next.done === true) {
        return { heard };
      }
      watch.heard();
      heard = true;
      if (next.value.event !== undefined) {
        listener.take(next.value.event);
      }
      if (listener.isDone()) {
        return { heard };
      }
      if (listener.matchesWanted() !== matches) {
        // Another offer requires another stream. Until the arena has it, events come on this one.
        void drain(events, listener, watch);
        return { heard, again: true };
      }
    }
  } catch (thrown) {
    return left(thrown, heard, stop);
  } finally {
    watch.leave();
  }
}

async function drain(
  events: AsyncIterator<{ event?: PlayEvent | undefined }>,
  listener: Listener,
  watch: Watch,
): Promise<void> {
  watch.stay();
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      // It is replaced by our own new stream, which also answers the pings.
      const { event } = next.value;
      if (event !== undefined && !["replaced", "ping"].includes(event.event.case ?? "")) {
        listener.take(event);
      }
    }
  } catch {
    // The new stream reports errors.
  } finally {
    watch.end();
  }
}

/** Listens by polling, where streams are not available. */
export async function listenByPolls(
  link: Link,
  listener: Listener,
  stop: AbortSignal,
): Promise<Left> {
  let [session, afterSeq, matches, heard, failures] = ["", 0n, -1, false, 0];
  for (;;) {
    const wanted = listener.matchesWanted();
    const isLast = listener.isDone();
    let answer: NextEventsResponse;
    try {
      answer = await link.play.nextEvents(
        {
          session,
          afterSeq,
          // The last poll only acknowledges the events before it.
          maxWait: { seconds: isLast ? 0n : POLL_SECONDS },
          ...(wanted !== matches && { hello: listener.hello(wanted) }),
        },
        { signal: stop, timeoutMs: SILENCE_MS },
      );
    } catch (thrown) {
      const error = errorFrom(thrown);
      failures += 1;
      const mayRetry =
        session !== "" && isTransient(error) && failures <= POLL_ATTEMPTS && !stop.aborted;
      if (!mayRetry || isLast) {
        return left(error, heard, stop);
      }
      await pause(backoff(failures, error.retryAfterMs), stop);
      continue;
    }
    [session, matches, heard, failures] = [answer.session, wanted, true, 0];
    if (isLast) {
      return { heard };
    }
    for (const event of answer.events.filter(({ seq }) => seq === 0n || seq > afterSeq)) {
      afterSeq = event.seq;
      listener.take(event);
    }
  }
}

function left(thrown: unknown, heard: boolean, stop: AbortSignal): Left {
  if (stop.aborted) {
    return { heard };
  }
  const error = errorFrom(thrown);
  if (error instanceof ReplacedError || (!heard && !isTransient(error))) {
    throw error;
  }
  return { heard, error };
}

/** Ends a stream that is silent or no longer needed. */
class Watch {
  readonly #controller = new AbortController();
  readonly #stop: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stays = false;

  constructor(stop: AbortSignal) {
    this.#stop = stop;
    stop.addEventListener("abort", this.end);
    this.heard();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.end, SILENCE_MS);
  }

  /** The stream stays open after `leave`. */
  stay(): void {
    this.#stays = true;
  }

  leave(): void {
    if (!this.#stays) {
      this.end();
    }
  }

  readonly end = (): void => {
    clearTimeout(this.#timer);
    this.#stop.removeEventListener("abort", this.end);
    this.#controller.abort();
  };
}
