import assert from "node:assert/strict";
import { test } from "node:test";
import { commitment, matchSeed } from "azulejo-sdk";
import { hex } from "./support/hex.js";

const MATCH = "aaaaaaaaaaaaaaaa";
const NONE = new Uint8Array();
const all = (byte: number) => new Uint8Array(32).fill(byte);

// The same values as in the tests of the server, computed by Python with hashlib and hmac.
test("commitment and seed have the values that Python computes", () => {
  const secret = Uint8Array.from({ length: 32 }, (_, index) => index);
  assert.equal(
    hex(commitment(MATCH, secret)),
    "c28edc73da27bc5f47814a5b1d598a8c0baff71af4f4225c7e8c295d162865c4",
  );
  assert.equal(
    hex(matchSeed(MATCH, secret, [all(1), NONE, all(2)])),
    "7cd3c8fcf20a8d7f80749d8c3b51f8022e3fe9e99b9764cf97042b1749d76914",
  );
});

test("every nonce, its place, the match and the secret change the seed", () => {
  const made = (match: string, secret: number, ...nonces: Uint8Array[]) =>
    hex(matchSeed(match, all(secret), nonces));
  const seeds = [
    made(MATCH, 7, all(1), all(2)),
    made(MATCH, 7, all(2), all(1)),
    made(MATCH, 7, all(1)),
    made("bbbbbbbbbbbbbbbb", 7, all(1)),
    made(MATCH, 8, all(1)),
  ];
  assert.equal(new Set(seeds).size, seeds.length);
});
