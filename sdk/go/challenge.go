package azulejo

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// challengeIfFree asks for a match if the bot plays challenges of its own and has a free place.
func (p *player) challengeIfFree() {
	p.mu.Lock()
	defer p.mu.Unlock()
	running := len(p.matches) + len(p.challenged)
	enough := p.o.matches > 0 && p.played+running >= p.o.matches
	if p.o.challenge == nil || p.challenging || running >= p.o.gamesAtOnce || enough {
		return
	}
	p.challenging = true
	p.busy.Go(p.makeChallenge)
}

// makeChallenge makes one. It may not be made twice: after an interruption the snapshot tells
// whether it was.
func (p *player) makeChallenge() {
	request := proto.Clone(p.o.challenge).(*arenav1.CreateChallengeRequest)
	if len(p.o.timeClasses) > 0 {
		request.TimeClass = p.o.timeClasses[0]
	}
	calls := arenav1.NewChallengesServiceClient(p.conn)
	answer, err := calls.CreateChallenge(context.WithoutCancel(p.ctx), request)
	refused := asError(err)
	isFinal := refused != nil && !refused.isPassing() && !refused.isExpected()
	if refused != nil && !isFinal {
		p.o.log.Warn("the challenge was refused; trying again", "reason", refused.Reason, "error", refused)
		pause(p.ctx, backoff(5, refused))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.challenging = false
	if isFinal {
		p.unwelcome = refused
	}
	if id := answer.GetMatch().GetId(); id != "" && p.matches[id] == nil && !slices.Contains(p.ended, id) {
		p.challenged[id] = true
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}
