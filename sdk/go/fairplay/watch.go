package fairplay

import (
	"bytes"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// Watch is what was seen of a match from its beginning.
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

// NewWatch begins with the call to a match, and the nonce that this seat answers with.
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

// Nonce is what this seat answers with, however often it is asked.
func (w *Watch) Nonce() [32]byte { return w.nonce }

// Started keeps the first deal and everyone's nonces.
func (w *Watch) Started(started *arenav1.MatchStarted) {
	w.first, w.nonces = started.GetState(), started.GetNonces()
}

// Seated keeps the first deal of a match whose start was missed but in which nobody has moved.
func (w *Watch) Seated(seating *arenav1.Seating) {
	if w.first == nil && seating.GetMatch().GetTurns() == 0 {
		w.first = seating.GetState()
	}
}

// Turn keeps the position in which this seat has to decide.
func (w *Watch) Turn(turn *arenav1.Turn) { w.turns[turn.GetTurn()] = turn.GetState() }

// Moved keeps what somebody's move brought about.
func (w *Watch) Moved(made *arenav1.MoveMade) { w.moves = append(w.moves, made) }

// Check compares everything that was seen with what the revealed secret makes of it. It is not
// complete if something was missed, for example while the connection was down; what was seen is
// checked all the same as far as that goes.
func (w *Watch) Check(ended *arenav1.MatchEnded) (complete bool, unfair *UnfairError) {
	reveal := ended.GetReveal()
	if reveal == nil {
		return false, nil
	}
	commitment := Commitment(w.id, reveal.GetSecret())
	if !bytes.Equal(commitment[:], w.commitment) {
		return true, w.unfair(SecretChanged)
	}
	if !w.noncesAreThose(reveal.GetNonces()) {
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
	return true, w.replay(ledger, ended.GetMatch().GetResult().GetScore())
}

// A match that was called off before it began may have missed this seat's nonce.
func (w *Watch) noncesAreThose(revealed [][]byte) bool {
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
		if state := w.turns[turn]; state != nil && ledger.sees(state) != nil {
			return wrong
		}
		if int(turn) == len(w.moves) {
			break
		}
		if ledger.follow(w.moves[turn]) != nil {
			return wrong
		}
	}
	if score != nil && ledger.closes(score) != nil {
		return w.unfair(ScoreChanged)
	}
	return nil
}

func (w *Watch) unfair(element Element) *UnfairError {
	return &UnfairError{MatchID: w.id, Element: element}
}
