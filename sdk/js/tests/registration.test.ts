import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ConnectError } from "@connectrpc/connect";
import { arena, azul, AzulejoError, Code, register } from "azulejo-sdk";
import { registerOn } from "#sdk/link";
import { newRequestId } from "#sdk/request-id";
import { platform } from "./support/arena.js";
import { Running } from "./support/bots.js";
import { isOnline } from "./support/ladder.js";
import { Server } from "./support/server.js";

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  await server.stop();
});

async function reasonOf(call: Promise<unknown>): Promise<string> {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof AzulejoError);
  return thrown.reason;
}

test("a registration keeps its request id when it is retried", async () => {
  const ids: string[] = [];
  const lossy = platform(({ service }) => {
    service(arena.BotsService, {
      registerBot: ({ owner, name, requestId }) => {
        ids.push(requestId);
        if (ids.length < 3) {
          throw new ConnectError("lost", Code.Unavailable);
        }
        return { bot: { id: `${owner}/${name}` }, token: "azb_test" };
      },
    });
  });
  const { bot } = await registerOn(lossy, { bot: "ada/first" });
  assert.equal(bot?.id, "ada/first");
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 1);
  await registerOn(lossy, { bot: "ada/second" });
  assert.equal(new Set(ids).size, 2, "another registration has another id");
});

test("a refused registration is not retried", async () => {
  let calls = 0;
  const strict = platform(({ service }) => {
    service(arena.BotsService, {
      registerBot: () => {
        calls += 1;
        throw new ConnectError("taken", Code.AlreadyExists);
      },
    });
  });
  await assert.rejects(registerOn(strict, { bot: "ada/first" }), AzulejoError);
  assert.equal(calls, 1);
});

test("a repeated registration with the same request id returns the same bot and a working token", async () => {
  const registration = { server: server.url, bot: "repeat/bot", requestId: newRequestId() };
  const first = await register(registration);
  const again = await register(registration);
  assert.equal(again.bot?.id, "repeat/bot");
  assert.equal(again.bot.id, first.bot?.id);
  const bot = new Running(server, again.token, {}, { rulesets: [azul(4)] });
  await isOnline(server, again.token, "repeat/bot");
  await bot.stop();
  assert.equal(await reasonOf(register({ server: server.url, bot: "repeat/bot" })), "OWNER_TAKEN");
});

test("a request id with other contents is refused", async () => {
  const registration = { server: server.url, bot: "reuse/bot", requestId: newRequestId() };
  await register(registration);
  const other = register({ ...registration, bot: "reuse/other" });
  assert.equal(await reasonOf(other), "REQUEST_ID_REUSED");
});

test("a request id that is not a UUID is refused", async () => {
  const registration = { server: server.url, bot: "bad/id", requestId: "once" };
  assert.equal(await reasonOf(register(registration)), "BAD_REQUEST_ID");
});
