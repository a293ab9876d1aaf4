package azulejo

import (
	"context"
	"errors"
	"fmt"
	"time"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// Nothing heard for so long: the stream is dead, whatever it says.
const silence = 15 * time.Second

var errSilence = errors.New("nothing was heard for too long")

// A feed is one stream of events.
type feed struct {
	events chan heard
	stop   context.CancelFunc
}

type heard struct {
	event *arenav1.PlayEvent
	err   error
}

// open opens a stream that offers so many games at once.
func (p *player) open(gamesAtOnce int) *feed {
	ctx, stop := context.WithCancel(p.ctx)
	made := &feed{events: make(chan heard), stop: stop}
	go func() {
		request := &arenav1.PlayRequest{Hello: p.o.hello(gamesAtOnce)}
		stream, err := p.calls.Play(ctx, request)
		for {
			var answer *arenav1.PlayResponse
			if err == nil {
				answer, err = stream.Recv()
			}
			select {
			case made.events <- heard{event: answer.GetEvent(), err: err}:
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

// listen hears one session to its end. Where the offer changes, a second stream takes over from the
// first without a gap: the first ends with Replaced, which then is our own doing.
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
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return anything, p.ctx.Err()
		case <-quiet.C:
			return anything, errSilence
		case <-p.wake:
		case got := <-current.events:
			quiet.Reset(silence)
			replaced := got.event.GetReplaced() != nil || wasReplaced(got.err)
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
				p.take(got.event)
			}
		}
		if !anything || next != nil {
			continue
		}
		if done, err := p.isDone(); done {
			return anything, err
		}
		next = p.reoffer()
		p.challengeIfFree()
	}
}

func wasReplaced(err error) bool {
	refused := asError(err)
	return refused != nil && refused.Reason == reason.Replaced
}

// offer is how many games at once the bot would like now.
func (p *player) offer() int {
	if p.o.matches == 0 || p.o.challenge != nil {
		return p.o.gamesAtOnce
	}
	if p.played+len(p.matches) >= p.o.matches {
		return 0
	}
	return min(p.o.gamesAtOnce, p.o.matches-p.played)
}

// reoffer opens a stream that takes over if the offer has changed.
func (p *player) reoffer() *feed {
	p.mu.Lock()
	defer p.mu.Unlock()
	if wanted := p.offer(); wanted != p.declared {
		p.declared = wanted
		return p.open(wanted)
	}
	return nil
}

// isDone tells whether there is nothing more to play, and why.
func (p *player) isDone() (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unwelcome != nil {
		return true, fmt.Errorf("%w: %w", errFinal, p.unwelcome)
	}
	enough := p.o.matches > 0 && p.played >= p.o.matches && len(p.matches) == 0
	if !enough || p.o.challenge == nil && p.declared != 0 {
		return false, nil
	}
	if p.ping != 0 {
		p.beat(p.ping, p.seen)
	}
	return true, errDone
}
