// An arena without a server: the calls of a bot are answered in the process of the test.

import { createRouterTransport, type ConnectRouter } from "@connectrpc/connect";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { arena, type Bot, type RunOptions } from "azulejo-sdk";
import type { Platform } from "#sdk/link";
import { runOn } from "#sdk/run";
import { soon } from "./waiting.js";

export function platform(routes: (router: ConnectRouter) => void): Platform {
  const transport = createRouterTransport(routes);
  return {
    name: "node",
    canStream: true,
    server: "http://arena.test",
    token: undefined,
    connect: () => ({ transport, reset: () => undefined }),
    onStop: () => () => undefined,
  };
}

type Event = MessageInitShape<typeof arena.PlayEventSchema>["event"];

/** An arena that sends these events, and records what the bot sends. */
export class Arena {
  readonly hellos: arena.Hello[] = [];
  readonly polls: arena.NextEventsRequest[] = [];
  readonly heartbeats: arena.HeartbeatRequest[] = [];
  readonly moves: arena.SubmitMoveRequest[] = [];
  readonly challenges: arena.CreateChallengeRequest[] = [];
  readonly #stop = new AbortController();

  /** `fails` is called with each request before it is answered, and may throw. */
  constructor(
    readonly events: readonly Event[],
    readonly fails: (request: { readonly $typeName: string }) => void = () => undefined,
  ) {}

  stop(): void {
    this.#stop.abort();
  }

  /** Runs a bot until the test calls `stop`. */
  async run(bot: Partial<Bot> = {}, options: RunOptions = {}): Promise<void> {
    const whole = { choose: () => 0, ...bot };
    const required = { token: "azb_test", signal: this.#stop.signal, log: () => undefined };
    await soon(runOn(this.#platform(), whole, { ...required, ...options }), "the bot stops");
  }

  #platform(): Platform {
    return platform(({ service }) => {
      service(arena.PlayService, {
        play: (request, { signal }) => this.#play(request, signal),
        nextEvents: (request, { signal }) => this.#poll(request, signal),
        heartbeat: (request) => this.#record(this.heartbeats, request),
        submitMove: (request) => this.#record(this.moves, request),
      });
      service(arena.ChallengesService, {
        createChallenge: (request) => this.#record(this.challenges, request),
      });
    });
  }

  async *#play({ hello }: arena.PlayRequest, signal: AbortSignal) {
    if (hello !== undefined) {
      this.hellos.push(hello);
    }
    for (const event of this.#numbered()) {
      yield { event };
    }
    await aborted(signal);
  }

  async #poll(request: arena.NextEventsRequest, signal: AbortSignal) {
    this.polls.push(request);
    if (request.session !== "") {
      await aborted(signal);
    }
    return { session: "session", events: this.#numbered() };
  }

  #numbered() {
    return this.events.map((event, index) => ({
      seq: BigInt(index + 1),
      event: event ?? { case: undefined },
    }));
  }

  #record<T extends { readonly $typeName: string }>(requests: T[], request: T): object {
    requests.push(request);
    this.fails(request);
    return {};
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => {
      resolve();
    });
  });
}
