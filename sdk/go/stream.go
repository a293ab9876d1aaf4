package azulejo

import (
	"context"
	"errors"
	"fmt"
	"time"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// A stream without any event for this time is dead: the server pings more often.
const silenceTimeout = 15 * time.Second

var errSilence = errors.New("no event for too long")

// A feed is one stream of events.
type feed struct {
	events chan received
	stop   context.CancelFunc
}

type received struct {
	event *arenav1.PlayEvent
	err   error
}

// open opens a stream with this maximum number of concurrent matches in its offer.
func (p *player) open(maxConcurrentMatches int) *feed {
	ctx, stop := context.WithCancel(p.ctx)
	made := &feed{events: make(chan received), stop: stop}
	go func() {
		request := &arenav1.PlayRequest{Hello: p.o.hello(maxConcurrentMatches)}
		stream, err := p.calls.Play(ctx, request)
		for {
			var answer *arenav1.PlayResponse
			if err == nil {
				answer, err = stream.Recv()
			}
			select {
			case made.events <- received{event: answer.GetEvent(), err: err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return made
}

// listen handles the events of one session. To change the offer it opens a second stream, which
// replaces the first without a gap: the first one then ends with Replaced, which is not an error.
func (p *player) listen() (anything bool, err error) {
	p.mu.Lock()
	p.declared = p.offer()
	current := p.open(p.declared)
	p.mu.Unlock()
	var next *feed
	defer func() {
		current.stop()
		if next != nil {
			next.stop()
		}
	}()
	silence := time.NewTimer(silenceTimeout)
	defer silence.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return anything, p.ctx.Err()
		case <-silence.C:
			return anything, errSilence
		case <-p.wake:
		case got := <-current.events:
			silence.Reset(silenceTimeout)
			replaced := got.event.GetReplaced() != nil || isReplaced(got.err)
			switch {
			case (replaced || got.err != nil) && next != nil:
				current.stop()
				current, next = next, nil
				continue
			case replaced:
				return anything, ErrReplaced
			case got.err != nil:
				return anything, asError(got.err)
			case got.event != nil:
				anything = true
				p.handle(got.event)
			}
		}
		if !anything || next != nil {
			continue
		}
		if done, err := p.isDone(); done {
			return anything, err
		}
		next = p.changeOffer()
		p.challengeIfFree()
	}
}

func isReplaced(err error) bool {
	refused := asError(err)
	return refused != nil && refused.Reason == reason.Replaced
}

// offer is the maximum number of concurrent matches that the bot wants now.
func (p *player) offer() int {
	if p.o.matches == 0 || p.o.challenge != nil {
		return p.o.maxConcurrentMatches
	}
	if p.played+len(p.matches) >= p.o.matches {
		return 0
	}
	return min(p.o.maxConcurrentMatches, p.o.matches-p.played)
}

// changeOffer opens a second stream if the offer has changed.
func (p *player) changeOffer() *feed {
	p.mu.Lock()
	defer p.mu.Unlock()
	if wanted := p.offer(); wanted != p.declared {
		p.declared = wanted
		return p.open(wanted)
	}
	return nil
}

// isDone says whether all matches are played and acknowledged, or no challenge can be made.
func (p *player) isDone() (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.challengeError != nil {
		return true, fmt.Errorf("%w: %w", errFinal, p.challengeError)
	}
	enough := p.o.matches > 0 && p.played >= p.o.matches && len(p.matches) == 0
	if !enough || len(p.unacknowledged) > 0 || p.o.challenge == nil && p.declared != 0 {
		return false, nil
	}
	return true, errDone
}
