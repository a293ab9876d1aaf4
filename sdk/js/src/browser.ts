/**
 * Bots for an Azulejo arena, for browsers and other platforms with `fetch`. Uses unary calls and long
 * polling by the Connect protocol.
 *
 * @module
 */

import { createConnectTransport } from "@connectrpc/connect-web";
import type { RegisterBotResponse } from "../gen/azulejo/arena/v1/bots_pb.js";
import type { Bot } from "./bot.js";
import { Engine } from "./engine.js";
import { registerOn, tracing, type Platform, type Registration } from "./link.js";
import type { ConnectOptions, RunOptions } from "./options.js";
import { runOn } from "./run.js";

export * from "./exports.js";

const BROWSER: Platform = {
  name: "browser",
  canStream: false,
  get server() {
    return "location" in globalThis ? location.origin : "http://127.0.0.1:7700";
  },
  token: undefined,
  connect: (baseUrl, interceptors) => ({
    transport: createConnectTransport({ baseUrl, interceptors, useBinaryFormat: true }),
    reset: () => undefined,
  }),
  onStop: () => () => undefined,
};

/**
 * Plays until it is stopped or replaced ({@link ReplacedError}), or until the server refuses it for
 * good ({@link AzulejoError}).
 */
export async function run(bot: Bot, options: RunOptions = {}): Promise<void> {
  await runOn(BROWSER, bot, options);
}

/** Registers a bot. The response contains its token, which cannot be retrieved later. */
export function register(registration: Registration): Promise<RegisterBotResponse> {
  return registerOn(BROWSER, registration);
}

/** A client of the engine. */
export function connectEngine(options: ConnectOptions = {}): Engine {
  const { transport } = BROWSER.connect(options.server ?? BROWSER.server, [tracing(options)]);
  return new Engine(transport);
}
