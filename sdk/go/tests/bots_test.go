package tests

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// recorder plays a move and keeps what it receives.
type recorder struct {
	choose func(ctx context.Context, turn *azulejo.Turn) (*azulejo.Move, error)

	mu       sync.Mutex
	starting []string
	moves    int
	ended    []*azulejo.MatchEnded
	// Running matches, and the largest number of them at the same time.
	running, most int
	// How often Choose was called for each turn.
	asked map[string]int
}

func (r *recorder) Choose(ctx context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	r.mu.Lock()
	if r.asked == nil {
		r.asked = map[string]int{}
	}
	r.asked[turn.GetMatchId()+"/"+time.Duration(turn.GetTurn()).String()]++
	r.mu.Unlock()
	if r.choose != nil {
		return r.choose(ctx, turn)
	}
	return first(ctx, turn)
}

func first(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	return azulejo.Pick(turn.LegalMoves[int(turn.Turn)%len(turn.LegalMoves)]), nil
}

func (r *recorder) MatchStarting(_ context.Context, starting *azulejo.MatchStarting) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starting = append(r.starting, starting.GetMatch().GetId())
	r.running++
	r.most = max(r.most, r.running)
}

func (r *recorder) MoveMade(context.Context, *azulejo.MoveMade) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.moves++
}

func (r *recorder) MatchEnded(_ context.Context, ended *azulejo.MatchEnded) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = append(r.ended, ended)
	r.running--
}

// A logbook is a log that can be searched while it is written.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
	news chan struct{}
}

func newLogbook() *logbook { return &logbook{news: make(chan struct{}, 1)} }

func (l *logbook) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.news <- struct{}{}:
	default:
	}
	return l.text.Write(line)
}

func (l *logbook) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), text)
}

// waitFor returns when a text was logged this often.
func (l *logbook) waitFor(ctx context.Context, text string, times int) bool {
	for l.count(text) < times {
		select {
		case <-l.news:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func (l *logbook) option() azulejo.Option {
	level := &slog.HandlerOptions{Level: slog.LevelDebug}
	return azulejo.WithLogger(slog.New(slog.NewTextHandler(l, level)))
}

// A running is a bot that is playing.
type running struct {
	t      *testing.T
	result chan error
	log    *logbook
	stop   context.CancelFunc
}

// play runs a bot concurrently with the test.
func play(t *testing.T, s *server, token string, bot azulejo.Bot, more ...azulejo.Option) *running {
	t.Helper()
	log := newLogbook()
	ctx, stop := context.WithCancel(t.Context())
	options := append([]azulejo.Option{azulejo.WithServer(s.url()), azulejo.WithToken(token), log.option()}, more...)
	made := &running{t: t, result: make(chan error, 1), log: log, stop: stop}
	go func() { made.result <- azulejo.Run(ctx, bot, options...) }()
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			text := log.text.String()
			t.Logf("log of a bot:\n%s", text[max(0, len(text)-6000):])
		}
	})
	return made
}

// wait returns how the bot ended.
func (r *running) wait() error {
	r.t.Helper()
	select {
	case err := <-r.result:
		return err
	case <-time.After(patience):
		r.t.Fatal("the bot does not end")
		return nil
	}
}

func (r *running) mustEnd() {
	r.t.Helper()
	if err := r.wait(); err != nil {
		r.t.Fatal(err)
	}
}

// finished fails unless a match was played to its end and is fair.
func finished(t *testing.T, ended *azulejo.MatchEnded) {
	t.Helper()
	if ended.Own().GetEndReason() != arenav1.EndReason_END_REASON_FINISHED {
		t.Errorf("the match ended by %v", ended.Own().GetEndReason())
	}
	if ended.Unfair != nil {
		t.Error(ended.Unfair)
	}
}
