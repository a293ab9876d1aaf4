// A typed client of the stateless engine.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type CallOptions, type Client, type Transport } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import {
  EngineService,
  type ApplyRequestSchema,
  type ApplyResponse,
  type DealOutcomesResponse,
  type DealResponse,
  type ExpandResponse,
  type ExpandView,
  type LegalMovesResponse,
  type NewGameResponse,
  type ParsePositionResponse,
  type PlayoutPolicy,
  type PlayoutsResponse,
  type RenderResponse,
  type RenderTheme,
  type ReplayResponse,
  type RulesetInfo,
  type ScoreResponse,
} from "../gen/azulejo/engine/v1/engine_pb.js";
import type { DisplaysSchema } from "../gen/azulejo/game/v1/chance_pb.js";
import type { GameState } from "../gen/azulejo/game/v1/game_pb.js";
import type { Ruleset } from "../gen/azulejo/game/v1/rules_pb.js";
import { actionOf, type Action } from "./bot.js";
import { errorFrom, errorFromStatus, type AzulejoError } from "./errors.js";
import { seedOf, type SeedLike } from "./rulesets.js";
import { backoff, pause } from "./time.js";

/** A call is attempted this often while the server is unavailable. */
const ATTEMPTS = 4;

/** What decides deals: a seed, or explicit displays. With neither, the next state waits. */
export type Chance =
  | { readonly seed?: SeedLike | undefined }
  | { readonly displays?: MessageInitShape<typeof DisplaysSchema> | undefined };

/** Limits of a call. */
export interface CallLimits {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Default: 10,000. */
  readonly timeoutMs?: number;
}

/** What decides the deals after a move, and what to return besides the next state. */
export type ApplyOptions = Chance & {
  /** Whether to return the legal moves of the next state. */
  readonly includeLegalMoves?: boolean;
  /** Whether to return the score of the next state. */
  readonly includeScore?: boolean;
};

/** A state and a move to carry out. */
export type Step = { readonly state: GameState; readonly action: Action } & ApplyOptions;

/**
 * The stateless engine. Every call may fail with an {@link AzulejoError}. Calls are retried while the
 * server is unavailable.
 */
export class Engine {
  readonly #client: Client<typeof EngineService>;
  readonly #close: () => void;

  /** See `connectEngine`. */
  constructor(transport: Transport, close: () => void = () => undefined) {
    this.#client = createClient(EngineService, transport);
    this.#close = close;
  }

  /** Closes the connections. */
  close(): void {
    this.#close();
  }

  /** Lists all rulesets. */
  async listRulesets(limits?: CallLimits): Promise<RulesetInfo[]> {
    return (await this.#call((client, how) => client.listRulesets({}, how), limits)).rulesets;
  }

  /** Starts a game. Without seed and displays, the engine uses a random seed and returns it. */
  newGame(
    ruleset: Ruleset,
    setup: Chance & { readonly startSeat?: number } = {},
    limits?: CallLimits,
  ): Promise<NewGameResponse> {
    const { startSeat = 0 } = setup;
    return this.#call(
      (client, how) => client.newGame({ ruleset, startSeat, chance: chanceOf(setup) }, how),
      limits,
    );
  }

  /** Lists all legal moves with their effects. */
  legalMoves(state: GameState, limits?: CallLimits): Promise<LegalMovesResponse> {
    return this.#call((client, how) => client.legalMoves({ state }, how), limits);
  }

  /** Carries out a move. */
  apply(
    state: GameState,
    action: Action,
    options: ApplyOptions = {},
    limits?: CallLimits,
  ): Promise<ApplyResponse> {
    const request = requestOf({ state, action, ...options });
    return this.#call((client, how) => client.apply(request, how), limits);
  }

  /** Fills displays that wait: all, or at most `maxDisplays`. */
  deal(
    state: GameState,
    chance: Chance,
    maxDisplays = 0,
    limits?: CallLimits,
  ): Promise<DealResponse> {
    const request = { state, chance: chanceOf(chance), maxDisplays };
    return this.#call((client, how) => client.deal(request, how), limits);
  }

  /** Lists every outcome of the next deal with its exact probability. */
  dealOutcomes(state: GameState, limits?: CallLimits): Promise<DealOutcomesResponse> {
    return this.#call((client, how) => client.dealOutcomes({ state }, how), limits);
  }

