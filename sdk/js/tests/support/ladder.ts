// Public calls of the arena by plain HTTP, independent of the SDK.

import { names } from "./names.js";
import type { Server } from "./server.js";
import { until } from "./waiting.js";

interface Bot {
  readonly id: string;
  readonly online: boolean;
  readonly versions: readonly { readonly label: string }[];
}

export async function ask(server: Server, method: string, request: object): Promise<unknown> {
  const answer = await fetch(`${server.url}/azulejo.arena.v1.${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  return answer.json();
}

export async function botOf(server: Server, token: string, id = names.get(token)): Promise<Bot> {
  const { bot } = (await ask(server, "BotsService/GetBot", { bot: id })) as { bot: Bot };
  return bot;
}

/** Waits until the bot is connected. */
export async function isOnline(server: Server, token: string, id?: string): Promise<void> {
  await until(async () => (await botOf(server, token, id)).online, "the bot is online");
}
