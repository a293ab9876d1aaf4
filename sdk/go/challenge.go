package azulejo

import (
	"context"
	"slices"

	"google.golang.org/protobuf/proto"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// challengeIfFree makes a challenge if the bot plays challenges and can play another match.
func (p *player) challengeIfFree() {
	p.mu.Lock()
	defer p.mu.Unlock()
	running := len(p.matches) + len(p.challenged)
	enough := p.o.matches > 0 && p.played+running >= p.o.matches
	if p.o.challenge == nil || p.challenging || running >= p.o.maxConcurrentMatches || enough {
		return
	}
	p.challenging = true
	p.busy.Go(p.makeChallenge)
}

// makeChallenge makes one challenge. Its request id stays the same in all attempts, so that a lost
// answer does not lead to a second match.
func (p *player) makeChallenge() {
	request := proto.CloneOf(p.o.challenge)
	request.RequestId = newRequestID()
	if len(p.o.timeClasses) > 0 {
		request.TimeClass = p.o.timeClasses[0]
	}
	var answer *arenav1.CreateChallengeResponse
	refused := p.retry(func(ctx context.Context) (err error) {
		answer, err = arenav1.NewChallengesServiceClient(p.conn).CreateChallenge(ctx, request)
		return err
	})
	isFinal := refused != nil && !refused.isTransient() && !refused.isExpected()
	if refused != nil && !isFinal {
		p.o.log.Warn("challenge refused, trying again later", "reason", refused.Reason, "error", refused)
		pause(p.ctx, backoff(5, refused))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.challenging = false
	if isFinal {
		p.challengeError = refused
	}
	if id := answer.GetMatch().GetId(); id != "" && p.matches[id] == nil && !slices.Contains(p.ended, id) {
		p.challenged[id] = true
	}
	p.wakeUp()
}
