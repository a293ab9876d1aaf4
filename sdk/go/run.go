package azulejo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// After a stop, Run waits this long for user code that ignores its context.
const stopTimeout = 10 * time.Second

// Run plays until the context ends or the matches of [WithMatches] are over (nil), another process uses
// the token ([ErrReplaced]), or the server refuses permanently ([Error]). It recovers from everything
// else: a lost stream, a server that restarts, a network failure.
//
// Matches that are running when the context ends continue without the bot: it forfeits them unless it
// reconnects with the same token within 30 seconds.
func Run(ctx context.Context, bot Bot, given ...Option) error {
	o := optionsOf(given)
	if o.maxConcurrentMatches < 1 || o.maxConcurrentMatches > 8 {
		return fmt.Errorf("the maximum number of concurrent matches must be 1 to 8, not %d", o.maxConcurrentMatches)
	}
	if o.token == "" {
		if o.name == "" {
			return ErrNoToken
		}
		registered, err := o.register(ctx)
		if err != nil {
			return err
		}
		o.token = registered.GetToken()
		o.registered(registered)
	}
	conn, err := dial(o)
	if err != nil {
		return err
	}
	defer conn.Close()
	playing, cancel := context.WithCancel(ctx)
	defer cancel()
	p := newPlayer(playing, bot, o, conn)
	err = p.play()
	if err != nil {
		cancel()
	}
	p.shutDown()
	return err
}

// Reasons to open no further stream.
var (
	errDone  = errors.New("all matches are played")
	errFinal = errors.New("refused by the server")
)

type player struct {
	ctx   context.Context
	bot   Bot
	o     *options
	conn  *grpc.ClientConn
	calls arenav1.PlayServiceClient
	// Calls and user code in progress.
	busy sync.WaitGroup
	// Wakes up the listener for changes that do not come from its stream.
	wake chan struct{}

	mu      sync.Mutex
	matches map[string]*match
	// Matches that ended recently: after an interruption their ends may be repeated.
	ended []string
	// Ends that the server still has to learn that the bot has received; true if the bot has.
	unacknowledged map[string]bool
	acknowledging  bool
	// Number of matches that ended with a result.
	played int
	// The maximum number of concurrent matches in the current offer.
	declared int
	// Challenges that were accepted but have not started, and whether one is being made.
	challenged  map[string]bool
	challenging bool
	// Set if no challenge can be made.
	challengeError *Error
}

func newPlayer(ctx context.Context, bot Bot, o *options, conn *grpc.ClientConn) *player {
	return &player{
		ctx: ctx, bot: bot, o: o, conn: conn,
		calls:          arenav1.NewPlayServiceClient(conn),
		wake:           make(chan struct{}, 1),
		matches:        map[string]*match{},
		unacknowledged: map[string]bool{},
		challenged:     map[string]bool{},
	}
}

// play opens streams, one after the other, until Run has to return.
func (p *player) play() error {
	for attempt := 0; p.ctx.Err() == nil; {
		received, err := p.listen()
		var failure *Error
		switch {
		case errors.Is(err, errDone):
			return nil
		case p.ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrReplaced), errors.Is(err, errFinal):
			return err
		case received:
			attempt = 0
		case errors.As(err, &failure) && !failure.isTransient():
			return fmt.Errorf("%w: %w", errFinal, failure)
		default:
			attempt++
		}
		if done, err := p.isDone(); done && errors.Is(err, errDone) {
			return nil
		}
		p.o.log.Debug("stream ended, reconnecting", "attempt", attempt, "error", err)
		pause(p.ctx, backoff(attempt, failure))
		p.conn.ResetConnectBackoff()
	}
	return nil
}

// shutDown waits for calls and hooks in progress.
func (p *player) shutDown() {
	p.mu.Lock()
	for _, m := range p.matches {
		m.jobs.close()
		m.stopThinking()
	}
	p.mu.Unlock()
	finished := make(chan struct{})
	go func() {
		p.busy.Wait()
		close(finished)
	}()
	select {
	case <-finished:
		return
	case <-p.ctx.Done():
	}
	select {
	case <-finished:
	case <-time.After(stopTimeout):
		p.o.log.Warn("user code ignores its context, stopping without it", "timeout", stopTimeout)
	}
}

// retry makes a call until it is answered; every call that uses it may be repeated. A stop does not
// interrupt an attempt, but prevents further ones.
func (p *player) retry(call func(context.Context) error) *Error {
	const attempts = 20
	var refused *Error
	for attempt := range attempts {
		if refused = asError(call(context.WithoutCancel(p.ctx))); refused == nil || !refused.isTransient() {
			return refused
		}
		if !pause(p.ctx, backoff(attempt, refused)) {
			return refused
		}
		p.conn.ResetConnectBackoff()
	}
	return refused
}

// wakeUp makes the listener look at the state of the player.
func (p *player) wakeUp() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}
