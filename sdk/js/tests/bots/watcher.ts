// A page that watches a match with Connect for the web and nothing else: server streaming in JSON and
// in binary. The SDK contributes only the generated messages.

import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { MatchesService, type WatchMatchResponse } from "#sdk/messages/arena";

const query = new URLSearchParams(location.search);
const baseUrl = query.get("server") ?? "";
const matchId = query.get("match") ?? "";

const post = (path: string, body: unknown) =>
  fetch(path, { method: "POST", body: JSON.stringify(body) });

async function watch(useBinaryFormat: boolean) {
  const contentTypes: (string | null)[] = [];
  const transport = createConnectTransport({
    baseUrl,
    useBinaryFormat,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      contentTypes.push(response.headers.get("content-type"));
      return response;
    },
  });
  const client = createClient(MatchesService, transport);
  const events: WatchMatchResponse["event"][] = [];
  for await (const { event } of client.watchMatch({ matchId })) {
    events.push(event);
    if (events.length === 1) {
      await post("/watching", { useBinaryFormat });
    }
  }
  const last = events.at(-1);
  const result = last?.case === "matchEnded" ? last.value.match?.result : undefined;
  return {
    contentTypes,
    cases: events.map((event) => event.case),
    moves: events.flatMap((event) => (event.case === "moveMade" ? [event.value.turn] : [])),
    hasStates: events.every(
      (event) => event.case !== "moveMade" || event.value.state !== undefined,
    ),
    totals: result?.score?.seats.map(({ total }) => total),
    endReasons: result?.seats.map(({ endReason }) => endReason),
  };
}

const result = await Promise.all([watch(false), watch(true)]).then(
  ([json, binary]) => ({ json, binary }),
  (error: unknown) => ({ error: String(error) }),
);
await post("/result", result);
