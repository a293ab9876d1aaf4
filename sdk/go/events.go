package azulejo

import (
	"context"
	"slices"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// Ends that are remembered because they may be told again.
const remembered = 256

// take does what an event asks for. It never waits: user code and calls run on goroutines of their
// own.
func (p *player) take(event *arenav1.PlayEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen = event.GetSeq()
	switch event := event.GetEvent().(type) {
	case *arenav1.PlayEvent_Snapshot:
		p.catchUp(event.Snapshot)
	case *arenav1.PlayEvent_MatchStarting:
		p.getReady(event.MatchStarting)
	case *arenav1.PlayEvent_MatchStarted:
		if m := p.matches[event.MatchStarted.GetMatchId()]; m != nil && m.watch != nil {
			m.watch.Started(event.MatchStarted)
		}
	case *arenav1.PlayEvent_Turn:
		p.match(event.Turn.GetMatchId()).decide(event.Turn)
	case *arenav1.PlayEvent_MoveMade:
		p.moved(event.MoveMade)
	case *arenav1.PlayEvent_MatchEnded:
		p.over(event.MatchEnded)
	case *arenav1.PlayEvent_Ping:
		p.ping = event.Ping.GetNumber()
		p.beat(p.ping, p.seen)
	case *arenav1.PlayEvent_Paused:
		p.paused(event.Paused)
	default:
		// GoingAway: the stream will end by itself. Events of later versions are not ours.
	}
}

// catchUp brings everything to where the server says that it is.
func (p *player) catchUp(snapshot *arenav1.Snapshot) {
	p.ping = 0
	clear(p.challenged) // Those that are not here are over.
	for _, ended := range snapshot.GetEnded() {
		p.over(ended)
	}
	running := map[string]bool{}
	for _, seating := range snapshot.GetSeatings() {
		id := seating.GetMatch().GetId()
		running[id] = true
		if starting := seating.GetStarting(); starting != nil {
			p.getReady(starting)
		}
		m := p.match(id)
		if m.watch != nil {
			m.watch.Seated(seating)
		}
		if turn := seating.GetTurn(); turn != nil {
			m.decide(turn)
		}
	}
	for id, m := range p.matches {
		if !running[id] {
			p.forget(id, m)
		}
	}
	if snapshot.GetPaused() != nil {
		p.paused(snapshot.GetPaused())
	}
}

// match is the match with this id, new or known.
func (p *player) match(id string) *match {
	m := p.matches[id]
	if m == nil {
		m = newMatch(p, id)
		p.matches[id] = m
	}
	delete(p.challenged, id)
	return m
}

func (p *player) forget(id string, m *match) {
	m.stopThinking()
	m.jobs.close()
	delete(p.matches, id)
}

func (p *player) moved(made *arenav1.MoveMade) {
	m := p.match(made.GetMatchId())
	if m.watch != nil {
		m.watch.Moved(made)
	}
	if hook, ok := p.bot.(MoveMadeHook); ok {
		m.jobs.add(func() { m.guard("MoveMade", func() { hook.MoveMade(p.ctx, made) }) })
	}
}

// over tells the bot, once, how a match ended and whether it was fair. The answer to the next ping
// confirms to the server that it was told.
func (p *player) over(ended *arenav1.MatchEnded) {
	id := ended.GetMatch().GetId()
	if slices.Contains(p.ended, id) {
		return
	}
	p.ended = append(p.ended[max(0, len(p.ended)-remembered+1):], id)
	_, known := p.matches[id]
	if known && ended.GetMatch().GetStatus() == arenav1.MatchStatus_MATCH_STATUS_ENDED {
		p.played++
	}
	m := p.match(id)
	watch := m.watch
	m.jobs.add(func() {
		told := &MatchEnded{MatchEnded: ended}
		if watch != nil {
			complete, unfair := watch.Check(ended)
			told.Checked = complete
			if unfair != nil {
				told.Unfair = unfair
				p.o.log.Error("the deals of this match were not fair", "match", id, "error", unfair)
			}
		}
		if hook, ok := p.bot.(MatchEndedHook); ok {
			m.guard("MatchEnded", func() { hook.MatchEnded(context.WithoutCancel(p.ctx), told) })
		}
	})
	p.forget(id, m)
}

func (p *player) paused(paused *arenav1.Paused) {
	p.o.log.Warn("the bot is paused: its owner must resume it", "reason", paused.GetReason(), "match", paused.GetMatchId())
	if hook, ok := p.bot.(PausedHook); ok {
		p.busy.Go(func() { hook.Paused(p.ctx, paused) })
	}
}

// beat is a sign of life; the server measures the round trip by it.
func (p *player) beat(ping, seen uint64) {
	p.busy.Go(func() {
		request := &arenav1.HeartbeatRequest{Ping: ping, Seen: seen}
		answer, err := p.calls.Heartbeat(context.WithoutCancel(p.ctx), request)
		if err != nil {
			// The next one will do.
			p.o.log.Debug("a heartbeat was lost", "error", err)
			return
		}
		p.o.log.Debug("heartbeat", "round_trip", answer.GetRoundTrip().AsDuration())
	})
}
