package azulejo

import (
	"context"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// The largest number of ends in one heartbeat.
const maxAcknowledged = 200

// acknowledge confirms to the server that the bot has received the end of a match. Ends that become
// ready while a call is in progress share the next one.
func (p *player) acknowledge(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acknowledgeLocked(id)
}

func (p *player) acknowledgeLocked(id string) {
	p.unacknowledged[id] = true
	if !p.acknowledging {
		p.acknowledging = true
		p.busy.Go(p.sendAcknowledgements)
	}
}

func (p *player) sendAcknowledgements() {
	for {
		ids := p.readyToAcknowledge()
		if len(ids) == 0 {
			break
		}
		refused := p.retry(func(ctx context.Context) error {
			_, err := p.calls.Heartbeat(ctx, &arenav1.HeartbeatRequest{EndedMatchIds: ids})
			return err
		})
		if refused != nil {
			// The next snapshot repeats these ends, and they are acknowledged again.
			p.o.log.Debug("ends of matches not acknowledged", "matches", ids, "error", refused)
		}
		p.mu.Lock()
		for _, id := range ids {
			delete(p.unacknowledged, id)
		}
		p.mu.Unlock()
	}
	p.wakeUp()
}

// readyToAcknowledge returns the ends for the next heartbeat. If there are none, sending is over.
func (p *player) readyToAcknowledge() (ids []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, received := range p.unacknowledged {
		if received && len(ids) < maxAcknowledged {
			ids = append(ids, id)
		}
	}
	p.acknowledging = len(ids) > 0
	return ids
}
