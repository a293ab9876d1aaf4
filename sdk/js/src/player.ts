// What a bot does with what it hears. It knows nothing of how events come in.

import type {
  MatchEnded,
  MatchStarting,
  Paused,
  PlayEvent,
  Snapshot,
  Turn,
} from "../gen/azulejo/arena/v1/play_pb.js";
import { MatchStatus } from "../gen/azulejo/arena/v1/arena_pb.js";
import type { Bot } from "./bot.js";
import { ReplacedError } from "./errors.js";
import { Seen, UNSEEN, type FairPlay } from "./fair-play.js";
import { newNonce } from "./fairness.js";
import type { Log } from "./log.js";
import type { Sender } from "./sender.js";
import { Thinking } from "./thinking.js";

/** Ends are told until they are confirmed: so many are remembered, to tell the bot only once. */
const REMEMBERED = 1_000;

/** Where events come in. */
export interface Session {
  /** The last ping, and the last event. */
  ping: bigint;
  seq: bigint;
}

/** The bot at its tables. */
export class Player {
  readonly #bot: Bot;
  readonly #sender: Sender;
  readonly #log: Log;
  readonly #thinking: Thinking;
  readonly #seen = new Map<string, Seen>();
  readonly #ended = new Set<string>();
  /** Matches that are not over. */
  readonly running = new Set<string>();
  /** Matches that were played to their end. */
  finished = 0;

  constructor(bot: Bot, sender: Sender, log: Log) {
    this.#bot = bot;
    this.#sender = sender;
    this.#log = log;
    this.#thinking = new Thinking(bot, sender, log);
  }

  /** Something happened. Throws {@link ReplacedError} if that is what happened. */
  take({ seq, event }: PlayEvent, session: Session): void {
    session.seq = seq;
    switch (event.case) {
      case "snapshot":
        this.#catchUp(event.value);
        break;
      case "matchStarting":
        this.#getReady(event.value);
        break;
      case "matchStarted":
        this.#seen.get(event.value.matchId)?.started(event.value);
        break;
      case "turn":
        this.#decide(event.value);
        break;
      case "moveMade": {
        const made = event.value;
        this.#seen.get(made.matchId)?.moved(made);
        this.#tell("moveMade", () => this.#bot.moveMade?.(made));
        break;
      }
      // The answer to the next ping confirms it.
      case "matchEnded":
        this.#over(event.value);
        break;
      case "ping":
        session.ping = event.value.number;
        this.#sender.beat(session);
        break;
      case "paused":
        this.#paused(event.value);
        break;
      case "replaced":
        throw new ReplacedError();
      // The events will end by themselves. Those of later versions are not ours.
      case "goingAway":
      default:
    }
  }

  /** Stops thinking. */
  stop(): void {
    this.#thinking.stop();
  }

  /** Matches of which nothing is known any more are forgotten. */
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
    snapshot.ended.forEach((ended) => {
      this.#over(ended);
    });
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
      this.#tell("matchStarting", () => this.#bot.matchStarting?.(starting));
    }
    // Asked again after an interruption: the same answer.
    this.#sender.ready(id, seen.nonce);
  }

  #decide(turn: Turn): void {
    this.#seen.get(turn.matchId)?.turn(turn);
    this.#thinking.about(turn);
  }

  #over(ended: MatchEnded): void {
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
    this.#tell("matchEnded", () => this.#bot.matchEnded?.(ended, fair));
  }

  #check(id: string, ended: MatchEnded): FairPlay {
    const seen = this.#seen.get(id);
    this.#seen.delete(id);
    try {
      return seen?.check(ended) ?? UNSEEN;
    } catch (error) {
      this.#log("error", "the deals of this match cannot be checked", { id, error });
      return UNSEEN;
    }
  }

  #remember(id: string): void {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > REMEMBERED && oldest !== undefined) {
      this.#ended.delete(oldest);
    }
  }

  #paused(paused: Paused): void {
    const { reason, matchId } = paused;
    this.#log("warn", "the bot is paused, and gets no matches until its owner resumes it", {
      reason,
      matchId,
    });
    this.#tell("paused", () => this.#bot.paused?.(paused));
  }

  // A hook that fails spoils nothing but itself.
  #tell(hook: string, tell: () => void): void {
    try {
      tell();
    } catch (error) {
      this.#log("error", `the bot's ${hook} failed`, { error });
    }
  }
}
