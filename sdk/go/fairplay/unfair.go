package fairplay

import "fmt"

// Element is the part of a match that is wrong.
type Element int

// What can be wrong with a match.
const (
	// SecretChanged: the secret does not match the commitment.
	SecretChanged Element = iota + 1
	// NonceChanged: a nonce is not the one that the seat sent.
	NonceChanged
	// FirstDealChanged: the first deal is not the one that the seed gives.
	FirstDealChanged
	// MoveChanged: the deals after a turn, or the tiles in the bag or the discards, are not those that
	// the seed gives.
	MoveChanged
	// ScoreChanged: the final score is not the sum of the events, or the winners are others.
	ScoreChanged
	// RulesBroken: a move, or the state before it, does not follow the rules.
	RulesBroken
)

// UnfairError says what is wrong with the deals of a match.
type UnfairError struct {
	// MatchID is the match.
	MatchID string
	// Element is what is wrong.
	Element Element
	// Turn is the turn at which the difference is. Only for MoveChanged and RulesBroken.
	Turn uint32
}

func (e *UnfairError) Error() string {
	what := fmt.Sprintf("turn %d or the deals after it differ from what the seed gives", e.Turn)
	switch e.Element {
	case SecretChanged:
		what = "the secret does not match the commitment"
	case NonceChanged:
		what = "a nonce is not the one that the seat sent"
	case FirstDealChanged:
		what = "the first deal differs from what the seed gives"
	case ScoreChanged:
		what = "the final score is not the sum of the events"
	case RulesBroken:
		what = fmt.Sprintf("turn %d or the state before it does not follow the rules", e.Turn)
	case MoveChanged:
	}
	return fmt.Sprintf("match %s is unfair: %s; keep its record and ask the organiser", e.MatchID, what)
}
