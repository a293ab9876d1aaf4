// What a bot does with its events. It does not know how they are received.

import { MatchStatus, PauseReason } from "../gen/azulejo/arena/v1/arena_pb.js";
import type {
  MatchEnded,
  MatchStarting,
  Paused,
  PlayEvent,
  Snapshot,
  Turn,
} from "../gen/azulejo/arena/v1/play_pb.js";
import type { Bot } from "./bot.js";
import { ReplacedError } from "./errors.js";
import { Seen, type FairPlay } from "./fair-play.js";
import { newNonce } from "./fairness.js";
import type { Log } from "./log.js";
import type { Sender } from "./sender.js";
import { Thinking } from "./thinking.js";
import type { Verifier } from "./verifier.js";

/** The server repeats an end until it is acknowledged. This many are remembered as reported. */
const REMEMBERED = 1_000;

/** A bot and its matches. */
export class Player {
  readonly #bot: Bot;
  readonly #sender: Sender;
  readonly #log: Log;
  readonly #verifier: Verifier;
  readonly #thinking: Thinking;
  readonly #seen = new Map<string, Seen>();
  readonly #ended = new Set<string>();
  /** Matches that are not over. */
  readonly running = new Set<string>();
  /** Number of matches that ended with a result. */
  finished = 0;

  constructor(bot: Bot, sender: Sender, log: Log, verifier: Verifier) {
    this.#verifier = verifier;
    this.#bot = bot;
    this.#sender = sender;
    this.#log = log;
    this.#thinking = new Thinking(bot, sender, log);
  }

  /** Handles an event. Throws {@link ReplacedError} if another process uses the token. */
  take({ event }: PlayEvent): void {
    switch (event.case) {
      case "snapshot":
        this.#catchUp(event.value);
        break;
      case "matchStarting":
        this.#getReady(event.value);
        break;
      case "matchStarted": {
        const started = event.value;
        this.#seen.get(started.matchId)?.started(started);
        this.#callHook("matchStarted", () => this.#bot.matchStarted?.(started));
        break;
      }
      case "turn":
        this.#decide(event.value);
        break;
      case "moveMade": {
        const made = event.value;
        this.#seen.get(made.matchId)?.moved(made);
        this.#callHook("moveMade", () => this.#bot.moveMade?.(made));
        break;
      }
      case "matchEnded":
        this.#end([event.value]);
        break;
      case "ping":
        this.#sender.heartbeat(event.value.number);
        break;
      case "paused":
        this.#paused(event.value);
        break;
      case "replaced":
        throw new ReplacedError();
      // The stream ends by itself. Events of later versions are ignored.
      case "goingAway":
      default:
    }
  }

  /** Aborts all decisions. */
  stop(): void {
    this.#thinking.stop();
  }

  /** Forgets running matches that a snapshot does not contain. */
  forget(snapshot: Snapshot): void {
    const known = new Set(snapshot.seatings.map(({ match }) => match?.id));
    for (const id of this.running) {
      if (!known.has(id)) {
        this.running.delete(id);
        this.#thinking.drop(id);
      }
    }
  }

  #catchUp(snapshot: Snapshot): void {
    this.#end(snapshot.ended);
    for (const { match, starting, turn } of snapshot.seatings) {
      if (match !== undefined && !this.#ended.has(match.id)) {
        this.running.add(match.id);
      }
      if (starting !== undefined) {
        this.#getReady(starting);
      }
      if (turn !== undefined) {
        this.#decide(turn);
      }
    }
    if (snapshot.paused !== undefined) {
      this.#paused(snapshot.paused);
    }
  }

  #getReady(starting: MatchStarting): void {
    const id = starting.match?.id;
    if (id === undefined || this.#ended.has(id)) {
      return;
    }
    this.running.add(id);
    let seen = this.#seen.get(id);
    if (seen === undefined) {
      seen = new Seen(starting, newNonce());
      this.#seen.set(id, seen);
      this.#callHook("matchStarting", () => this.#bot.matchStarting?.(starting));
    }
    // After a reconnect the event may be repeated; the answer must have the same nonce.
    this.#sender.ready(id, seen.nonce);
  }

  #decide(turn: Turn): void {
    this.#seen.get(turn.matchId)?.turn(turn);
    this.#thinking.about(turn);
  }

  // Acknowledged after the hooks, so that a bot that is killed in between gets the ends again. An end
  // that was reported before is acknowledged again: the earlier acknowledgement was lost.
  #end(ended: readonly MatchEnded[]): void {
    ended.forEach((end) => {
      this.#report(end);
    });
    this.#sender.acknowledge(ended.flatMap(({ match }) => (match === undefined ? [] : [match.id])));
  }

  #report(ended: MatchEnded): void {
    const id = ended.match?.id;
    if (id === undefined || this.#ended.has(id)) {
      return;
    }
    this.#remember(id);
    this.#thinking.drop(id);
    const fair = this.#check(id, ended);
    if (this.running.delete(id) && ended.match?.status === MatchStatus.ENDED) {
      this.finished += 1;
    }
    if (fair.verdict === "UNFAIR") {
      const { error } = fair;
      this.#log("error", "the deals of this match were not fair", { id, error: error.message });
    }
    this.#callHook("matchEnded", () => this.#bot.matchEnded?.(ended, fair));
  }

  #check(id: string, ended: MatchEnded): FairPlay {
    const seen = this.#seen.get(id);
    this.#seen.delete(id);
    return this.#verifier.check(seen, ended);
  }

  #remember(id: string): void {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > REMEMBERED && oldest !== undefined) {
      this.#ended.delete(oldest);
    }
  }

  #paused(paused: Paused): void {
    const { pauseReason, note, matchId } = paused;
    this.#log("warn", "the bot is paused: it gets no matches until it is resumed", {
      reason: PauseReason[pauseReason],
      note,
      matchId,
    });
    this.#callHook("paused", () => this.#bot.paused?.(paused));
  }

  // A hook that throws must not affect anything else.
  #callHook(name: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log("error", `the bot's ${name} failed`, { error });
    }
  }
}
