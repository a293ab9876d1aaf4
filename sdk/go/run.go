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

// After a stop, user code that does not heed its context is left behind after so long.
const farewell = 10 * time.Second

// Run plays until the context ends or as many matches as [WithMatches] says are over (nil), another
// process uses the token ([ErrReplaced]), or the server refuses for good ([Error]). Everything else
// it sits out: a lost stream, a server that restarts, a network that is down.
//
// Matches that run when the context ends go on without the bot: it forfeits those to which it does
// not come back, with the same token, within 30 seconds.
func Run(ctx context.Context, bot Bot, given ...Option) error {
	o := optionsOf(given)
	if o.gamesAtOnce < 1 || o.gamesAtOnce > 8 {
		return fmt.Errorf("a bot plays 1 to 8 games at once, not %d", o.gamesAtOnce)
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
	playing, leave := context.WithCancel(ctx)
	defer leave()
	p := newPlayer(playing, bot, o, conn)
	err = p.play()
	if err != nil {
		leave()
	}
	p.leave()
	return err
}

// How a stream is left for good.
var (
	errDone  = errors.New("all matches are played")
	errFinal = errors.New("the server refuses")
)

type player struct {
	ctx   context.Context
	bot   Bot
	o     *options
	conn  *grpc.ClientConn
	calls arenav1.PlayServiceClient
	// Calls and user code that are under way.
	busy sync.WaitGroup
	// Something changed that the listener does not hear from its stream.
	wake chan struct{}

	mu      sync.Mutex
	matches map[string]*match
	// Matches that ended lately: they may be told again after an interruption.
	ended []string
	// How many ended that count.
	played int
	// Games at once that the server was told.
	declared int
	// The last ping and the last event of this session.
	ping, seen uint64
	// Challenges that were made, but of which nothing was heard yet; and whether one is being made.
	challenged  map[string]bool
	challenging bool
	// Why no challenge can ever be made.
	unwelcome *Error
}

func newPlayer(ctx context.Context, bot Bot, o *options, conn *grpc.ClientConn) *player {
	return &player{
		ctx: ctx, bot: bot, o: o, conn: conn,
		calls:      arenav1.NewPlayServiceClient(conn),
		wake:       make(chan struct{}, 1),
		matches:    map[string]*match{},
		challenged: map[string]bool{},
	}
}

// play opens stream after stream until there is a reason not to.
func (p *player) play() error {
	for attempt := 0; p.ctx.Err() == nil; {
		heard, err := p.listen()
		var failure *Error
		switch {
		case errors.Is(err, errDone):
			return nil
		case p.ctx.Err() != nil:
			return nil
		case errors.Is(err, ErrReplaced), errors.Is(err, errFinal):
			return err
		case heard:
			attempt = 0
		case errors.As(err, &failure) && !failure.isPassing():
			return fmt.Errorf("%w: %w", errFinal, failure)
		default:
			attempt++
		}
		p.o.log.Debug("the stream has ended; opening a new one", "attempt", attempt, "error", err)
		pause(p.ctx, backoff(attempt, failure))
		p.conn.ResetConnectBackoff()
	}
	return nil
}

// leave lets calls and hooks that are under way come to their end.
func (p *player) leave() {
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
	case <-time.After(farewell):
		p.o.log.Warn("user code heeds no context: left behind", "after", farewell)
	}
}

// insist makes a call until it is answered; all of them may be made twice. A call that has begun is
// not cut off by a stop, but it is not made again after it.
func (p *player) insist(call func(context.Context) error) *Error {
	const attempts = 20
	var refused *Error
	for attempt := range attempts {
		if refused = asError(call(context.WithoutCancel(p.ctx))); refused == nil || !refused.isPassing() {
			return refused
		}
		if !pause(p.ctx, backoff(attempt, refused)) {
			return refused
		}
		p.conn.ResetConnectBackoff()
	}
	return refused
}
