// Plays a match without the SDK and records its events.

import assert from "node:assert/strict";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import {
  arena,
  type MatchEnded,
  type MatchStarting,
  type MoveMade,
  type Ruleset,
  type Turn,
} from "azulejo-sdk";
import { tokenFor } from "./bots.js";
import type { Server } from "./server.js";

export interface Recording {
  readonly nonce: Uint8Array;
  readonly starting: MatchStarting;
  readonly started: arena.MatchStarted;
  readonly turns: Turn[];
  readonly moves: MoveMade[];
  readonly ended: MatchEnded;
}

export async function record(server: Server, ruleset: Ruleset, token?: string): Promise<Recording> {
  const transport = createGrpcTransport({ baseUrl: server.url });
  const client = createClient(arena.PlayService, transport);
  const headers = { authorization: `Bearer ${token ?? (await tokenFor(server, "recorder"))}` };
  const nonce = crypto.getRandomValues(new Uint8Array(32));
  const [turns, moves]: [Turn[], MoveMade[]] = [[], []];
  let starting: MatchStarting | undefined;
  let started: arena.MatchStarted | undefined;
  const signal = AbortSignal.timeout(60_000);
  const offer = { rulesets: [ruleset], maxConcurrentMatches: 1 };
  for await (const answer of client.play({ hello: { version: "1", offer } }, { headers, signal })) {
    const event = answer.event?.event;
    switch (event?.case) {
      case "matchStarting":
        starting = event.value;
        await client.ready({ matchId: starting.match?.id ?? "", nonce }, { headers });
        break;
      case "matchStarted":
        started = event.value;
        break;
      case "turn": {
        const { matchId, turn, legalMoves } = event.value;
        turns.push(event.value);
        const value = legalMoves[turn % legalMoves.length]?.actionId ?? 0;
        await client.submitMove(
          { matchId, turn, action: { case: "actionId", value } },
          { headers },
        );
        break;
      }
      case "moveMade":
        moves.push(event.value);
        break;
      case "matchEnded":
        assert.ok(starting && started);
        return { nonce, starting, started, turns, moves, ended: event.value };
      default:
    }
  }
  return assert.fail("the stream ended before the match");
}
