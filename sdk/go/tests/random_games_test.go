package tests

import (
	"math/rand/v2"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// visitor sees everything that the engine returns during a game.
type visitor struct {
	state  func(*gamev1.GameState)
	moves  func([]*gamev1.LegalMove)
	events func([]*gamev1.Event)
	score  func(*gamev1.Score)
}

// randomGame plays random moves to the end of a game. The deals of even games are made with the move;
// those of odd games display by display, so that states that wait for a deal are visited too.
func randomGame(t *testing.T, e *azulejo.Engine, ruleset *azulejo.Ruleset, number uint64, visit visitor) {
	t.Helper()
	ctx, random, chance := t.Context(), rand.New(rand.NewPCG(number, 0)), azulejo.SeedNumber(number)
	begun := must(e.NewGame(ctx, ruleset, chance))
	visit.state(begun.State)
	visit.events(begun.Events)
	state, legal := begun.State, must(e.LegalMoves(ctx, begun.State)).Moves
	for len(legal) > 0 {
		visit.moves(legal)
		move := azulejo.Pick(legal[random.IntN(len(legal))])
		with := chance
		if number%2 == 1 {
			with = nil
		}
		next := must(e.Apply(ctx, state, move, with, azulejo.IncludeLegalMoves, azulejo.IncludeScore))
		visit.state(next.State)
		visit.events(next.Events)
		visit.score(next.Score)
		state, legal = next.State, next.LegalMoves
		for due := next.Due; due.GetDeal() != nil; {
			dealt := must(e.Deal(ctx, state, chance, 1))
			visit.state(dealt.State)
			visit.events(dealt.Events)
			if state, due = dealt.State, dealt.Due; due.GetDeal() == nil {
				legal = must(e.LegalMoves(ctx, state)).Moves
			}
		}
	}
	score := must(e.Score(ctx, state))
	visit.score(score.Score)
	if !score.Finished {
		t.Errorf("game %d has no moves but is not over", number)
	}
}

// The fields of every message are read without a nil check: a missing one is a panic.
func Test_100_random_games_of_all_rulesets_are_read_by_plain_field_access(t *testing.T) {
	t.Parallel()
	e := engine(t)
	rulesets := must(e.ListRulesets(t.Context())).Rulesets
	if len(rulesets) != 12 {
		t.Fatalf("%d rulesets", len(rulesets))
	}
	var mu sync.Mutex
	seen := map[string]int{}
	t.Run("games", func(t *testing.T) {
		for first, info := range rulesets {
			t.Run(info.Key, func(t *testing.T) {
				t.Parallel()
				if parsed := must(azulejo.ParseRuleset(info.Key)); !sameRuleset(parsed, info.Ruleset) {
					t.Errorf("%s is %v", info.Key, parsed)
				}
				read := &reader{t: t, seen: map[string]int{}}
				for game := first; game < 100; game += len(rulesets) {
					randomGame(t, e, info.Ruleset, uint64(game), visitor{read.state, read.moves, read.events, read.score})
					read.seen["game"]++
				}
				mu.Lock()
				defer mu.Unlock()
				for what, times := range read.seen {
					seen[what] += times
				}
			})
		}
	})
	if seen["game"] != 100 {
		t.Errorf("%d games", seen["game"])
	}
	for _, what := range []string{
		"azul take", "azul place_tile", "azul lid_tipped", "azul dealt", "pavilion take", "pavilion place",
		"pavilion take_bonus", "pavilion pass", "pavilion keep", "pavilion bonus_taken", "pavilion passed",
		"pavilion tower_tipped", "pavilion dealt",
	} {
		if seen[what] == 0 {
			t.Errorf("no %s in 100 games", what)
		}
	}
}

// sameRuleset ignores the version and the round limit, for which zero is the default.
func sameRuleset(one, other *azulejo.Ruleset) bool {
	if azul := one.GetAzul(); azul != nil {
		return azul.Side == other.GetAzul().GetSide() && azul.Players == other.GetAzul().GetPlayers()
	}
	pavilion := one.GetSummerPavilion()
	return pavilion.Side == other.GetSummerPavilion().GetSide() && pavilion.Players == other.GetSummerPavilion().GetPlayers()
}

func Test_a_state_that_is_formatted_and_parsed_is_the_same(t *testing.T) {
	t.Parallel()
	e, ctx := engine(t), t.Context()
	for number, info := range must(e.ListRulesets(ctx)).Rulesets {
		t.Run(info.Key, func(t *testing.T) {
			t.Parallel()
			visited := 0
			same := func(state *gamev1.GameState) {
				if visited++; visited%3 != 1 {
					return // A third of the states is enough.
				}
				text := must(e.FormatPosition(t.Context(), state))
				parsed := must(e.ParsePosition(t.Context(), text))
				if !proto.Equal(parsed.State, state) || parsed.Due == nil {
					t.Errorf("%s\nis read as %v\ninstead of %v", text, parsed.State, state)
				}
			}
			randomGame(t, e, info.Ruleset, uint64(2*number+1), visitor{
				same, func([]*gamev1.LegalMove) {}, func([]*gamev1.Event) {}, func(*gamev1.Score) {},
			})
		})
	}
}

func Test_Apply_includes_legal_moves_and_score_only_if_requested(t *testing.T) {
	t.Parallel()
	e, ctx := engine(t), t.Context()
	chance := azulejo.SeedNumber(5)
	state := must(e.NewGame(ctx, azulejo.SummerPavilion(azulejo.Colored, 2), chance)).State
	move := azulejo.Pick(must(e.LegalMoves(ctx, state)).Moves[0])
	single := must(e.Apply(ctx, state, move, chance, azulejo.IncludeLegalMoves, azulejo.IncludeScore))
	batch := must(e.BatchApply(ctx, azulejo.ApplyRequest(state, move, chance, azulejo.IncludeLegalMoves, azulejo.IncludeScore),
		azulejo.ApplyRequest(state, move, chance)))
	without := batch[1].Response
	if !proto.Equal(batch[0].Response, single) {
		t.Errorf("a batch of one returns %v", batch[0].Response)
	}
	if len(without.LegalMoves) != 0 || without.Score != nil || !proto.Equal(without.State, single.State) {
		t.Errorf("without a request: %v", without)
	}
	legal := &enginev1.LegalMovesResponse{Moves: single.LegalMoves, Due: single.Due}
	if !proto.Equal(must(e.LegalMoves(ctx, single.State)), legal) {
		t.Error("the legal moves are not those of LegalMoves")
	}
	if !proto.Equal(must(e.Score(ctx, single.State)).Score, single.Score) {
		t.Error("the score is not that of Score")
	}
}
