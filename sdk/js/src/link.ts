// The connection of a bot to its arena.

import { createClient, type Client, type Interceptor, type Transport } from "@connectrpc/connect";
import { BotsService, type RegisterBotResponse } from "../gen/azulejo/arena/v1/bots_pb.js";
import { ChallengesService } from "../gen/azulejo/arena/v1/challenges_pb.js";
import { PlayService } from "../gen/azulejo/arena/v1/play_pb.js";
import { errorFrom, UsageError } from "./errors.js";
import type { ConnectOptions } from "./options.js";

/** A call that is not answered for so long is made again. */
export const CALL_MS = 10_000;

/** A way to a server. */
export interface Connection {
  readonly transport: Transport;
  /** Drops what is open: the next call connects anew. */
  reset(): void;
}

/** What differs between Node and a browser. */
export interface Platform {
  /** For the statistics of the arena. */
  readonly name: "node" | "browser";
  readonly canStream: boolean;
  /** The server to take where the options name none. */
  readonly server: string;
  /** The token to take where the options have none. */
  readonly token: string | undefined;
  connect(server: string, interceptors: Interceptor[]): Connection;
  /** Calls back when the process is asked to end; the answer takes that back. */
  onStop(stop: (signal: string) => void): () => void;
}

/** Sends the trace context along. */
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
      throw new UsageError("the token holds characters that no token has: copy it again");
    }
    const interceptors = [bearing(token), tracing(options)];
    this.#connection = platform.connect(server, interceptors);
    this.play = createClient(PlayService, this.#connection.transport);
    this.challenges = createClient(ChallengesService, this.#connection.transport);
  }

  /** Drops the connection: one that saw its server stop may never recover. */
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
  /** The code of an invitation, where the arena asks for one. */
  readonly invitation?: string | undefined;
}

/** Registers a bot. Its token is in the answer, and nowhere else: keep it. */
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
  try {
    const client = createClient(BotsService, connection.transport);
    return await client.registerBot({ owner, name, invitation }, { timeoutMs: CALL_MS });
  } catch (thrown) {
    throw errorFrom(thrown);
  } finally {
    connection.reset();
  }
}
