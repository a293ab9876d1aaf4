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

// A match of the bot that is not over. All fields are the player's mutex's to guard.
type match struct {
	p    *player
	id   string
	jobs *queue
	// Nil if the match was not seen from its beginning.
	watch *fairplay.Watch
	// The turn that is being decided; nil if none is. A turn that is asked again meanwhile, after an
	// interruption, is not decided twice, unless nothing comes of it: a server that has just begun
	// again calls every turn stale until it has asked for it.
	deciding, askedAgain *Turn
	// The last answer, if it may have to be said again.
	answer       *Move
	answerTurn   uint32
	stopThinking context.CancelFunc
}

func newMatch(p *player, id string) *match {
	m := &match{p: p, id: id, jobs: newQueue(), stopThinking: func() {}}
	p.busy.Go(m.jobs.run)
	return m
}

// getReady says that the bot will play, and adds its own chance to the deals. Asked again after an
// interruption, it gives the same answer.
func (p *player) getReady(starting *arenav1.MatchStarting) {
	m := p.match(starting.GetMatch().GetId())
	if m.watch == nil {
		var nonce [32]byte
		_, _ = rand.Read(nonce[:]) // It never fails.
		m.watch = fairplay.NewWatch(starting, nonce)
		if hook, ok := p.bot.(MatchStartingHook); ok {
			m.jobs.add(func() { m.guard("MatchStarting", func() { hook.MatchStarting(p.ctx, starting) }) })
		}
	}
	nonce := m.watch.Nonce()
	p.busy.Go(func() {
		request := &arenav1.ReadyRequest{MatchId: m.id, Nonce: nonce[:]}
		refused := p.insist(func(ctx context.Context) error {
			_, err := p.calls.Ready(ctx, request)
			return err
		})
		if refused != nil && refused.Reason == reason.OtherNonce {
			// A process before this one was ready, with a nonce that nobody knows any more.
			p.mu.Lock()
			m.watch = nil
			p.mu.Unlock()
		}
		m.report(refused, "ready")
	})
}

// decide has the bot choose, unless it is at it already.
func (m *match) decide(turn *Turn) {
	if m.watch != nil {
		m.watch.Turn(turn)
	}
	if m.deciding != nil && m.deciding.GetTurn() == turn.GetTurn() {
		m.askedAgain = turn
		return
	}
	m.stopThinking() // Whatever it thinks about is not due any more.
	ctx, stop := context.WithTimeout(m.p.ctx, turn.GetLeft().AsDuration())
	m.deciding, m.askedAgain, m.stopThinking = turn, nil, stop
	answer := m.answer
	if m.answerTurn != turn.GetTurn() {
		answer = nil
	}
	m.jobs.add(func() {
		defer stop()
		if answer == nil && ctx.Err() == nil {
			answer = m.choose(ctx, turn)
		}
		delivered := answer != nil && m.p.ctx.Err() == nil && m.submit(turn, answer)
		m.p.mu.Lock()
		defer m.p.mu.Unlock()
		if m.deciding != turn {
			return
		}
		m.deciding = nil
		if again := m.askedAgain; again != nil && !delivered {
			m.decide(again)
		}
	})
}

// choose asks the bot; nil if it has no answer.
func (m *match) choose(ctx context.Context, turn *Turn) (answer *Move) {
	err := errors.New("no move was chosen")
	m.guard("Choose", func() { answer, err = m.p.bot.Choose(ctx, turn) })
	if err == nil && answer == nil {
		err = errors.New("Choose returned neither a move nor an error")
	}
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return nil // Nobody wants to know any more.
	}
	if err != nil {
		m.p.o.log.Error("the bot did not choose: the turn stays unanswered", "match", m.id,
			"turn", turn.GetTurn(), "seat", turn.GetSeat(), "legal_moves", len(turn.GetLegalMoves()), "error", err)
		return nil
	}
	return answer
}

// submit says the answer until the server has it, or does not want it.
func (m *match) submit(turn *Turn, answer *Move) (delivered bool) {
	request := answer.submission(turn)
	refused := m.p.insist(func(ctx context.Context) error {
		_, err := m.p.calls.SubmitMove(ctx, request)
		return err
	})
	m.report(refused, "move")
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	m.answer, m.answerTurn = answer, turn.GetTurn()
	if refused != nil && !refused.isPassing() && !refused.isExpected() {
		m.answer = nil // It is no move: if it is asked again, the bot may think of another.
	}
	return refused == nil
}

// report logs a refusal that is not part of the game.
func (m *match) report(refused *Error, what string) {
	if refused != nil && !refused.isExpected() {
		m.p.o.log.Warn("refused", "what", what, "match", m.id, "reason", refused.Reason, "error", refused)
	}
}

// guard runs user code; a panic there is logged and ends nothing else.
func (m *match) guard(name string, code func()) {
	defer func() {
		if problem := recover(); problem != nil {
			m.p.o.log.Error("the bot panicked", "in", name, "match", m.id,
				"panic", fmt.Sprint(problem), "stack", string(debug.Stack()))
		}
	}()
	code()
}
