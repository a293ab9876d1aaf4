package azulejo

import (
	"context"

	"google.golang.org/protobuf/proto"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// Short names for the messages that bots use most. All others are in the packages below gen.
type (
	// Turn is a decision that is due: state, legal moves with their effects, time left.
	Turn = arenav1.Turn
	// LegalMove is a legal move with its three names and its effect.
	LegalMove = gamev1.LegalMove
	// State is a complete state of a game. It contains no secret. In answers of the server every
	// message field is set and every list is full.
	State = gamev1.GameState
	// Score is the score of a state.
	Score = gamev1.Score
	// Ruleset is a game and its rules.
	Ruleset = gamev1.Ruleset
	// MatchStarting announces a match of the bot. On the ladder it names no opponents.
	MatchStarting = arenav1.MatchStarting
	// MatchStarted says that the first deal was made, and names the opponents.
	MatchStarted = arenav1.MatchStarted
	// MoveMade is a move of any seat and its events.
	MoveMade = arenav1.MoveMade
	// Paused says why a bot gets no more matches.
	Paused = arenav1.Paused
)

// A Bot chooses moves. Concurrent matches use one goroutine each; the calls of one match are in order.
type Bot interface {
	// Choose answers a turn. The context ends when the bank is empty, when the match is over and
	// when the bot stops.
	//
	// An error or a panic is logged. The turn stays unanswered, and its clock keeps running.
	Choose(ctx context.Context, turn *Turn) (*Move, error)
}

// BotFunc is a function that is a [Bot].
type BotFunc func(ctx context.Context, turn *Turn) (*Move, error)

// Choose calls the function.
func (f BotFunc) Choose(ctx context.Context, turn *Turn) (*Move, error) { return f(ctx, turn) }

// MatchStartingHook is implemented by bots that want to know about a match before it begins.
type MatchStartingHook interface {
	// MatchStarting is called when the bot has a seat in a match.
	MatchStarting(ctx context.Context, starting *MatchStarting)
}

// MatchStartedHook is implemented by bots that want to know their opponents.
type MatchStartedHook interface {
	// MatchStarted is called when all seats are ready and the first deal was made. The match has all
	// its seats.
	MatchStarted(ctx context.Context, started *MatchStarted)
}

// MoveMadeHook is implemented by bots that follow the moves of all seats.
type MoveMadeHook interface {
	// MoveMade is called for every move in the bot's matches, its own included.
	MoveMade(ctx context.Context, made *MoveMade)
}

// MatchEndedHook is implemented by bots that want to know how a match ended.
type MatchEndedHook interface {
	// MatchEnded is called for every match. The end is acknowledged to the server when it returns: if
	// the process is killed before, the next process gets the end again.
	MatchEnded(ctx context.Context, ended *MatchEnded)
}

// PausedHook is implemented by bots that want to know that they get no more matches.
type PausedHook interface {
	// Paused is called when the bot is paused, and on every connection while it is.
	Paused(ctx context.Context, paused *Paused)
}

// MatchEnded is a match that is over, with the result of the fair play check.
type MatchEnded struct {
	*arenav1.MatchEnded
	// Checked says whether the bot saw enough of the match to verify its deals.
	Checked bool
	// Unfair is nil, or a [fairplay.UnfairError] that says what is wrong with the deals.
	Unfair error
}

// Own returns the result of the bot's own seat; nil if the match has no result.
func (e *MatchEnded) Own() *arenav1.SeatResult {
	seats := e.GetMatch().GetResult().GetSeats()
	if int(e.GetSeat()) >= len(seats) {
		return nil
	}
	return seats[e.GetSeat()]
}

// A Move is an answer to a turn, by any of the three names of a move.
type Move struct {
	action   *uint32
	notation string
	typed    *gamev1.Move
}

// Pick answers with one of the legal moves.
func Pick(legal *LegalMove) *Move { return MoveByID(legal.GetActionId()) }

// MoveByID answers with an action id.
func MoveByID(id uint32) *Move { return &Move{action: &id} }

// MoveByNotation answers with the notation of a move, for example 3B2.
func MoveByNotation(notation string) *Move { return &Move{notation: notation} }

// MoveByType answers with a move as a message.
func MoveByType(move *gamev1.Move) *Move { return &Move{typed: move} }

func (m *Move) submission(turn *Turn) *arenav1.SubmitMoveRequest {
	// The number of the turn is required, also if it is 0.
	request := &arenav1.SubmitMoveRequest{MatchId: turn.GetMatchId(), Turn: proto.Uint32(turn.GetTurn())}
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
