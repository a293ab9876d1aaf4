// Ends of matches, as the server repeats them until they are acknowledged.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { arena, azul } from "azulejo-sdk";
import { Running, start, tokenFor } from "./support/bots.js";
import { record } from "./support/recording.js";
import { Server } from "./support/server.js";

let server: Server;
before(async () => {
  server = await Server.start();
});
after(async () => {
  await server.stop();
});

const RULESETS = [azul(2)];

function player(token: string) {
  const client = createClient(arena.PlayService, createGrpcTransport({ baseUrl: server.url }));
  const headers = { authorization: `Bearer ${token}` };
  return {
    /** Ids of the ends in the first event of a new session, which wants no matches. */
    missedEnds: async (): Promise<string[]> => {
      const signal = AbortSignal.timeout(20_000);
      const hello = { version: "1", offer: { maxConcurrentMatches: 0 } };
      for await (const { event } of client.play({ hello }, { headers, signal })) {
        assert.ok(event?.event.case === "snapshot");
        return event.event.value.ended.map(({ match }) => match?.id ?? "");
      }
      return assert.fail("the stream has no events");
    },
    acknowledge: async (...endedMatchIds: string[]): Promise<void> => {
      await client.heartbeat({ ping: 0n, endedMatchIds }, { headers });
    },
  };
}

test("an end is repeated until it is acknowledged, without a ping", async () => {
  const token = await tokenFor(server, "forgetful");
  const opponent = await start(server, { rulesets: RULESETS, stopAfter: 1 });
  const { ended } = await record(server, azul(2), token);
  await opponent.done();
  const { missedEnds, acknowledge } = player(token);
  const id = ended.match?.id ?? "";
  assert.deepEqual(await missedEnds(), [id]);
  await acknowledge("aaaaaaaaaaaaaaaa");
  assert.deepEqual(await missedEnds(), [id], "the id of another match changes nothing");
  await acknowledge(id);
  assert.deepEqual(await missedEnds(), []);
});

for (const listen of ["stream", "poll"] as const) {
  test(`a bot of the SDK acknowledges its ends before it stops, by ${listen}`, async () => {
    const token = await tokenFor(server, "diligent");
    const options = { rulesets: RULESETS, stopAfter: 1 };
    const opponent = await start(server, options);
    const bot = await new Running(server, token, {}, { ...options, listen }).done();
    await opponent.done();
    assert.equal(bot.ends.length, 1);
    assert.deepEqual(await player(token).missedEnds(), []);
  });
}
