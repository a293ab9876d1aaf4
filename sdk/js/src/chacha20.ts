// One block of the ChaCha20 key stream (RFC 8439). Implemented here because any counter value may be
// needed, and cipher libraries refuse the last one.

const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const ROUNDS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/** The sixteen words of the block with this counter. The key has 32 bytes, the nonce twelve. */
export function chacha20Block(key: Uint8Array, counter: number, nonce: Uint8Array): Uint32Array {
  const start = Uint32Array.from([...SIGMA, ...words(key, 8), counter, ...words(nonce, 3)]);
  const block = start.slice();
  for (let round = 0; round < 10; round += 1) {
    for (const [a, b, c, d] of ROUNDS) {
      quarterRound(block, a, b, c, d);
    }
  }
  return block.map((word, index) => word + at(start, index));
}

function quarterRound(block: Uint32Array, a: number, b: number, c: number, d: number): void {
  mix(block, a, b, d, 16);
  mix(block, c, d, b, 12);
  mix(block, a, b, d, 8);
  mix(block, c, d, b, 7);
}

// x += y, then z = (z ^ x) <<< bits.
function mix(block: Uint32Array, x: number, y: number, z: number, bits: number): void {
  block[x] = at(block, x) + at(block, y);
  const mixed = at(block, z) ^ at(block, x);
  block[z] = (mixed << bits) | (mixed >>> (32 - bits));
}

function words(bytes: Uint8Array, count: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, index) => view.getUint32(4 * index, true));
}

function at(block: Uint32Array, index: number): number {
  return block[index] ?? 0;
}
