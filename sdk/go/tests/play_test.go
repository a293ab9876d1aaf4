package tests

import (
	"context"
	"errors"
	"testing"
	"time"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

func Test_bots_play_rated_matches_of_both_games_to_their_end(t *testing.T) {
	for _, key := range []string{"azul-colored-2", "azul-gray-2", "summer-pavilion-colored-2", "summer-pavilion-gray-3"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			s := sharedServer(t)
			ruleset, err := azulejo.ParseRuleset(key)
			if err != nil {
				t.Fatal(err)
			}
			var bots []*recorder
			var all []*running
			for seat := range int(key[len(key)-1] - '0') {
				bot := &recorder{}
				token := s.register(t, ownerOf(t, string(rune('a'+seat))))
				bots = append(bots, bot)
				all = append(all, play(t, s, token, bot, azulejo.WithRulesets(ruleset), azulejo.WithMatches(1)))
			}
			for index, bot := range bots {
				all[index].mustEnd()
				if len(bot.ended) != 1 || len(bot.starting) != 1 {
					t.Fatalf("%d matches began and %d ended", len(bot.starting), len(bot.ended))
				}
				ended := bot.ended[0]
				finished(t, ended)
				if !ended.Checked || !ended.GetMatch().GetRated() || bot.moves != int(ended.GetMatch().GetTurns()) {
					t.Errorf("checked: %v, rated: %v, %d of %d moves received", ended.Checked,
						ended.GetMatch().GetRated(), bot.moves, ended.GetMatch().GetTurns())
				}
				for turn, times := range bot.asked {
					if times != 1 {
						t.Errorf("turn %s was asked for %d times", turn, times)
					}
				}
			}
		})
	}
}

func Test_several_matches_are_played_at_the_same_time(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	options := []azulejo.Option{
		azulejo.WithRulesets(azulejo.Azul(azulejo.Colored, 2)), azulejo.WithTimeClasses(azulejo.Bullet),
		azulejo.WithMaxConcurrentMatches(3), azulejo.WithMatches(5),
	}
	one, two := &recorder{}, &recorder{}
	first := play(t, s, s.register(t, ownerOf(t, "a")), one, options...)
	second := play(t, s, s.register(t, ownerOf(t, "b")), two, options[:3]...)
	first.mustEnd()
	second.stop()
	second.mustEnd()
	if one.most < 2 {
		t.Errorf("at most %d matches ran at the same time", one.most)
	}
	if len(one.ended) < 5 {
		t.Errorf("%d matches ended", len(one.ended))
	}
	for _, ended := range one.ended {
		finished(t, ended)
		if !ended.Checked {
			t.Error("a match was not checked")
		}
	}
}

func Test_a_bot_that_thinks_for_long_stays_connected_and_plays_its_other_matches(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	var mine *running
	began := make(chan struct{})
	var slow string
	meanwhile := 0
	bot := &recorder{}
	bot.choose = func(ctx context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
		bot.mu.Lock()
		if slow == "" {
			slow = turn.GetMatchId()
		}
		thinks := slow == turn.GetMatchId() && turn.GetTurn() < 2
		if slow != turn.GetMatchId() {
			meanwhile++
		}
		bot.mu.Unlock()
		if !thinks {
			return first(ctx, turn)
		}
		<-began
		if !mine.log.waitFor(ctx, "msg=heartbeat", mine.log.count("msg=heartbeat")+2) {
			return nil, ctx.Err()
		}
		bot.mu.Lock()
		defer bot.mu.Unlock()
		if meanwhile == 0 {
			t.Error("no other match continued meanwhile")
		}
		return first(ctx, turn)
	}
	options := []azulejo.Option{
		azulejo.WithRulesets(azulejo.Azul(azulejo.Gray, 2)), azulejo.WithTimeClasses(azulejo.Rapid), azulejo.WithMaxConcurrentMatches(2),
	}
	mine = play(t, s, s.register(t, ownerOf(t, "a")), bot, append(options, azulejo.WithMatches(2))...)
	close(began)
	other := play(t, s, s.register(t, ownerOf(t, "b")), &recorder{}, options...)
	mine.mustEnd()
	other.stop()
	if len(bot.ended) < 2 {
		t.Errorf("%d matches ended", len(bot.ended))
	}
	for _, ended := range bot.ended {
		finished(t, ended)
	}
}

func Test_a_bot_challenges_house_bots(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	bot := &recorder{}
	token := s.register(t, ownerOf(t, ""))
	play(t, s, token, bot, azulejo.WithMatches(3), azulejo.WithMaxConcurrentMatches(2), azulejo.WithTimeClasses(azulejo.Bullet),
		azulejo.WithChallenge(azulejo.SummerPavilion(azulejo.Colored, 3), "greedy", "random")).mustEnd()
	if len(bot.ended) != 3 {
		t.Fatalf("%d matches ended", len(bot.ended))
	}
	for _, ended := range bot.ended {
		finished(t, ended)
		if ended.GetMatch().GetRated() || ended.GetMatch().GetOrigin() != arenav1.Origin_ORIGIN_CHALLENGE || !ended.Checked {
			t.Errorf("rated: %v, origin %v, checked: %v", ended.GetMatch().GetRated(), ended.GetMatch().GetOrigin(), ended.Checked)
		}
	}
	err := play(t, s, token, bot, azulejo.WithChallenge(azulejo.Azul(azulejo.Colored, 2), "no-such-bot")).wait()
	var refused *azulejo.Error
	if !errors.As(err, &refused) || refused.Reason == "" {
		t.Errorf("a challenge of an unknown house bot ended with %v", err)
	}
}

