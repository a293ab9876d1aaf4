// Lists that the module writes at a fixed place of its memory.

type Numbers = Uint8Array | Uint16Array | Float32Array;

/** No list of legal moves, mask or observation is longer. */
const LONGEST = 2048;

/**
 * A list that is copied out of the memory, because a view would be empty as soon as the memory grows.
 * The copies share one array, which is overwritten by the next one: a fresh array for each would take
 * several times as long.
 */
export class List<T extends Numbers> {
  readonly #own: T;
  readonly #open: (length: number) => T;
  /** By length. */
  #views: (T | undefined)[] = [];
  readonly #copies: (T | undefined)[] = [];

  /** `open` makes a view of the memory. */
  constructor(own: new (length: number) => T, open: (length: number) => T) {
    this.#own = new own(LONGEST);
    this.#open = open;
  }

  /** The memory has grown. */
  forget(): void {
    this.#views = [];
  }

  copy(length: number): T {
    const view = (this.#views[length] ??= this.#open(length));
    const copy = (this.#copies[length] ??= this.#own.subarray(0, length) as T);
    copy.set(view);
    return copy;
  }

  /** The same for short lists, for which `set` takes longer. */
  copyShort(length: number): T {
    const view = (this.#views[length] ??= this.#open(length));
    const copy = (this.#copies[length] ??= this.#own.subarray(0, length) as T);
    for (let at = 0; at < length; at++) {
      copy[at] = view[at] ?? 0;
    }
    return copy;
  }
}
