// Bots that compute in worker threads, so that heartbeats and other matches are not delayed.

import { Worker, parentPort } from "node:worker_threads";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { TurnSchema, type Turn } from "../gen/azulejo/arena/v1/play_pb.js";
import { actionOf, type Action, type Bot } from "./bot.js";

/** Options of {@link inThreads}. */
export interface ThreadOptions {
  /** Number of threads. Best: one for each concurrent match. Default: 1. */
  readonly threads?: number;
}

interface Question {
  readonly number: number;
  readonly turn: Uint8Array;
}

interface Answer {
  readonly number: number;
  readonly action?: Action;
  readonly error?: unknown;
}

interface Waiting {
  readonly resolve: (action: Action) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A bot whose `choose` runs in worker threads. The module must call {@link serveThread}. To add hooks:
 * `{ ...inThreads(module), matchEnded() { … } }`.
 */
export function inThreads(module: URL, { threads = 1 }: ThreadOptions = {}): Bot {
  const pool = Array.from({ length: threads }, () => new Thread(module));
  return {
    choose: (turn) => pool.reduce((a, b) => (b.load < a.load ? b : a)).choose(turn),
  };
}

/** Called by a module that {@link inThreads} starts: answers turns with this function. */
export function serveThread(choose: (turn: Turn) => Action | Promise<Action>): void {
  if (parentPort === null) {
    throw new Error("serveThread must be called in a module that inThreads starts");
  }
  const port = parentPort;
  port.on("message", ({ number, turn }: Question) => {
    void (async () => {
      try {
        const action = actionOf(await choose(fromBinary(TurnSchema, turn))).value;
        port.postMessage({ number, action } satisfies Answer);
      } catch (error) {
        port.postMessage({ number, error } satisfies Answer);
      }
    })();
  });
}

class Thread {
  readonly #module: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #number = 0;

  constructor(module: URL) {
    this.#module = module;
  }

  /** Number of turns without an answer. */
  get load(): number {
    return this.#waiting.size;
  }

  choose(turn: Turn): Promise<Action> {
    const worker = (this.#worker ??= this.#start());
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      worker.postMessage({ number, turn: toBinary(TurnSchema, turn) } satisfies Question);
    });
  }

  #start(): Worker {
    const worker = new Worker(this.#module);
    worker.on("message", ({ number, action, error }: Answer) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (action === undefined) {
        waiting?.reject(error);
      } else {
        waiting?.resolve(action);
      }
    });
    worker.on("error", (error) => {
      this.#worker = undefined;
      this.#waiting.forEach(({ reject }) => {
        reject(error);
      });
      this.#waiting.clear();
    });
    // Idle threads must not keep the process alive. Last, because adding a listener undoes it.
    worker.unref();
    return worker;
  }
}
