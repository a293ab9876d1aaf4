// Chooses moves: the same ones in every language, see tests/play/transcript.rs.

const MULTIPLIER = 6364136223846793005n;
const INCREMENT = 1442695040888963407n;
const MASK = 2n ** 64n - 1n;

export class Choices {
  #state: bigint;

  constructor(seed: bigint) {
    this.#state = seed;
  }

  below(count: number): number {
    this.#state = (this.#state * MULTIPLIER + INCREMENT) & MASK;
    return Number((this.#state >> 33n) % BigInt(count));
  }

  of(items: ArrayLike<number>): number {
    return items[this.below(items.length)] ?? -1;
  }
}
