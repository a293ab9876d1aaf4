package fairplay

import (
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

// One engine for all matches: they end rarely, and its memory is larger than a match.
var (
	mu     sync.Mutex
	shared *local.Engine
)

// playAgain plays the match with the engine in the process: every state, every move and the result must
// be the same. No server is asked. It is not complete if the engine cannot be started.
func (w *Watch) playAgain(seed [32]byte, score *gamev1.Score) (complete bool, unfair *UnfairError) {
	mu.Lock()
	defer mu.Unlock()
	if shared == nil || shared.Err() != nil {
		engine, err := local.Open()
		if err != nil {
			return false, nil
		}
		shared = engine
	}
	game := w.begin(shared, seed)
	if game == nil {
		return true, w.unfair(FirstDealChanged)
	}
	defer game.Close()
	for turn, made := range w.moves {
		state, move := w.turns[uint32(turn)], made.GetMove()
		text, err := game.ActionText(int(move.GetActionId()))
		fits := err == nil && text == move.GetNotation() && game.CurrentPlayer() == int(made.GetSeat()) &&
			(state == nil || shows(shared, state, game)) && game.Apply(int(move.GetActionId())) == nil
		if !fits {
			return true, &UnfairError{MatchID: w.id, Element: RulesBroken, Turn: uint32(turn)}
		}
	}
	if score != nil && !isResult(score, game) {
		return true, w.unfair(ScoreChanged)
	}
	return true, nil
}

// begin returns the game whose first deals follow from the seed; the start seat is found by trying.
func (w *Watch) begin(engine *local.Engine, seed [32]byte) *local.Game {
	for seat := range players(w.ruleset) {
		game, err := engine.New(key(w.ruleset), local.ArenaSeedHex(hex.EncodeToString(seed[:])), local.StartSeat(seat))
		if err != nil {
			return nil
		}
		if shows(engine, w.first, game) {
			return game
		}
		game.Close()
	}
	return nil
}

// shows reports whether the game is at the position of the state.
func shows(engine *local.Engine, state *gamev1.GameState, game *local.Game) bool {
	shown, err := engine.FromState(state, local.Explicit())
	if err != nil {
		return false
	}
	defer shown.Close()
	return shown.Text() == game.Text()
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
