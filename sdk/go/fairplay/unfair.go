package fairplay

import "fmt"

// Element is the part of a match that is not what it should be.
type Element int

// What can be wrong with a match.
const (
	// SecretChanged: the secret is not the one that the arena had committed to.
	SecretChanged Element = iota + 1
	// NonceChanged: a nonce is not the one that was given.
	NonceChanged
	// FirstDealChanged: the first deal is not the one that the seed makes.
	FirstDealChanged
	// MoveChanged: the deals after a decision, or the tiles in bag and discards, are not those
	// that the seed makes.
	MoveChanged
	// ScoreChanged: the final score is not the sum of what was told.
	ScoreChanged
)

// UnfairError says what is wrong with the deals of a match.
type UnfairError struct {
	// MatchID is the match.
	MatchID string
	// Element is what is wrong.
	Element Element
	// Turn is the decision after which it is wrong; only of MoveChanged.
	Turn uint32
}

func (e *UnfairError) Error() string {
	what := fmt.Sprintf("decision %d or the deals after it are not those that the seed makes", e.Turn)
	switch e.Element {
	case SecretChanged:
		what = "the secret is not the one that the arena had committed to"
	case NonceChanged:
		what = "a nonce is not the one that was given"
	case FirstDealChanged:
		what = "the first deal is not the one that the seed makes"
	case ScoreChanged:
		what = "the final score is not the sum of what was told"
	case MoveChanged:
	}
	return fmt.Sprintf("match %s was not fair: %s; keep its record and ask the organiser", e.MatchID, what)
}
