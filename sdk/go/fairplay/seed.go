// Package fairplay verifies that the deals of a match were not manipulated.
//
// Before the first deal the arena publishes a commitment to a secret. Then every seat sends a nonce.
// Secret and nonces give the seed that decides every draw. At the end the secret is revealed. A [Watch]
// collects what a bot sees of a match and compares it with that seed.
//
// It verifies the commitment, the nonces, the seed, every draw, and that the final score is the sum of
// the events. It does not verify that every move was legal and scored by the rules: for that use
// `azulejo verify` or the engine's Replay.
package fairplay

import (
	"crypto/hkdf"
	"crypto/sha256"
)

// Commitment returns what the arena publishes before the first deal: SHA-256 of "azulejo-commit-v1",
// the match id and the secret.
func Commitment(matchID string, secret []byte) [32]byte {
	return sha256.Sum256(append([]byte("azulejo-commit-v1"+matchID), secret...))
}

// Seed returns the seed of a match: HKDF-SHA256 of the secret, with the match id as salt and, as info,
// "azulejo-deal-v1" and the nonces in the order of the seats. A seat without a nonce adds nothing.
func Seed(matchID string, secret []byte, nonces [][]byte) (seed [32]byte) {
	info := "azulejo-deal-v1"
	for _, nonce := range nonces {
		info += string(nonce)
	}
	key, err := hkdf.Key(sha256.New, secret, []byte(matchID), info, len(seed))
	if err != nil {
		panic(err) // Fails only for a key of more than 255 blocks.
	}
	copy(seed[:], key)
	return seed
}
