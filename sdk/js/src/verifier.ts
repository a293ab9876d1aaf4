// The engine that verifies matches, and another one if it fails.

import type { MatchEnded } from "../gen/azulejo/arena/v1/play_pb.js";
import { UNSEEN, type FairPlay, type Seen } from "./fair-play.js";
import type { Local } from "./local/index.js";
import type { Log } from "./log.js";

/** Verifies matches. */
export class Verifier {
  readonly #load: () => Promise<Local>;
  readonly #log: Log;
  #local: Local;

  constructor(local: Local, load: () => Promise<Local>, log: Log) {
    this.#local = local;
    this.#load = load;
    this.#log = log;
  }

  /** Verifies a match that has ended. A failure of the engine does not make it unfair. */
  check(seen: Seen | undefined, ended: MatchEnded): FairPlay {
    try {
      return seen?.check(ended, this.#local) ?? UNSEEN;
    } catch (error) {
      const id = ended.match?.id;
      this.#log("error", "the deals of this match cannot be checked", { id, error });
      void this.#replace();
      return UNSEEN;
    }
  }

  /** Loads another engine for the next match. The memory of this one is released with it. */
  async #replace(): Promise<void> {
    try {
      this.#local = await this.#load();
    } catch (error) {
      this.#log("error", "the engine in the process cannot be loaded", { error });
    }
  }
}
