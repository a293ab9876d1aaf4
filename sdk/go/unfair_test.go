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

// witness keeps how matches ended.
type witness struct {
	BotFunc
	ended []*MatchEnded
}

func (w *witness) MatchEnded(_ context.Context, ended *MatchEnded) { w.ended = append(w.ended, ended) }

func Test_a_match_that_was_not_fair_is_told_to_the_bot_and_to_the_log_once(t *testing.T) {
	var log bytes.Buffer
	o := optionsOf([]Option{WithLogger(slog.New(slog.NewTextHandler(&log, nil)))})
	conn, err := dial(o)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	bot := &witness{}
	p := newPlayer(t.Context(), bot, o, conn)
	called := &arenav1.Match{Id: "aaaaaaaaaaaaaaaa", Commitment: make([]byte, 32), Status: arenav1.MatchStatus_MATCH_STATUS_ENDED}
	p.match(called.GetId()).watch = fairplay.NewWatch(&MatchStarting{Match: called}, [32]byte{})
	ended := &arenav1.MatchEnded{Match: called, Reveal: &arenav1.Reveal{Secret: make([]byte, 32), Nonces: make([][]byte, 2)}}
	for range 2 {
		p.take(&arenav1.PlayEvent{Event: &arenav1.PlayEvent_MatchEnded{MatchEnded: ended}})
	}
	p.leave()
	if len(bot.ended) != 1 || p.played != 1 {
		t.Fatalf("told %d times, counted %d times", len(bot.ended), p.played)
	}
	var unfair *fairplay.UnfairError
	if !errors.As(bot.ended[0].Unfair, &unfair) || unfair.Element != fairplay.SecretChanged || !bot.ended[0].Checked {
		t.Errorf("told %v", bot.ended[0].Unfair)
	}
	if text := log.String(); !strings.Contains(text, "level=ERROR msg=\"the deals of this match were not fair\" match=aaaaaaaaaaaaaaaa") {
		t.Errorf("logged %q", text)
	}
}
