package tests

import (
	"context"
	"errors"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

func engine(t *testing.T) *azulejo.Engine {
	t.Helper()
	made, err := azulejo.NewEngine(azulejo.WithServer(sharedServer(t).url()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = made.Close() })
	return made
}

// must is for calls that must succeed.
func must[A any](answer A, err error) A {
	if err != nil {
		panic(err)
	}
	return answer
}

func Test_the_engine_answers_every_call_of_the_client(t *testing.T) {
	t.Parallel()
	e, ctx := engine(t), t.Context()
	if all := must(e.ListRulesets(ctx)); len(all.GetRulesets()) != 12 {
		t.Errorf("%d rulesets", len(all.GetRulesets()))
	}
	ruleset := azulejo.Azul(azulejo.Colored, 2)
	seeded := must(e.NewGame(ctx, ruleset, nil))
	if again := must(e.NewGame(ctx, ruleset, azulejo.Seeded(seeded.GetSeed()))); !proto.Equal(again.GetState(), seeded.GetState()) {
		t.Error("the returned seed gives another game")
	}
	waiting := must(e.NewGame(ctx, ruleset, azulejo.Displays(&gamev1.Displays{
		Game: &gamev1.Displays_Azul{Azul: &gamev1.AzulDisplays{}},
	})))
	outcomes := must(e.DealOutcomes(ctx, waiting.GetState()))
	if len(outcomes.GetOutcomes()) != 70 {
		t.Errorf("%d outcomes", len(outcomes.GetOutcomes()))
	}
	given := must(e.Deal(ctx, waiting.GetState(), azulejo.Displays(outcomes.GetOutcomes()[0].GetDisplays()), 0))
	one := must(e.Deal(ctx, given.GetState(), azulejo.SeedNumber(7), 1))
	if one.GetDue().GetDeal().GetFactory() != 3 {
		t.Errorf("after two deals %v is due", one.GetDue())
	}
	state := must(e.Deal(ctx, one.GetState(), azulejo.SeedNumber(7), 0)).GetState()
	legal := must(e.LegalMoves(ctx, state)).GetMoves()
	byID := must(e.Apply(ctx, state, azulejo.Pick(legal[3]), nil))
	byText := must(e.Apply(ctx, state, azulejo.MoveByNotation(legal[3].GetNotation()), nil))
	byType := must(e.Apply(ctx, state, azulejo.MoveByType(legal[3].GetMove()), azulejo.SeedKey(make([]byte, 32))))
	if !proto.Equal(byID, byText) || !proto.Equal(byID, byType) {
		t.Error("a move by another name is another move")
	}
	if score := must(e.Score(ctx, state)); score.GetFinished() || len(score.GetScore().GetSeats()) != 2 {
		t.Errorf("score: %v", score)
	}
	children := must(e.Expand(ctx, state, enginev1.ExpandView_EXPAND_VIEW_STATES)).GetChildren()
	if len(children) != len(legal) || !proto.Equal(children[3].GetState(), byID.GetState()) {
		t.Error("Expand and Apply do not agree")
	}
	played := must(e.Playouts(ctx, state, 20, enginev1.PlayoutPolicy_PLAYOUT_POLICY_RANDOM, azulejo.SeedNumber(1)))
	if played.GetGames() != 20 || played.GetSeed() != nil {
		t.Errorf("playouts: %v", played)
	}
	if drawing := must(e.RenderSVG(ctx, state, enginev1.RenderTheme_RENDER_THEME_DARK)); !strings.Contains(drawing, "<svg") {
		t.Error("no SVG")
	}
	if drawing := must(e.RenderText(ctx, state, false, "Ann", "Bob")); !strings.Contains(drawing, "Bob") {
		t.Error("no text with names")
	}
}

func Test_requests_of_a_batch_succeed_and_fail_independently_with_reason_and_field(t *testing.T) {
	t.Parallel()
	e, ctx := engine(t), t.Context()
	state := must(e.NewGame(ctx, azulejo.Azul(azulejo.Colored, 2), azulejo.SeedNumber(3))).GetState()
	legal := must(e.LegalMoves(ctx, state)).GetMoves()[0]
	results := must(e.BatchApply(ctx, azulejo.ApplyRequest(state, azulejo.Pick(legal), nil),
		azulejo.ApplyRequest(state, azulejo.MoveByNotation("r1c1"), nil), azulejo.ApplyRequest(nil, azulejo.Pick(legal), nil)))
	if len(results) != 3 || results[0].Err != nil || results[0].Response == nil {
		t.Fatalf("results: %v", results)
	}
	var illegal, missing *azulejo.Error
	if !errors.As(results[1].Err, &illegal) || illegal.Reason != reason.IllegalMove || illegal.Rule() != reason.RuleNotTiling {
		t.Errorf("the illegal one: %v", results[1].Err)
	}
	if !errors.As(results[2].Err, &missing) || missing.Reason != reason.FieldMissing || missing.Code != codes.InvalidArgument ||
		len(missing.Violations) != 1 || missing.Violations[0].Field != "state" {
		t.Errorf("the one without a state: %v", results[2].Err)
	}
}

func Test_the_record_of_a_match_is_valid(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	bot := &recorder{}
	play(t, s, s.register(t, ownerOf(t, "")), bot, azulejo.WithMatches(1),
		azulejo.WithChallenge(azulejo.Azul(azulejo.Colored, 2), "random")).mustEnd()
	conn := must(azulejo.Dial(azulejo.WithServer(s.url())))
	defer conn.Close()
	request := &arenav1.GetMatchRequest{MatchId: bot.ended[0].GetMatch().GetId()}
	record := must(arenav1.NewMatchesServiceClient(conn).GetMatch(t.Context(), request)).GetRecord()
	replayed := must(engine(t).Replay(t.Context(), record))
	if replayed.GetDefect() != nil || !proto.Equal(replayed.GetScore(), bot.ended[0].GetMatch().GetResult().GetScore()) {
		t.Errorf("defect: %v, score: %v", replayed.GetDefect(), replayed.GetScore())
	}
}

func Test_errors_of_the_engine_carry_reason_metadata_and_fields(t *testing.T) {
	t.Parallel()
	e, ctx := engine(t), t.Context()
	state := must(e.NewGame(ctx, azulejo.Azul(azulejo.Colored, 2), azulejo.SeedNumber(3))).GetState()
	var refused *azulejo.Error
	_, err := e.Apply(ctx, state, azulejo.MoveByNotation("9B1"), nil)
	if !errors.As(err, &refused) || refused.Reason != reason.IllegalMove || refused.Rule() != reason.RuleNoSuchFactory ||
		refused.Code != codes.InvalidArgument || status.Code(err) != codes.InvalidArgument {
		t.Errorf("an illegal move: %#v", err)
	}
	state.GetAzul().Bag.Blue--
	_, err = e.LegalMoves(ctx, state)
	if !errors.As(err, &refused) || refused.Reason != reason.TilesNotConserved {
		t.Errorf("a state with a missing tile: %#v", err)
	}
	_, err = e.NewGame(ctx, azulejo.Azul(azulejo.Colored, 7), nil)
	if !errors.As(err, &refused) || refused.Reason != reason.OutOfRange || len(refused.Violations) != 1 ||
		!strings.Contains(refused.Violations[0].Field, "players") {
		t.Errorf("a game for seven players: %#v", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = e.ListRulesets(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %#v", err)
	}
}
