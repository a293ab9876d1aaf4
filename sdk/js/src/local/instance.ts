// An instance of the module, and its memory.

import { PlayError } from "./error.js";
import type { Exports } from "./exports.js";
import { failed, guard } from "./guard.js";
import { List } from "./list.js";

/** The numbers that {@link Exports.place} knows. */
const enum Place {
  Output,
  OutputLength,
  Legal,
  Mask,
  Raw,
  Scaled,
}

export class Instance {
  readonly exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  /** Releases what was not closed. */
  readonly games: FinalizationRegistry<number>;
  readonly batches: FinalizationRegistry<number>;
  #bytes = new Uint8Array();
  readonly #legal: List<Uint16Array>;
  readonly #mask: List<Uint8Array>;
  readonly #raw: List<Uint8Array>;
  readonly #scaled: List<Float32Array>;

  constructor(raw: Exports) {
    const exports = guard(raw);
    this.exports = exports;
    this.games = new FinalizationRegistry((game) => exports.game_free(game));
    this.batches = new FinalizationRegistry((batch) => exports.batch_free(batch));
    const places = Array.from({ length: 6 }, (_, place) => exports.place(place) >>> 0);
    const open =
      <T>(
        of: new (buffer: ArrayBuffer, place: number | undefined, length: number) => T,
        at: Place,
      ) =>
      (length: number) =>
        new of(this.memory, places[at], length);
    this.#legal = new List(Uint16Array, open(Uint16Array, Place.Legal));
    this.#mask = new List(Uint8Array, open(Uint8Array, Place.Mask));
    this.#raw = new List(Uint8Array, open(Uint8Array, Place.Raw));
    this.#scaled = new List(Float32Array, open(Float32Array, Place.Scaled));
  }

  /** All of the memory. If it grows, the old buffer is detached, and its views are empty. */
  get memory(): ArrayBuffer {
    return this.bytes.buffer;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    this.#renew();
    return this.#bytes;
  }

  /** If the memory has grown, all views of it are empty. */
  #renew(): void {
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(this.exports.memory.buffer);
      for (const list of [this.#legal, this.#mask, this.#raw, this.#scaled]) {
        list.forget();
      }
    }
  }

  /** The value of a call, or an error with the reason that the module wrote. */
  checked(value: number): number {
    if (value === -1) {
      throw this.refusal();
    }
    return value;
  }

  refusal(): PlayError {
    if (this.exports.place(Place.OutputLength) === -1) {
      // It stopped in the middle of a call, without stack for the guard to see it.
      return failed(undefined);
    }
    const { reason, rule, message } = JSON.parse(this.text()) as Record<string, string>;
    return new PlayError(message ?? "", reason ?? "", rule);
  }

  /** Writes the input of the next call. Returns its length. */
  write(text: string): number {
    if (typeof text !== "string") {
      throw new PlayError("expected a text", "WRONG_TYPE");
    }
    const address = this.room(3 * text.length);
    // No more than it needs: Node writes nothing into an array of more than two gigabytes.
    const room = this.bytes.subarray(address, address + 3 * text.length);
    const { written } = this.#encoder.encodeInto(text, room);
    return written;
  }

  /** The address of the input, for this many bytes. */
  room(bytes: number): number {
    // A length beyond 32 bits would wrap around.
    return this.checked(this.exports.room(Math.min(bytes, 2 ** 31))) >>> 0;
  }

  /** The output of the last call; a copy. */
  output(): Uint8Array<ArrayBuffer> {
    const address = this.exports.place(Place.Output) >>> 0;
    const length = this.exports.place(Place.OutputLength);
    try {
      return this.bytes.slice(address, address + length);
    } catch (error) {
      throw new PlayError(`a result of ${String(length)} bytes: ${String(error)}`, "OUT_OF_MEMORY");
    }
  }

  /** The output of the last call, as text. */
  text(): string {
    return this.#decoder.decode(this.output());
  }

  legal(length: number): Uint16Array {
    this.#renew();
    return this.#legal.copyShort(length);
  }

  mask(length: number): Uint8Array {
    this.#renew();
    return this.#mask.copy(length);
  }

  raw(length: number): Uint8Array {
    this.#renew();
    return this.#raw.copy(length);
  }

  scaled(length: number): Float32Array {
    this.#renew();
    return this.#scaled.copy(length);
  }
}
