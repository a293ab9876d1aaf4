package azulejo

import (
	"context"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// The messages that a bot meets most often, under short names. All others are in the packages
// below gen.
type (
	// Turn is a decision that is due: position, legal moves, time left.
	Turn = arenav1.Turn
	// LegalMove is a move by its three names.
	LegalMove = gamev1.LegalMove
	// State is a whole position. It holds no secret.
	State = gamev1.GameState
	// Score is the score of a position.
	Score = gamev1.Score
	// Ruleset is which game is played, by which rules.
	Ruleset = gamev1.Ruleset
	// MatchStarting is the call to a match.
	MatchStarting = arenav1.MatchStarting
	// MoveMade is somebody's move and what it brought about.
	MoveMade = arenav1.MoveMade
	// Paused says why a bot gets no more matches.
	Paused = arenav1.Paused
)

// A Bot chooses moves. It may be asked about several matches at the same time, each on a goroutine
// of its own; within one match everything comes in order.
type Bot interface {
	// Choose answers a turn. The context ends when the bank is empty, when the match is over, and
	// when the bot is told to stop.
	//
	// An error (or a panic) is logged, and the turn stays unanswered: its clock runs on.
	Choose(ctx context.Context, turn *Turn) (*Move, error)
}

// BotFunc is a function as a bot.
type BotFunc func(ctx context.Context, turn *Turn) (*Move, error)

// Choose calls the function.
func (f BotFunc) Choose(ctx context.Context, turn *Turn) (*Move, error) { return f(ctx, turn) }

// MatchStartingHook is for bots that want to know of a match before it begins.
type MatchStartingHook interface {
	// MatchStarting is called when the bot has a seat in a match.
	MatchStarting(ctx context.Context, starting *MatchStarting)
}

// MoveMadeHook is for bots that want to follow everyone's moves.
type MoveMadeHook interface {
	// MoveMade is called for every move at the bot's tables, its own included.
	MoveMade(ctx context.Context, made *MoveMade)
}

// MatchEndedHook is for bots that want to know how a match ended.
type MatchEndedHook interface {
	// MatchEnded is called once for every match, perhaps only when the bot is back.
	MatchEnded(ctx context.Context, ended *MatchEnded)
}

// PausedHook is for bots that want to know that they get no more matches.
type PausedHook interface {
	// Paused is called when the arena says so, and at every connection while it lasts.
	Paused(ctx context.Context, paused *Paused)
}

// MatchEnded is a match that is over, and whether it was fair.
type MatchEnded struct {
	*arenav1.MatchEnded
	// Checked tells whether the bot saw enough of the match to check its deals.
	Checked bool
	// Unfair is nil, or a [fairplay.UnfairError] that says what is wrong with the deals.
	Unfair error
}

// Own is what came of the match for the bot; nil if it was called off.
func (e *MatchEnded) Own() *arenav1.SeatResult {
	seats := e.GetMatch().GetResult().GetSeats()
	if int(e.GetSeat()) >= len(seats) {
		return nil
	}
	return seats[e.GetSeat()]
}

// A Move is an answer to a turn, by any of a move's three names.
type Move struct {
	action   *uint32
	notation string
	typed    *gamev1.Move
}

// Pick answers with one of the turn's legal moves.
func Pick(legal *LegalMove) *Move { return MoveByID(legal.GetActionId()) }

// MoveByID answers with a number of the action space.
func MoveByID(id uint32) *Move { return &Move{action: &id} }

// MoveByNotation answers with the notation of a move, such as 3B2.
func MoveByNotation(notation string) *Move { return &Move{notation: notation} }

// MoveByType answers with the move itself.
func MoveByType(move *gamev1.Move) *Move { return &Move{typed: move} }

func (m *Move) submission(turn *Turn) *arenav1.SubmitMoveRequest {
	request := &arenav1.SubmitMoveRequest{MatchId: turn.GetMatchId(), Turn: turn.GetTurn()}
	switch {
	case m.action != nil:
		request.Action = &arenav1.SubmitMoveRequest_ActionId{ActionId: *m.action}
	case m.typed != nil:
		request.Action = &arenav1.SubmitMoveRequest_Move{Move: m.typed}
	default:
		request.Action = &arenav1.SubmitMoveRequest_Notation{Notation: m.notation}
	}
	return request
}
