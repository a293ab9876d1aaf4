// An instance of the module, and its memory.

import { PlayError } from "./error.js";
import type { Exports } from "./exports.js";

/** The numbers that {@link Exports.place} knows. */
const enum Place {
  Output,
  OutputLength,
  Legal,
  Mask,
  Raw,
  Scaled,
}

/** Views of a fixed place, one for each length that was needed. */
type Views<T> = (T | undefined)[];

export class Instance {
  readonly exports: Exports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  /** Releases what was not closed. */
  readonly games: FinalizationRegistry<number>;
  readonly batches: FinalizationRegistry<number>;
  #bytes = new Uint8Array();
  #legal: Views<Uint16Array> = [];
  #mask: Views<Uint8Array> = [];
  #raw: Views<Uint8Array> = [];
  #scaled: Views<Float32Array> = [];
  #places: readonly number[] = [];

  constructor(exports: Exports) {
    this.exports = exports;
    this.games = new FinalizationRegistry((game) => exports.game_free(game));
    this.batches = new FinalizationRegistry((batch) => exports.batch_free(batch));
  }

  /** All of the memory. If it grows, the old buffer is detached, and its views are empty. */
  get memory(): ArrayBuffer {
    return this.bytes.buffer;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length === 0) {
      this.#bytes = new Uint8Array(this.exports.memory.buffer);
      this.#places = Array.from({ length: 6 }, (_, place) => this.exports.place(place) >>> 0);
      this.#legal = [];
      this.#mask = [];
      this.#raw = [];
      this.#scaled = [];
    }
    return this.#bytes;
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
      // It stopped in the middle of a call, and stays as it is.
      return new PlayError("the engine has failed: load another one", "ENGINE_FAILED");
    }
    const { reason, rule, message } = JSON.parse(this.text()) as Record<string, string>;
    return new PlayError(message ?? "", reason ?? "", rule);
  }

  /** Writes the input of the next call. Returns its length. */
  write(text: string): number {
    if (typeof text !== "string") {
      throw new PlayError("expected a text", "BAD_MESSAGE");
    }
    const address = this.room(3 * text.length);
    const { written } = this.#encoder.encodeInto(text, this.bytes.subarray(address));
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
    return this.bytes.slice(address, address + this.exports.place(Place.OutputLength));
  }

  /** The output of the last call, as text. */
  text(): string {
    return this.#decoder.decode(this.output());
  }

  legal(length: number): Uint16Array {
    const buffer = this.memory;
    const place = this.#places[Place.Legal];
    return (this.#legal[length] ??= new Uint16Array(buffer, place, length));
  }

  mask(length: number): Uint8Array {
    const buffer = this.memory;
    return (this.#mask[length] ??= new Uint8Array(buffer, this.#places[Place.Mask], length));
  }

  raw(length: number): Uint8Array {
    const buffer = this.memory;
    return (this.#raw[length] ??= new Uint8Array(buffer, this.#places[Place.Raw], length));
  }

  scaled(length: number): Float32Array {
    const buffer = this.memory;
    const place = this.#places[Place.Scaled];
    return (this.#scaled[length] ??= new Float32Array(buffer, place, length));
  }
}
