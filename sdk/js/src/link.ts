// The connection of a bot to its arena.

import { createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { BotsService, type RegisterBotResponse } from "../gen/azulejo/arena/v1/bots_pb.js";
import { ChallengesService } from "../gen/azulejo/arena/v1/challenges_pb.js";
import { PlayService } from "../gen/azulejo/arena/v1/play_pb.js";
import { errorFrom, isTransient, UsageError } from "./errors.js";
import type { ConnectOptions } from "./options.js";
import { newRequestId } from "./request-id.js";
import { backoff, pause } from "./time.js";

/** A call without an answer after this time is repeated. */
export const CALL_MS = 10_000;
/** A registration is attempted this often. */
const ATTEMPTS = 4;
/** Whether to wait longer than this is up to the caller of `register`. */
const LONGEST_WAIT_MS = 5_000;

/** A connection to a server. */
export interface Connection {
  readonly transport: Transport;
  /** Closes open connections. The next call reconnects. */
  reset(): void;
}

/** What differs between Node and a browser. */
export interface Platform {
  /** For the statistics of the arena. */
  readonly name: "node" | "browser";
  readonly canStream: boolean;
  /** The default of the option `server`. */
  readonly server: string;
  /** The default of the option `token`. */
  readonly token: string | undefined;
  connect(server: string, interceptors: Interceptor[]): Connection;
  /** Calls back when the process is asked to end. Returns a function that unsubscribes. */
  onStop(stop: (signal: string) => void): () => void;
}

/** Sends the trace context with every call. */
export function tracing({ traceparent }: ConnectOptions): Interceptor {
  return (next) => (request) => {
    const context = typeof traceparent === "function" ? traceparent() : traceparent;
    if (context !== undefined) {
      request.header.set("traceparent", context);
    }
    return next(request);
  };
}

const bearing =
  (token: string): Interceptor =>
  (next) =>
  (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };

/** The clients that a bot needs, with its token. */
export class Link {
  readonly #connection: Connection;
  readonly play: Client<typeof PlayService>;
  readonly challenges: Client<typeof ChallengesService>;

  constructor(platform: Platform, server: string, token: string, options: ConnectOptions) {
    if (!/^[\x21-\x7e]+$/.test(token)) {
      throw new UsageError("the token contains invalid characters: copy it again");
    }
    const interceptors = [bearing(token), tracing(options)];
    this.#connection = platform.connect(server, interceptors);
    this.play = createClient(PlayService, this.#connection.transport);
    this.challenges = createClient(ChallengesService, this.#connection.transport);
  }

  /** Closes the connection: one whose server has stopped may never recover. */
  reset(): void {
    this.#connection.reset();
  }
}

/** A new bot. */
export interface Registration extends ConnectOptions {
  /** `owner/name`. */
  readonly bot: string;
  /** The owner's token, to register another bot of the same owner. */
  readonly ownerToken?: string | undefined;
  /** The code of an invitation, if the arena requires one. */
  readonly invitation?: string | undefined;
  /**
   * A random UUID (version 4). Registering again with the same id within an hour returns the same
   * bot with a new token. Default: a new id for each call.
   */
  readonly requestId?: string | undefined;
}

/** Registers a bot. The response contains its token, which cannot be retrieved later. */
export async function registerOn(
  platform: Platform,
  registration: Registration,
): Promise<RegisterBotResponse> {
  const { bot, ownerToken, invitation = "", server = platform.server } = registration;
  const [owner, name, ...rest] = bot.split("/");
  if (owner === undefined || name === undefined || rest.length > 0) {
    throw new UsageError(`the name of a bot is owner/name, not ${bot}`);
  }
  const interceptors = [tracing(registration)];
  if (ownerToken !== undefined) {
    interceptors.push(bearing(ownerToken));
  }
  const connection = platform.connect(server, interceptors);
  const client = createClient(BotsService, connection.transport);
  // The same id in every attempt: a lost response must not leave a bot without a known token.
  const { requestId = newRequestId() } = registration;
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await client.registerBot(
          { owner, name, invitation, requestId },
          { timeoutMs: CALL_MS },
        );
      } catch (thrown) {
        const error = errorFrom(thrown);
        const { retryAfterMs = 0 } = error;
        if (!isTransient(error) || attempt === ATTEMPTS || retryAfterMs > LONGEST_WAIT_MS) {
          throw error;
        }
        await pause(backoff(attempt, retryAfterMs));
      }
    }
  } finally {
    connection.reset();
  }
}
