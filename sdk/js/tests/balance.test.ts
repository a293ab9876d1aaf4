import assert from "node:assert/strict";
import { test } from "node:test";
import { connectEngine } from "azulejo-sdk";
import { Server } from "./support/server.js";
import { until } from "./support/waiting.js";

/** Number of calls that a server has answered, by its metrics. */
async function served({ admin }: Server): Promise<number> {
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  const counts = metrics
    .split("\n")
    .filter((line) => /duration_seconds_count\{.*ListRulesets/.test(line))
    .map((line) => Number(line.split(" ").at(-1)));
  return counts.reduce((sum, count) => sum + count, 0);
}

test("calls are distributed over all addresses of the server, and skip one that is gone", async () => {
  const one = await Server.start();
  const port = new URL(one.url).port;
  const two = await Server.startAt(`127.0.0.2:${port}`);
  let addresses = ["127.0.0.1", "127.0.0.2"];
  const engine = connectEngine({
    server: `http://engine.test:${port}`,
    resolve: (host) => {
      assert.equal(host, "engine.test");
      return Promise.resolve(addresses);
    },
  });
  for (let call = 0; call < 10; call += 1) {
    await engine.listRulesets();
  }
  assert.deepEqual([await served(one), await served(two)], [5, 5]);

  await two.stop();
  for (let call = 0; call < 6; call += 1) {
    await engine.listRulesets();
  }
  assert.equal(await served(one), 11, "calls to the stopped server are repeated at the other");

  addresses = ["127.0.0.1"];
  await until(async () => {
    const before = await served(one);
    await engine.listRulesets();
    await engine.listRulesets();
    return (await served(one)) === before + 2;
  }, "the address is dropped");
  engine.close();
  await one.stop();
});

test("the host name is resolved by DNS by default", async () => {
  const server = await Server.start();
  const engine = connectEngine({ server: server.url.replace("127.0.0.1", "localhost") });
  assert.equal((await engine.listRulesets()).length, 12);
  engine.close();
  await server.stop();
});
