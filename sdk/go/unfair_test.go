package azulejo

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/azulejo-arena/azulejo/sdk/go/fairplay"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// endings keeps how matches ended.
type endings struct {
	BotFunc
	ended []*MatchEnded
}

func (e *endings) MatchEnded(_ context.Context, ended *MatchEnded) { e.ended = append(e.ended, ended) }

func Test_an_unfair_match_is_reported_once_to_the_bot_and_logged(t *testing.T) {
	var log bytes.Buffer
	bot := &endings{}
	server := &heartbeats{}
	p := fakePlayer(t, bot, WithServer(serveHeartbeats(t, server)), WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	called := &arenav1.Match{Id: "aaaaaaaaaaaaaaaa", Commitment: make([]byte, 32), Status: arenav1.MatchStatus_MATCH_STATUS_ENDED}
	p.match(called.GetId()).watch = fairplay.NewWatch(&MatchStarting{Match: called}, [32]byte{})
	ended := &arenav1.MatchEnded{Match: called, Reveal: &arenav1.Reveal{Secret: make([]byte, 32), Nonces: make([][]byte, 2)}}
	for range 2 {
		p.handle(&arenav1.PlayEvent{Event: &arenav1.PlayEvent_MatchEnded{MatchEnded: ended}})
	}
	p.shutDown()
	if len(bot.ended) != 1 || p.played != 1 {
		t.Fatalf("reported %d times, counted %d times", len(bot.ended), p.played)
	}
	var unfair *fairplay.UnfairError
	if !errors.As(bot.ended[0].Unfair, &unfair) || unfair.Element != fairplay.SecretChanged || !bot.ended[0].Checked {
		t.Errorf("reported %v", bot.ended[0].Unfair)
	}
	if text := log.String(); !strings.Contains(text, "level=ERROR msg=\"unfair match\" match=aaaaaaaaaaaaaaaa") {
		t.Errorf("logged %q", text)
	}
}
