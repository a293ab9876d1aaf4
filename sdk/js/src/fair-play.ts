// Verifies a match: commitment, nonces, seed, every deal as it was seen live, every move, and the result.

import type { MatchEnded, MatchStarted, MoveMade } from "../gen/azulejo/arena/v1/play_pb.js";
import type { MatchStarting, Turn } from "../gen/azulejo/arena/v1/play_pb.js";
import { GameEnd, type GameState } from "../gen/azulejo/game/v1/game_pb.js";
import type { Ruleset } from "../gen/azulejo/game/v1/rules_pb.js";
import { commitment, matchSeed, sameBytes } from "./fairness.js";
import { matches, type Table } from "./follow.js";
import { AzulTable } from "./follow-azul.js";
import { PavilionTable } from "./follow-pavilion.js";
import type { Local } from "./local/index.js";
import { difference } from "./replay.js";

/** What is wrong with a match. */
export type Unfairness = "COMMITMENT" | "NONCE" | "FIRST_DEAL" | "MOVE" | "SCORE" | "RULES";

/** The deals of a match were not those that the arena had committed to, or broke the rules. */
export class UnfairError extends Error {
  override readonly name = "UnfairError";

  constructor(
    readonly matchId: string,
    readonly unfairness: Unfairness,
    /** With `MOVE` and `RULES`: the turn. */
    readonly turn?: number,
  ) {
    super(`${sentence(unfairness, turn)}; keep the record as evidence: azulejo export`);
  }
}

function sentence(unfairness: Unfairness, turn = 0): string {
  switch (unfairness) {
    case "COMMITMENT":
      return "the secret does not match the commitment";
    case "NONCE":
      return "the nonces are not those that the seats sent";
    case "FIRST_DEAL":
      return "the first deal does not follow from the seed";
    case "MOVE":
      return `the deals after turn ${turn.toString()} do not follow from the seed`;
    case "RULES":
      return `turn ${turn.toString()} or the state before it does not follow the rules`;
    case "SCORE":
      return "the final score does not match the points seen";
  }
}

/**
 * The result. `UNSEEN`: the match cannot be verified, because the bot missed a part of it, or because the
 * engine in the process has failed.
 */
export type FairPlay =
  { readonly verdict: "FAIR" | "UNSEEN" } | { readonly verdict: "UNFAIR"; error: UnfairError };

const FAIR: FairPlay = { verdict: "FAIR" };
/** The match cannot be verified. */
export const UNSEEN: FairPlay = { verdict: "UNSEEN" };

/** What the bot has seen of a match since it began. */
export class Seen {
  readonly #id: string;
  readonly #seat: number;
  readonly #commitment: Uint8Array;
  readonly #ruleset: Ruleset | undefined;
  /** The bot's own nonce. */
  readonly nonce: Uint8Array;
  #started: MatchStarted | undefined;
  readonly #moves = new Map<number, MoveMade>();
  readonly #positions = new Map<number, GameState>();

  constructor(starting: MatchStarting, nonce: Uint8Array) {
    this.#id = starting.match?.id ?? "";
    this.#seat = starting.seat;
    this.#commitment = starting.match?.commitment ?? new Uint8Array();
    this.#ruleset = starting.match?.pool?.ruleset;
    this.nonce = nonce;
  }

  started(started: MatchStarted): void {
    this.#started = started;
  }

  turn(turn: Turn): void {
    if (turn.state !== undefined) {
      this.#positions.set(turn.turn, turn.state);
    }
  }

  moved(made: MoveMade): void {
    this.#moves.set(made.turn, made);
  }

  /** Verifies the match, now that the secret is known. Throws if the engine cannot play it again. */
  check(ended: MatchEnded, local: Local): FairPlay {
    const { reveal } = ended;
    if (reveal === undefined) {
      return UNSEEN;
    }
    if (!sameBytes(commitment(this.#id, reveal.secret), this.#commitment)) {
      return this.#unfair("COMMITMENT");
    }
    if (!this.#areNoncesRight(reveal.nonces)) {
      return this.#unfair("NONCE");
    }
    const turns = ended.match?.turns ?? 0;
    const complete = Array.from({ length: turns }, (_, turn) => this.#moves.has(turn));
    if (this.#started?.state === undefined || complete.includes(false)) {
      return UNSEEN;
    }
    const seed = matchSeed(this.#id, reveal.secret, reveal.nonces);
    const fair = this.#replay(seed, this.#started.state, turns, ended);
    return fair === FAIR ? this.#playAgain(seed, this.#started, ended, local) : fair;
  }

  #areNoncesRight(revealed: readonly Uint8Array[]): boolean {
    const own = revealed[this.#seat];
    const announced = this.#started?.nonces ?? [];
    // If a match was voided before all seats were ready, nonces are missing, possibly the bot's own.
    const isOwn = own === undefined || sameBytes(own, this.nonce);
    const asAnnounced = announced.every((nonce, seat) => sameBytes(nonce, revealed[seat] ?? nonce));
    return asAnnounced && (isOwn || (this.#started === undefined && own.length === 0));
  }

  #replay(seed: Uint8Array, first: GameState, turns: number, ended: MatchEnded): FairPlay {
    const table = tableOf(first, seed);
    if (
      table === undefined ||
      !matches(() => {
        table.begin(first);
      })
    ) {
      return this.#unfair("FIRST_DEAL");
    }
    for (let turn = 0; turn < turns; turn += 1) {
      const position = this.#positions.get(turn);
      const made = this.#moves.get(turn);
      const isRight = matches(() => {
        if (position !== undefined) {
          table.compare(position);
        }
        made?.events.forEach((event) => {
          table.follow(event, made.move?.move);
        });
      });
      if (!isRight) {
        return this.#unfair("MOVE", turn);
      }
    }
    return isScoreRight(ended, table) ? FAIR : this.#unfair("SCORE");
  }

  /** The engine plays the match again. */
  #playAgain(
    seed: Uint8Array,
    { state: first }: MatchStarted,
    ended: MatchEnded,
    local: Local,
  ): FairPlay {
    if (first === undefined) {
      return UNSEEN;
    }
    const moves = [...this.#moves.values()].sort((one, other) => one.turn - other.turn);
    const [ruleset, positions] = [this.#ruleset, this.#positions];
    const found = difference({ ruleset, seed, first, moves, positions }, ended, local);
    if (found === undefined) {
      return FAIR;
    }
    return typeof found === "string" ? this.#unfair(found) : this.#unfair("RULES", found.turn);
  }

  #unfair(unfairness: Unfairness, turn?: number): FairPlay {
    return { verdict: "UNFAIR", error: new UnfairError(this.#id, unfairness, turn) };
  }
}

function tableOf({ game }: GameState, seed: Uint8Array): Table | undefined {
  switch (game.case) {
    case "azul":
      return new AzulTable(seed);
    case "summerPavilion":
      return new PavilionTable(seed);
    default:
      return undefined;
  }
}

function isScoreRight(ended: MatchEnded, table: Table): boolean {
  const score = ended.match?.result?.score;
  if (score === undefined) {
    return true;
  }
  // Before the end of the game the totals contain bonuses that are not in the events.
  const isOver = score.end !== GameEnd.UNSPECIFIED;
  return score.seats.every(
    ({ points, total }, seat) =>
      points === table.points[seat] && (!isOver || total === (table.totals[seat] ?? points)),
  );
}
