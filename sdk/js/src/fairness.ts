// Provably fair deals: the arena commits to a secret before it receives the nonces of the seats, and
// reveals it after the match. The seed of all deals is derived from both.

import { hkdf } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const COMMIT = utf8ToBytes("azulejo-commit-v1");
const DEAL = utf8ToBytes("azulejo-deal-v1");

/** The commitment that the arena publishes before the first deal. */
export function commitment(matchId: string, secret: Uint8Array): Uint8Array {
  return sha256(concatBytes(COMMIT, utf8ToBytes(matchId), secret));
}

/** The seed of a match. A seat without a nonce has an empty entry, which is skipped. */
export function matchSeed(
  matchId: string,
  secret: Uint8Array,
  nonces: readonly Uint8Array[],
): Uint8Array {
  const info = concatBytes(DEAL, ...nonces.filter((nonce) => nonce.length === 32));
  return hkdf(sha256, secret, utf8ToBytes(matchId), info, 32);
}

/** 32 random bytes. */
export function newNonce(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(32));
}

/** Whether two byte arrays are equal. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
