// How events come in: by a stream, or by polls. Both end when the arena is lost; then `run` begins
// anew, with a snapshot.

import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type HelloSchema,
  type NextEventsResponse,
  type PlayEvent,
} from "../gen/azulejo/arena/v1/play_pb.js";
import { errorFrom, isPassing, ReplacedError, type AzulejoError } from "./errors.js";
import type { Link } from "./link.js";
import type { Session } from "./player.js";
import { backoff, pause } from "./time.js";

/** Nothing heard for so long: the stream is dead, whatever it says. */
const SILENCE_MS = 15_000;
/** How long a poll waits for something to happen. */
const POLL_SECONDS = 10n;
/** A poll session is tried so often before a new one is begun. */
const POLL_ATTEMPTS = 3;

/** Who listens, and to what. */
export interface Listener {
  /** Who is there; `games` is how many matches it wants at once. */
  hello(games: number): MessageInitShape<typeof HelloSchema>;
  /** How many it wants now. */
  gamesWanted(): number;
  take(event: PlayEvent, session: Session): void;
  isDone(): boolean;
}

/** How listening ended. `heard`: something came before. */
export interface Left {
  readonly heard: boolean;
  readonly error?: AzulejoError;
  /** Goes on at once, with another offer. */
  readonly again?: boolean;
}

/** Listens to a stream. */
export async function listenToStream(
  link: Link,
  listener: Listener,
  session: Session,
  stop: AbortSignal,
): Promise<Left> {
  const watch = new Watch(stop);
  const games = listener.gamesWanted();
  let heard = false;
  try {
    const answer = link.play.play({ hello: listener.hello(games) }, { signal: watch.signal });
    const events = answer[Symbol.asyncIterator]();
    for (;;) {
      const next = await events.next();
      if (next.done === true) {
        return { heard };
      }
      watch.heard();
      heard = true;
      if (next.value.event !== undefined) {
        listener.take(next.value.event, session);
      }
      if (listener.isDone()) {
        return { heard };
      }
      if (listener.gamesWanted() !== games) {
        // Another offer needs another stream. What happens until the arena has it is told to this
        // one, so that it is heard to its end.
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
    const session = { ping: 0n, seq: 0n };
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      // By whom it is replaced is known, and its pings are not worth an answer any more.
      const { event } = next.value;
      if (event !== undefined && !["replaced", "ping"].includes(event.event.case ?? "")) {
        listener.take(event, session);
      }
    }
  } catch {
    // The newer stream tells what there is to tell.
  } finally {
    watch.end();
  }
}

/** Listens by polling: for where there are no streams. */
export async function listenByPolls(
  link: Link,
  listener: Listener,
  session: Session,
  stop: AbortSignal,
): Promise<Left> {
  let [id, games, heard, failures] = ["", -1, false, 0];
  for (;;) {
    const wanted = listener.gamesWanted();
    const isLast = listener.isDone();
    // The last poll only confirms what was seen.
    const wait = { seconds: isLast ? 0n : POLL_SECONDS };
    const hello = wanted === games ? {} : { hello: listener.hello(wanted) };
    const request = { session: id, after: session.seq, wait, ...hello };
    let answer: NextEventsResponse;
    try {
      answer = await link.play.nextEvents(request, { signal: stop, timeoutMs: SILENCE_MS });
    } catch (thrown) {
      const error = errorFrom(thrown);
      failures += 1;
      // An arena that began again does not know the session, and calls it replaced.
      if (error instanceof ReplacedError && failures > 1) {
        return { heard };
      }
      const mayGoOn = id !== "" && isPassing(error) && failures <= POLL_ATTEMPTS && !stop.aborted;
      if (!mayGoOn || isLast) {
        return left(error, heard, stop);
      }
      await pause(backoff(failures, error.retryAfterMs), stop);
      continue;
    }
    [id, games, heard, failures] = [answer.session, wanted, true, 0];
    if (isLast) {
      return { heard };
    }
    for (const event of answer.events.filter(({ seq }) => seq === 0n || seq > session.seq)) {
      listener.take(event, session);
    }
  }
}

function left(thrown: unknown, heard: boolean, stop: AbortSignal): Left {
  if (stop.aborted) {
    return { heard };
  }
  const error = errorFrom(thrown);
  if (error instanceof ReplacedError || (!heard && !isPassing(error))) {
    throw error;
  }
  return { heard, error };
}

/** Ends a stream that is silent, or that nobody wants any more. */
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

  /** Somebody else goes on listening. */
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
