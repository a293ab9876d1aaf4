package azulejo

import (
	"context"
	"slices"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// Number of ended matches to remember: the server repeats ends that are not acknowledged, at most 100
// in a snapshot.
const rememberedEnds = 256

// handle processes an event. It never blocks: user code and calls run on other goroutines.
func (p *player) handle(event *arenav1.PlayEvent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch event := event.GetEvent().(type) {
	case *arenav1.PlayEvent_Snapshot:
		p.handleSnapshot(event.Snapshot)
	case *arenav1.PlayEvent_MatchStarting:
		p.getReady(event.MatchStarting)
	case *arenav1.PlayEvent_MatchStarted:
		p.handleStart(event.MatchStarted)
	case *arenav1.PlayEvent_Turn:
		p.match(event.Turn.GetMatchId()).decide(event.Turn)
	case *arenav1.PlayEvent_MoveMade:
		p.handleMove(event.MoveMade)
	case *arenav1.PlayEvent_MatchEnded:
		p.handleEnd(event.MatchEnded)
	case *arenav1.PlayEvent_Ping:
		p.answerPing(event.Ping.GetNumber())
	case *arenav1.PlayEvent_Paused:
		p.handlePause(event.Paused)
	default:
		// GoingAway: the stream ends by itself. Unknown: an event of a later version.
	}
}

// handleSnapshot brings the player to the state of the server.
func (p *player) handleSnapshot(snapshot *arenav1.Snapshot) {
	clear(p.challenged) // Those that are not in the snapshot are over.
	for _, ended := range snapshot.GetEnded() {
		p.handleEnd(ended)
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
		p.handlePause(snapshot.GetPaused())
	}
}

// match returns the match with this id, new or known.
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

func (p *player) handleStart(started *arenav1.MatchStarted) {
	m := p.match(started.GetMatchId())
	if m.watch != nil {
		m.watch.Started(started)
	}
	if hook, ok := p.bot.(MatchStartedHook); ok {
		m.jobs.add(func() { m.guard("MatchStarted", func() { hook.MatchStarted(p.ctx, started) }) })
	}
}

func (p *player) handleMove(made *arenav1.MoveMade) {
	m := p.match(made.GetMatchId())
	if m.watch != nil {
		m.watch.Moved(made)
	}
	if hook, ok := p.bot.(MoveMadeHook); ok {
		m.jobs.add(func() { m.guard("MoveMade", func() { hook.MoveMade(p.ctx, made) }) })
	}
}

// handleEnd checks the deals of a match, calls the hook once, and then acknowledges the end.
func (p *player) handleEnd(ended *arenav1.MatchEnded) {
	id := ended.GetMatch().GetId()
	if slices.Contains(p.ended, id) {
		// A repetition. Unless its acknowledgement is still to come, that one was lost.
		if _, coming := p.unacknowledged[id]; !coming {
			p.acknowledgeLocked(id)
		}
		return
	}
	p.ended = append(p.ended[max(0, len(p.ended)-rememberedEnds+1):], id)
	p.unacknowledged[id] = false
	_, known := p.matches[id]
	if known && ended.GetMatch().GetStatus() == arenav1.MatchStatus_MATCH_STATUS_ENDED {
		p.played++
	}
	m := p.match(id)
	watch := m.watch
	m.jobs.add(func() {
		checked := &MatchEnded{MatchEnded: ended}
		if watch != nil {
			complete, unfair := watch.Check(ended)
			checked.Checked = complete
			if unfair != nil {
				checked.Unfair = unfair
				p.o.log.Error("unfair match", "match", id, "error", unfair)
			}
		}
		if hook, ok := p.bot.(MatchEndedHook); ok {
			m.guard("MatchEnded", func() { hook.MatchEnded(context.WithoutCancel(p.ctx), checked) })
		}
		p.acknowledge(id)
	})
	p.forget(id, m)
}

func (p *player) handlePause(paused *arenav1.Paused) {
	p.o.log.Warn("the bot is paused until it is resumed", "reason", paused.GetPauseReason(),
		"note", paused.GetNote(), "match", paused.GetMatchId())
	if hook, ok := p.bot.(PausedHook); ok {
		p.busy.Go(func() { hook.Paused(p.ctx, paused) })
	}
}

// answerPing lets the server measure the round trip, and shows that the bot is alive.
func (p *player) answerPing(number uint64) {
	p.busy.Go(func() {
		request := &arenav1.HeartbeatRequest{Ping: number}
		answer, err := p.calls.Heartbeat(context.WithoutCancel(p.ctx), request)
		if err != nil {
			// The server pings again.
			p.o.log.Debug("heartbeat failed", "error", err)
			return
		}
		p.o.log.Debug("heartbeat", "round_trip_time", answer.GetRoundTripTime().AsDuration())
	})
}