  /** Computes the score, item by item. */
  score(state: GameState, limits?: CallLimits): Promise<ScoreResponse> {
    return this.#call((client, how) => client.score({ state }, how), limits);
  }

  /** Lists every legal move with the state or the score that it leads to. */
  expand(state: GameState, view?: ExpandView, limits?: CallLimits): Promise<ExpandResponse> {
    const request = { state, ...(view !== undefined && { view }) };
    return this.#call((client, how) => client.expand(request, how), limits);
  }

  /** `apply` for many steps in one call. Each succeeds or fails by itself; the order is kept. */
  async batchApply(
    steps: readonly Step[],
    limits?: CallLimits,
  ): Promise<(ApplyResponse | AzulejoError)[]> {
    const requests = steps.map(requestOf);
    const call = this.#call((client, how) => client.batchApply({ requests }, how), limits);
    return (await call).results.map(({ result }) => {
      switch (result.case) {
        case "response":
          return result.value;
        case "error":
          return errorFromStatus(result.value);
        default:
          return errorFrom(new Error("the response is of a later version than this SDK"));
      }
    });
  }

  /** Plays games from a state to their end and summarizes the results. */
  playouts(
    state: GameState,
    how: { readonly games: number; readonly policy?: PlayoutPolicy; readonly seed?: SeedLike },
    limits?: CallLimits,
  ): Promise<PlayoutsResponse> {
    const { games, policy, seed } = how;
    const request = {
      state,
      games,
      ...(policy !== undefined && { policy }),
      ...(seed !== undefined && { seed: seedOf(seed) }),
    };
    return this.#call((client, options) => client.playouts(request, options), limits);
  }

  /** Verifies the record of a game: every deal, every move, the score. */
  replay(record: string, limits?: CallLimits): Promise<ReplayResponse> {
    return this.#call((client, how) => client.replay({ record }, how), limits);
  }

  /** Draws a state: an SVG picture, or text for a terminal. */
  render(
    state: GameState,
    how: Drawing = { as: "svg" },
    limits?: CallLimits,
  ): Promise<RenderResponse> {
    const names = [...(how.names ?? [])];
    const request = { state, format: formatOf(how), names };
    return this.#call((client, options) => client.render(request, options), limits);
  }

  /** Writes a state as one line of text. */
  async formatPosition(state: GameState, limits?: CallLimits): Promise<string> {
    return (await this.#call((client, how) => client.formatPosition({ state }, how), limits))
      .position;
  }

  /** Reads a state from one line of text. */
  parsePosition(position: string, limits?: CallLimits): Promise<ParsePositionResponse> {
    return this.#call((client, how) => client.parsePosition({ position }, how), limits);
  }

  // No call has side effects, so all of them can be retried.
  async #call<T>(
    call: (client: Client<typeof EngineService>, how: CallOptions) => Promise<T>,
    { signal, timeoutMs = 10_000 }: CallLimits = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call(this.#client, { timeoutMs, ...(signal && { signal }) });
      } catch (thrown) {
        const error = errorFrom(thrown);
        if (error.code !== Code.Unavailable || attempt === ATTEMPTS || signal?.aborted === true) {
          throw error;
        }
        await pause(backoff(attempt, error.retryAfterMs), signal);
      }
    }
  }
}

/** How to draw a state. */
export type Drawing = { readonly names?: readonly string[] } & (
  { readonly as: "svg"; readonly theme?: RenderTheme } | { readonly as: "text"; color?: boolean }
);

function formatOf(how: Drawing) {
  return how.as === "text"
    ? { case: "text" as const, value: { color: how.color ?? false } }
    : { case: "svg" as const, value: how.theme === undefined ? {} : { theme: how.theme } };
}

function chanceOf(chance: Chance) {
  if ("seed" in chance && chance.seed !== undefined) {
    return { case: "seed" as const, value: seedOf(chance.seed) };
  }
  if ("displays" in chance && chance.displays !== undefined) {
    return { case: "displays" as const, value: chance.displays };
  }
  return { case: undefined };
}

function requestOf(step: Step): MessageInitShape<typeof ApplyRequestSchema> {
  const { state, action, includeLegalMoves = false, includeScore = false } = step;
  return {
    state,
    action: actionOf(action),
    chance: chanceOf(step),
    includeLegalMoves,
    includeScore,
  };
}
