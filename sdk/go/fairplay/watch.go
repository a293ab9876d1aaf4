package fairplay

import (
	"bytes"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// Watch collects what a bot sees of a match from its beginning.
type Watch struct {
	id         string
	ruleset    *gamev1.Ruleset
	seat       int
	commitment []byte
	nonce      [32]byte
	nonces     [][]byte
	first      *gamev1.GameState
	moves      []*arenav1.MoveMade
	turns      map[uint32]*gamev1.GameState
}

// NewWatch starts with the announcement of a match and the nonce of this seat.
func NewWatch(starting *arenav1.MatchStarting, nonce [32]byte) *Watch {
	called := starting.GetMatch()
	return &Watch{
		id:         called.GetId(),
		ruleset:    called.GetPool().GetRuleset(),
		seat:       int(starting.GetSeat()),
		commitment: called.GetCommitment(),
		nonce:      nonce,
		turns:      map[uint32]*gamev1.GameState{},
	}
}

// Nonce returns the nonce of this seat.
func (w *Watch) Nonce() [32]byte { return w.nonce }

// Started adds the first state and the nonces of all seats.
func (w *Watch) Started(started *arenav1.MatchStarted) {
	w.first, w.nonces = started.GetState(), started.GetNonces()
}

// Seated adds the first state of a match whose start was missed, if no seat has moved yet.
func (w *Watch) Seated(seating *arenav1.Seating) {
	if w.first == nil && seating.GetMatch().GetTurns() == 0 {
		w.first = seating.GetState()
	}
}

// Turn adds a state in which this seat has to decide.
func (w *Watch) Turn(turn *arenav1.Turn) { w.turns[turn.GetTurn()] = turn.GetState() }

// Moved adds a move and its events.
func (w *Watch) Moved(made *arenav1.MoveMade) { w.moves = append(w.moves, made) }

// Check compares everything that was seen with what the revealed secret gives. It is not complete if
// something was missed, for example while the connection was down, or if the engine in the process cannot
// play the match: a failure of the engine does not make it unfair. The commitment and the nonces are
// checked in any case.
func (w *Watch) Check(ended *arenav1.MatchEnded) (complete bool, unfair *UnfairError) {
	reveal := ended.GetReveal()
	if reveal == nil {
		return false, nil
	}
	commitment := Commitment(w.id, reveal.GetSecret())
	if !bytes.Equal(commitment[:], w.commitment) {
		return true, w.unfair(SecretChanged)
	}
	if !w.noncesMatch(reveal.GetNonces()) {
		return true, w.unfair(NonceChanged)
	}
	if w.first == nil || len(w.moves) != int(ended.GetMatch().GetTurns()) {
		return false, nil
	}
	for turn, made := range w.moves {
		if made.GetTurn() != uint32(turn) {
			return false, nil
		}
	}
	ledger := newLedger(w.ruleset, Seed(w.id, reveal.GetSecret(), reveal.GetNonces()))
	if ledger == nil {
		return false, nil
	}
	score := ended.GetMatch().GetResult().GetScore()
	if unfair := w.replay(ledger, score); unfair != nil {
		return true, unfair
	}
	return w.playAgain(Seed(w.id, reveal.GetSecret(), reveal.GetNonces()), score)
}

// A match that was voided before it began may lack this seat's nonce.
func (w *Watch) noncesMatch(revealed [][]byte) bool {
	if w.seat >= len(revealed) {
		return w.first == nil
	}
	own := revealed[w.seat]
	if !bytes.Equal(own, w.nonce[:]) && (len(own) > 0 || w.first != nil) {
		return false
	}
	for seat, nonce := range w.nonces {
		if seat >= len(revealed) || !bytes.Equal(nonce, revealed[seat]) {
			return false
		}
	}
	return true
}

func (w *Watch) replay(ledger ledger, score *gamev1.Score) *UnfairError {
	if ledger.start(w.first) != nil {
		return w.unfair(FirstDealChanged)
	}
	for turn := uint32(0); ; turn++ {
		wrong := &UnfairError{MatchID: w.id, Element: MoveChanged, Turn: turn}
		if state := w.turns[turn]; state != nil && ledger.compareState(state) != nil {
			return wrong
		}
		if int(turn) == len(w.moves) {
			break
		}
		if ledger.follow(w.moves[turn]) != nil {
			return wrong
		}
	}
	if score != nil && ledger.compareScore(score) != nil {
		return w.unfair(ScoreChanged)
	}
	return nil
}

func (w *Watch) unfair(element Element) *UnfairError {
	return &UnfairError{MatchID: w.id, Element: element}
}
