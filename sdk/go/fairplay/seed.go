// Package fairplay checks that the deals of a match were not chosen.
//
// Before the first deal the arena publishes a commitment to a secret; then every seat gives a
// nonce; secret and nonces make the seed that decides every draw; at the end the secret is
// revealed. A [Watch] collects what a bot sees of a match, and compares it with that seed.
//
// What it proves is chance: commitment, nonces, seed, every draw, and that the final score is the
// sum of what was told. Whether every move was legal and scored by the rules is for the engine:
// `azulejo verify`, or its Replay.
package fairplay

import (
	"crypto/hkdf"
	"crypto/sha256"
)

// Commitment is what the arena publishes before the first deal: SHA-256 of "azulejo-commit-v1",
// the id of the match and the secret.
func Commitment(matchID string, secret []byte) [32]byte {
	return sha256.Sum256(append([]byte("azulejo-commit-v1"+matchID), secret...))
}

// Seed is the seed of a match: HKDF-SHA256 of the secret, with the id of the match as salt and, as
// info, "azulejo-deal-v1" and the nonces in the order of the seats. A seat without one adds nothing.
func Seed(matchID string, secret []byte, nonces [][]byte) (seed [32]byte) {
	info := "azulejo-deal-v1"
	for _, nonce := range nonces {
		info += string(nonce)
	}
	key, err := hkdf.Key(sha256.New, secret, []byte(matchID), info, len(seed))
	if err != nil {
		panic(err) // Only a key of more than 255 blocks is refused.
	}
	copy(seed[:], key)
	return seed
}
