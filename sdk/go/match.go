package azulejo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/azulejo-arena/azulejo/sdk/go/fairplay"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// A match of the bot that is not over. The player's mutex guards its fields.
type match struct {
	p    *player
	id   string
	jobs *queue
	// Nil if the bot did not see the beginning of the match.
	watch *fairplay.Watch
	// The turn that is being decided; nil if none is. If the same turn arrives again meanwhile, after
	// an interruption, it is kept: it is decided only if the answer to the first one is not accepted. A
	// server that has just restarted refuses every turn as stale until it has sent it.
	deciding, repeated *Turn
	// The last answer, in case it has to be submitted again.
	answer       *Move
	answerTurn   uint32
	stopThinking context.CancelFunc
}

func newMatch(p *player, id string) *match {
	m := &match{p: p, id: id, jobs: newQueue(), stopThinking: func() {}}
	p.busy.Go(m.jobs.run)
	return m
}

// getReady confirms that the bot will play, with a nonce for the deals. After an interruption it sends
// the same nonce again.
func (p *player) getReady(starting *arenav1.MatchStarting) {
	m := p.match(starting.GetMatch().GetId())
	if m.watch == nil {
		var nonce [32]byte
		_, _ = rand.Read(nonce[:]) // Never fails.
		m.watch = fairplay.NewWatch(starting, nonce)
		if hook, ok := p.bot.(MatchStartingHook); ok {
			m.jobs.add(func() { m.guard("MatchStarting", func() { hook.MatchStarting(p.ctx, starting) }) })
		}
	}
	nonce := m.watch.Nonce()
	p.busy.Go(func() {
		request := &arenav1.ReadyRequest{MatchId: m.id, Nonce: nonce[:]}
		refused := p.retry(func(ctx context.Context) error {
			_, err := p.calls.Ready(ctx, request)
			return err
		})
		if refused != nil && refused.Reason == reason.OtherNonce {
			// A previous process sent its own nonce, which is lost: the deals cannot be checked.
			p.mu.Lock()
			m.watch = nil
			p.mu.Unlock()
		}
		m.report(refused, "Ready")
	})
}

// decide lets the bot choose, unless it is already choosing.
func (m *match) decide(turn *Turn) {
	if m.watch != nil {
		m.watch.Turn(turn)
	}
	if m.deciding != nil && m.deciding.GetTurn() == turn.GetTurn() {
		m.repeated = turn
		return
	}
	m.stopThinking() // The turn before is not due any more.
	ctx, stop := context.WithTimeout(m.p.ctx, turn.GetTimeLeft().AsDuration())
	m.deciding, m.repeated, m.stopThinking = turn, nil, stop
	answer := m.answer
	if m.answerTurn != turn.GetTurn() {
		answer = nil
	}
	m.jobs.add(func() {
		defer stop()
		if answer == nil && ctx.Err() == nil {
			answer = m.choose(ctx, turn)
		}
		accepted := answer != nil && m.p.ctx.Err() == nil && m.submit(turn, answer)
		m.p.mu.Lock()
		defer m.p.mu.Unlock()
		if m.deciding != turn {
			return
		}
		m.deciding = nil
		if repeated := m.repeated; repeated != nil && !accepted {
			m.decide(repeated)
		}
	})
}

// choose calls the bot. It returns nil if there is no answer.
func (m *match) choose(ctx context.Context, turn *Turn) (answer *Move) {
	err := errors.New("Choose panicked")
	m.guard("Choose", func() { answer, err = m.p.bot.Choose(ctx, turn) })
	if err == nil && answer == nil {
		err = errors.New("Choose returned neither a move nor an error")
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return nil // The answer is not needed any more.
	}
	if err != nil {
		m.p.o.log.Error("no move chosen, the turn stays unanswered", "match", m.id,
			"turn", turn.GetTurn(), "seat", turn.GetSeat(), "legal_moves", len(turn.GetLegalMoves()), "error", err)
		return nil
	}
	return answer
}

// submit sends the answer until the server has accepted or refused it.
func (m *match) submit(turn *Turn, answer *Move) (accepted bool) {
	request := answer.submission(turn)
	var response *arenav1.SubmitMoveResponse
	refused := m.p.retry(func(ctx context.Context) (err error) {
		response, err = m.p.calls.SubmitMove(ctx, request)
		return err
	})
	m.report(refused, "SubmitMove")
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	m.answer, m.answerTurn = answer, turn.GetTurn()
	switch {
	case refused == nil:
		receipt := response.GetReceipt()
		m.p.o.log.Debug("move accepted", "match", m.id, "turn", turn.GetTurn(),
			"charged_time", receipt.GetChargedTime().AsDuration(), "time_left", receipt.GetTimeLeft().AsDuration())
		return true
	case refused.Reason == reason.MoveAlreadyAccepted:
		return true // A previous process answered this turn with another move.
	case !refused.isTransient() && !refused.isExpected():
		m.answer = nil // The move is invalid: if the turn is repeated, the bot chooses again.
	}
	return false
}

// report logs an error that is not part of normal play.
func (m *match) report(refused *Error, call string) {
	if refused != nil && !refused.isExpected() {
		m.p.o.log.Warn("call refused", "call", call, "match", m.id, "reason", refused.Reason, "error", refused)
	}
}

// guard runs user code. A panic is logged and does not affect other matches.
func (m *match) guard(name string, code func()) {
	defer func() {
		if problem := recover(); problem != nil {
			m.p.o.log.Error("panic in the bot", "method", name, "match", m.id,
				"panic", fmt.Sprint(problem), "stack", string(debug.Stack()))
		}
	}()
	code()
}
