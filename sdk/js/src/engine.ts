// The rules as calls: a typed client of the stateless engine.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type CallOptions, type Client, type Transport } from "@connectrpc/connect";
import { Code } from "@connectrpc/connect";
import {
  EngineService,
  type ApplyResponse,
  type DealOutcomesResponse,
  type DealResponse,
  type ExpandResponse,
  type ExpandView,
  type LegalMovesResponse,
  type NewGameResponse,
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
import { errorFrom, errorOfBatch, type AzulejoError } from "./errors.js";
import { seedOf, type SeedLike } from "./rulesets.js";
import { backoff, pause } from "./time.js";

/** A call is made so often while the server is away. */
const ATTEMPTS = 4;

/** Who decides deals: a seed, or given displays. With neither, the next state waits. */
export type Chance =
  | { readonly seed?: SeedLike | undefined }
  | { readonly displays?: MessageInitShape<typeof DisplaysSchema> | undefined };

/** How a call is made. */
export interface CallLimits {
  /** Takes the call back. */
  readonly signal?: AbortSignal;
  /** Default: 10 s. */
  readonly timeoutMs?: number;
}

/** A position and a move to be carried out. */
export type Step = { readonly state: GameState; readonly action: Action } & Chance;

/**
 * The stateless engine. Every call may fail with an {@link AzulejoError}; one that the server could
 * not take (UNAVAILABLE) is made again by itself.
 */
export class Engine {
  readonly #client: Client<typeof EngineService>;
  readonly #close: () => void;

  /** See `connectEngine`. */
  constructor(transport: Transport, close: () => void = () => undefined) {
    this.#client = createClient(EngineService, transport);
    this.#close = close;
  }

  /** Ends the connections. */
  close(): void {
    this.#close();
  }

  /** Every ruleset that can be played. */
  async listRulesets(limits?: CallLimits): Promise<RulesetInfo[]> {
    return (await this.#call((client, how) => client.listRulesets({}, how), limits)).rulesets;
  }

  /** A new game. Without a seed and displays the engine makes a seed and returns it. */
  newGame(
    ruleset: Ruleset,
    setup: Chance & { readonly start?: number } = {},
    limits?: CallLimits,
  ): Promise<NewGameResponse> {
    const request = { ruleset, start: setup.start ?? 0, chance: chanceOf(setup) };
    return this.#call((client, how) => client.newGame(request, how), limits);
  }

  /** Every legal move. */
  legalMoves(state: GameState, limits?: CallLimits): Promise<LegalMovesResponse> {
    return this.#call((client, how) => client.legalMoves({ state }, how), limits);
  }

  /** Carries out a move. */
  apply(
    state: GameState,
    action: Action,
    chance: Chance = {},
    limits?: CallLimits,
  ): Promise<ApplyResponse> {
    const request = requestOf({ state, action, ...chance });
    return this.#call((client, how) => client.apply(request, how), limits);
  }

  /** Fills displays that wait: all of them, or at most so many. */
  deal(
    state: GameState,
    chance: Chance,
    maxDisplays = 0,
    limits?: CallLimits,
  ): Promise<DealResponse> {
    const request = { state, chance: chanceOf(chance), maxDisplays };
    return this.#call((client, how) => client.deal(request, how), limits);
  }

  /** Every outcome of the next deal with its exact probability. */
  dealOutcomes(state: GameState, limits?: CallLimits): Promise<DealOutcomesResponse> {
    return this.#call((client, how) => client.dealOutcomes({ state }, how), limits);
  }

  /** The score, item by item. */
  score(state: GameState, limits?: CallLimits): Promise<ScoreResponse> {
    return this.#call((client, how) => client.score({ state }, how), limits);
  }

  /** Every legal move with the position or the score it leads to. */
  expand(state: GameState, view?: ExpandView, limits?: CallLimits): Promise<ExpandResponse> {
    const request = { state, ...(view !== undefined && { view }) };
    return this.#call((client, how) => client.expand(request, how), limits);
  }

  /** `apply` for many positions at once; each answers for itself, in the same order. */
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
          return errorOfBatch(result.value);
        default:
          return errorFrom(new Error("the server's answer is of a later version than this SDK"));
      }
    });
  }

  /** Plays games from a position to their end and sums up the results. */
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

  /** Checks the record of a game: every deal, every move, the score. */
  replay(record: string, limits?: CallLimits): Promise<ReplayResponse> {
    return this.#call((client, how) => client.replay({ record }, how), limits);
  }

  /** Draws a position: a picture, or text for a terminal. */
  render(
    state: GameState,
    how: Drawing = { as: "svg" },
    limits?: CallLimits,
  ): Promise<RenderResponse> {
    const names = [...(how.names ?? [])];
    const request = { state, format: formatOf(how), names };
    return this.#call((client, options) => client.render(request, options), limits);
  }

  // None of the calls changes anything, so that all of them may be made again.
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

/** How a position is drawn. */
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

function requestOf(step: Step) {
  return { state: step.state, action: actionOf(step.action), chance: chanceOf(step) };
}
