package fairplay

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

// One engine for all matches: they end rarely, and its memory is larger than a match.
var (
	mu     sync.Mutex
	shared *local.Engine
)

// Reasons of errors that say nothing about the match.
var notRules = []string{
	"BAD_MESSAGE", "BUSY", "CLOSED", "ENGINE_FAILED", "NO_SUCH_RULESET", "OUT_OF_MEMORY", "TOO_MANY_OPEN",
	"UNKNOWN_RULES_VERSION",
}

// isRefusal reports whether the rules refuse something. Of everything else no server is accused.
func isRefusal(err error) bool {
	var refusal *local.Error
	return errors.As(err, &refusal) && !slices.Contains(notRules, refusal.Reason)
}

// playAgain plays the match with the engine in the process: every state, every move and the result must
// be the same. No server is asked. It is not complete if the engine cannot do it.
func (w *Watch) playAgain(seed [32]byte, score *gamev1.Score) (complete bool, unfair *UnfairError) {
	mu.Lock()
	defer mu.Unlock()
	// If the engine has failed, in this match or before it, another one tries once more.
	for range 2 {
		if shared == nil {
			engine, err := local.Open()
			if err != nil {
				return false, nil
			}
			shared = engine
		}
		unfair, err := w.compare(shared, seed, score)
		if err == nil {
			// Of methods that return no error.
			err = shared.Err()
		}
		if err == nil {
			return true, unfair
		}
		_ = shared.Close()
		shared = nil
	}
	return false, nil
}

// compare returns the first difference, or an error that says nothing about the match.
func (w *Watch) compare(engine *local.Engine, seed [32]byte, score *gamev1.Score) (*UnfairError, error) {
	game, err := w.begin(engine, seed)
	if err != nil {
		return nil, err
	}
	if game == nil {
		return w.unfair(FirstDealChanged), nil
	}
	defer game.Close()
	for turn, made := range w.moves {
		fits, err := follows(engine, game, w.turns[uint32(turn)], made)
		if err != nil {
			return nil, err
		}
		if !fits {
			return &UnfairError{MatchID: w.id, Element: RulesBroken, Turn: uint32(turn)}, nil
		}
	}
	if score != nil && !isResult(score, game) {
		return w.unfair(ScoreChanged), nil
	}
	return nil, nil
}

// follows plays a move, and reports whether it and the state before it, if there is one, fit the game.
func follows(engine *local.Engine, game *local.Game, state *gamev1.GameState, made *arenav1.MoveMade) (bool, error) {
	move := made.GetMove()
	text, err := game.ActionText(int(move.GetActionId()))
	if err != nil {
		return false, unlessRefused(err)
	}
	if text != move.GetNotation() || game.CurrentPlayer() != int(made.GetSeat()) {
		return false, nil
	}
	if state != nil {
		if same, err := shows(engine, state, game); err != nil || !same {
			return false, err
		}
	}
	err = game.Apply(int(move.GetActionId()))
	return err == nil, unlessRefused(err)
}

// unlessRefused returns an error that says nothing about the match.
func unlessRefused(err error) error {
	if isRefusal(err) {
		return nil
	}
	return err
}

// begin returns the game whose first deals follow from the seed, or nil; the start seat is found by
// trying.
func (w *Watch) begin(engine *local.Engine, seed [32]byte) (*local.Game, error) {
	for seat := range max(players(w.ruleset), 1) {
		// The match has no part in this call: whatever is refused is not its fault.
		game, err := engine.New(key(w.ruleset), local.ArenaSeedHex(hex.EncodeToString(seed[:])), local.StartSeat(seat))
		if err != nil {
			return nil, err
		}
		same, err := shows(engine, w.first, game)
		if same {
			return game, nil
		}
		game.Close()
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// shows reports whether the game is at the position of the state.
func shows(engine *local.Engine, state *gamev1.GameState, game *local.Game) (bool, error) {
	shown, err := engine.FromState(state, local.Explicit())
	if err != nil {
		return false, unlessRefused(err)
	}
	defer shown.Close()
	return shown.Text() == game.Text(), nil
}

func isResult(score *gamev1.Score, game *local.Game) bool {
	scores := game.Scores()
	for seat, found := range score.GetSeats() {
		if seat >= len(scores) || int(found.GetTotal()) != scores[seat] {
			return false
		}
	}
	var winners []uint32
	for seat, rank := range game.Ranks() {
		if rank == 1 {
			winners = append(winners, uint32(seat))
		}
	}
	isOver := score.GetEnd() != gamev1.GameEnd_GAME_END_UNSPECIFIED
	return len(score.GetSeats()) == len(scores) && slices.Equal(score.GetWinners(), winners) && isOver == game.IsTerminal()
}

func players(ruleset *gamev1.Ruleset) int {
	return int(max(ruleset.GetAzul().GetPlayers(), ruleset.GetSummerPavilion().GetPlayers()))
}

func key(ruleset *gamev1.Ruleset) string {
	name, side, players := "azul", ruleset.GetAzul().GetSide(), ruleset.GetAzul().GetPlayers()
	if pavilion := ruleset.GetSummerPavilion(); pavilion != nil {
		name, side, players = "summer-pavilion", pavilion.GetSide(), pavilion.GetPlayers()
	}
	if side == gamev1.BoardSide_BOARD_SIDE_GRAY {
		return fmt.Sprintf("%s-gray-%d", name, players)
	}
	return fmt.Sprintf("%s-colored-%d", name, players)
}
