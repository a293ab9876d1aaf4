/**
 * Bots for an Azulejo arena, for Node.
 *
 * @module
 */

import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { RegisterBotResponse } from "../gen/azulejo/arena/v1/bots_pb.js";
import { Balance, KEEPALIVE, type EngineOptions } from "./balance.js";
import type { Bot } from "./bot.js";
import { Engine } from "./engine.js";
import { registerOn, tracing, type Platform, type Registration } from "./link.js";
import type { RunOptions } from "./options.js";
import { runOn } from "./run.js";

export * from "./exports.js";
export type { EngineOptions } from "./balance.js";
export { inThreads, serveThread, type ThreadOptions } from "./threads.js";

const NODE: Platform = {
  name: "node",
  canStream: true,
  get server() {
    return environment("AZULEJO_SERVER") ?? "http://127.0.0.1:7700";
  },
  get token() {
    return environment("AZULEJO_TOKEN");
  },
  connect: (baseUrl, interceptors) => {
    const sessionManager = new Http2SessionManager(baseUrl, KEEPALIVE);
    return {
      transport: createGrpcTransport({ baseUrl, interceptors, sessionManager }),
      reset: () => {
        sessionManager.abort();
      },
    };
  },
  onStop: (stop) => {
    // Once each: a second signal has the default effect and kills the process.
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    return () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    };
  },
};

function environment(name: string): string | undefined {
  const value = process.env[name];
  return value === "" ? undefined : value;
}

/**
 * Plays until it is stopped or replaced ({@link ReplacedError}), or until the server refuses it for
 * good ({@link AzulejoError}).
 */
export async function run(bot: Bot, options: RunOptions = {}): Promise<void> {
  await runOn(NODE, bot, options);
}

/** Registers a bot. The response contains its token, which cannot be retrieved later. */
export function register(registration: Registration): Promise<RegisterBotResponse> {
  return registerOn(NODE, registration);
}

/** A client of the engine. Its calls are distributed over all addresses of the server. */
export function connectEngine(options: EngineOptions = {}): Engine {
  const balance = new Balance(options.server ?? NODE.server, [tracing(options)], options);
  return new Engine(balance.transport, () => {
    balance.close();
  });
}