func Test_a_replaced_bot_does_not_reconnect(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	token := s.register(t, ownerOf(t, ""))
	ruleset := azulejo.Azul(azulejo.Colored, 3)
	older := play(t, s, token, &recorder{}, azulejo.PlaysLadder(false))
	if !older.log.waitFor(t.Context(), "msg=heartbeat", 1) {
		t.Fatal("the older one never connected")
	}
	bot := &recorder{}
	newer := play(t, s, token, bot, azulejo.WithMatches(1), azulejo.WithChallenge(ruleset, "random", "random"))
	if err := older.wait(); !errors.Is(err, azulejo.ErrReplaced) {
		t.Errorf("the older one ended with %v", err)
	}
	newer.mustEnd()
	finished(t, bot.ended[0])
}

func Test_a_turn_without_an_answer_is_logged_and_costs_time(t *testing.T) {
	for name, choose := range map[string]azulejo.BotFunc{
		"error": func(context.Context, *azulejo.Turn) (*azulejo.Move, error) { return nil, errors.New("no idea") },
		"panic": func(context.Context, *azulejo.Turn) (*azulejo.Move, error) { panic("no idea") },
		"nil":   func(context.Context, *azulejo.Turn) (*azulejo.Move, error) { return nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sharedServer(t)
			bot := &recorder{choose: choose}
			mine := play(t, s, s.register(t, ownerOf(t, "")), bot, azulejo.WithMatches(1),
				azulejo.WithTimeClasses(azulejo.Bullet), azulejo.WithChallenge(azulejo.Azul(azulejo.Gray, 2), "random"))
			mine.mustEnd()
			if got := bot.ended[0].Own().GetEndReason(); got != arenav1.EndReason_END_REASON_OUT_OF_TIME {
				t.Errorf("the match ended by %v", got)
			}
			if !bot.ended[0].Checked || bot.ended[0].Unfair != nil {
				t.Errorf("checked: %v, unfair: %v", bot.ended[0].Checked, bot.ended[0].Unfair)
			}
			logged := "no move chosen, the turn stays unanswered\" match=" + bot.starting[0] + " turn="
			if mine.log.count(logged) != 1 {
				t.Error("it is not logged")
			}
			if name != "nil" && mine.log.count("no idea") == 0 {
				t.Error("the reason is not logged")
			}
		})
	}
}

func Test_an_illegal_answer_is_logged_with_its_reason_and_the_turn_repeated_twice(t *testing.T) {
	for name, move := range map[reason.Reason]*azulejo.Move{
		reason.BadNotation:  azulejo.MoveByNotation("no move"),
		reason.NoSuchAction: azulejo.MoveByID(4_000_000),
	} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			s := sharedServer(t)
			bot := &recorder{choose: func(context.Context, *azulejo.Turn) (*azulejo.Move, error) { return move, nil }}
			mine := play(t, s, s.register(t, ownerOf(t, "")), bot, azulejo.WithMatches(1),
				azulejo.WithTimeClasses(azulejo.Bullet), azulejo.WithChallenge(azulejo.Azul(azulejo.Gray, 2), "random"))
			mine.mustEnd()
			if mine.log.count("msg=\"call refused\" call=SubmitMove match="+bot.starting[0]+" reason="+string(name)) != 3 {
				t.Error("it is not logged")
			}
			if got := bot.ended[0].Own().GetEndReason(); got != arenav1.EndReason_END_REASON_ILLEGAL_MOVES {
				t.Errorf("the match ended by %v", got)
			}
			if !bot.ended[0].Checked || bot.ended[0].Unfair != nil {
				t.Errorf("checked: %v, unfair: %v", bot.ended[0].Checked, bot.ended[0].Unfair)
			}
		})
	}
}

func Test_moves_are_accepted_by_all_three_names(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	bot := &recorder{choose: func(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
		legal := turn.GetLegalMoves()[0]
		if turn.GetTurn()%4 < 2 {
			return azulejo.MoveByType(legal.GetMove()), nil
		}
		return azulejo.MoveByNotation(legal.GetNotation()), nil
	}}
	mine := play(t, s, s.register(t, ownerOf(t, "")), bot, azulejo.WithMatches(1),
		azulejo.WithChallenge(azulejo.SummerPavilion(azulejo.Gray, 2), "random"))
	mine.mustEnd()
	finished(t, bot.ended[0])
	if mine.log.count("call refused") > 0 {
		t.Error("a move was refused")
	}
}

func Test_a_permanent_refusal_ends_the_bot_with_its_reason(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	err := play(t, s, "azb_no_such_token", &recorder{}).wait()
	var refused *azulejo.Error
	if !errors.As(err, &refused) || refused.Reason != reason.UnknownToken {
		t.Errorf("it ended with %v", err)
	}
	token := s.register(t, ownerOf(t, ""))
	if err = play(t, s, token, &recorder{}, azulejo.WithVersion("no version!")).wait(); !errors.As(err, &refused) || refused.Reason != reason.BadName {
		t.Errorf("it ended with %v", err)
	}
	_, err = azulejo.Register(t.Context(), ownerOf(t, "")+"/bot", azulejo.WithServer(s.url()))
	if !errors.As(err, &refused) || refused.Reason != reason.OwnerTaken {
		t.Errorf("registering twice ended with %v", err)
	}
}

func Test_a_bot_stops_when_its_context_ends_also_without_a_server(t *testing.T) {
	t.Parallel()
	nowhere := &server{listen: freeAddress(t)}
	mine := play(t, nowhere, "azb_any", &recorder{})
	if !mine.log.waitFor(t.Context(), "stream ended, reconnecting", 3) {
		t.Fatal("it does not retry")
	}
	began := time.Now()
	mine.stop()
	mine.mustEnd()
	if time.Since(began) > 5*time.Second {
		t.Error("it stopped too slowly")
	}
}
