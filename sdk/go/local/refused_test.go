package local_test

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

func assertRefused(t testing.TB, err error, reason, rule string) {
	t.Helper()
	var refusal *local.Error
	if !errors.As(err, &refusal) || refusal.Reason != reason || refusal.Rule != rule || refusal.Message == "" {
		t.Errorf("expected %s %s: %v", reason, rule, err)
	}
}

func second[T any](_ T, err error) error { return err }

func Test_an_illegal_move_names_the_rule_and_changes_nothing(t *testing.T) {
	t.Parallel()
	engine := open(t)
	game := must(engine.New("azul-colored-2", local.ArenaSeed(1)))
	before := game.Text()
	for id, byte := range slices.Clone(game.Mask()) {
		if byte == 0 {
			assertRefused(t, game.Apply(id), "ILLEGAL_MOVE", "COLOR_ABSENT")
		}
	}
	if err := game.Apply(slices.Index(game.Mask(), 0)); !errors.Is(err, local.ErrIllegalMove) {
		t.Error(err)
	}
	for _, id := range []int{180, 65536, math.MaxInt32, math.MaxInt32 + 1, 1 << 32, math.MaxInt, -1, math.MinInt} {
		assertRefused(t, game.Apply(id), "NO_SUCH_ACTION", "")
		assertRefused(t, second(game.ActionText(id)), "NO_SUCH_ACTION", "")
	}
	for _, text := range []string{"3Q1", "", "\x00", "é", strings.Repeat("x", 100_000)} {
		assertRefused(t, game.ApplyText(text), "BAD_NOTATION", "")
		assertRefused(t, second(game.ActionID(text)), "BAD_NOTATION", "")
	}
	assertRefused(t, game.ApplyText("\xff"), "BAD_MESSAGE", "")
	assertRefused(t, game.ApplyText(strings.Repeat("x", 1<<27)), "OUT_OF_MEMORY", "")
	assertRefused(t, game.ApplyOutcome("B4"), "NO_DEAL_DUE", "")
	assertRefused(t, second(game.ChanceOutcomes()), "NO_DEAL_DUE", "")
	assertRefused(t, game.SampleOutcome(1), "NO_DEAL_DUE", "")
	assertRefused(t, second(game.Observe(2)), "NO_SUCH_SEAT", "")
	for _, seat := range []int{-1, math.MinInt, math.MaxInt32 + 1, 1 << 32, math.MaxInt} {
		assertRefused(t, second(game.Observe(seat)), "NO_SUCH_SEAT", "")
		assertRefused(t, second(game.ObserveScaled(seat)), "NO_SUCH_SEAT", "")
	}
	assertRefused(t, second(game.Returns("draw")), "NO_SUCH_VALUE", "")
	assertRefused(t, second(game.BestMove("chess", 1)), "NO_SUCH_VALUE", "")
	assertRefused(t, second(game.Playouts(0, 1)), "OUT_OF_RANGE", "")
	assertRefused(t, second(game.Playouts(math.MaxInt, 1)), "OUT_OF_RANGE", "")
	assertRefused(t, second(game.Playouts(math.MaxInt32, 1)), "OUT_OF_MEMORY", "")
	assertRefused(t, game.CopyFrom(nil), "OTHER_GAME", "")
	assertRefused(t, game.CopyFrom(must(engine.New("azul-gray-2"))), "OTHER_GAME", "")
	if game.Text() != before {
		t.Error(game.Text())
	}
	must(game.PlayOut(1))
	assertRefused(t, game.Apply(0), "ILLEGAL_MOVE", "GAME_OVER")
	assertRefused(t, second(game.BestMove("greedy", 1)), "NO_TURN", "")
}

func Test_a_bad_deal_is_refused(t *testing.T) {
	t.Parallel()
	game := must(open(t).New("azul-colored-2", local.Explicit()))
	before := game.Text()
	assertRefused(t, game.ApplyOutcome("Q4"), "BAD_TILES", "")
	assertRefused(t, game.ApplyOutcome("B3"), "IMPOSSIBLE_DEAL", "DEAL_SIZE")
	assertRefused(t, game.Apply(0), "ILLEGAL_MOVE", "DEAL_DUE")
	if game.Text() != before {
		t.Error(game.Text())
	}
}

func Test_a_bad_start_is_refused(t *testing.T) {
	t.Parallel()
	engine := open(t)
	for _, key := range []string{"azul", "azul-colored-5", "", "azul-colored-2 ", "\x00"} {
		assertRefused(t, second(engine.New(key)), "NO_SUCH_RULESET", "")
		assertRefused(t, second(engine.Layout(key)), "NO_SUCH_RULESET", "")
		assertRefused(t, second(engine.NewBatch(key, 1, local.BatchOptions{})), "NO_SUCH_RULESET", "")
	}
	assertRefused(t, second(engine.New("azul-colored-2\nexplicit")), "BAD_MESSAGE", "")
	for _, seat := range []int{2, -1, 1 << 32, math.MaxInt, math.MinInt} {
		assertRefused(t, second(engine.New("azul-colored-2", local.StartSeat(seat))), "NO_SUCH_SEAT", "")
		start := local.BatchOptions{Start: strconv.Itoa(seat)}
		assertRefused(t, second(engine.NewBatch("azul-colored-2", 4, start)), "NO_SUCH_SEAT", "")
		learner := local.BatchOptions{Learner: strconv.Itoa(seat), Opponents: "random"}
		assertRefused(t, second(engine.NewBatch("azul-colored-2", 4, learner)), "NO_SUCH_SEAT", "")
	}
	assertRefused(t, second(engine.Playouts("azul", 1, 1)), "NO_SUCH_RULESET", "")
	assertRefused(t, second(engine.Playouts("azul-colored-2", 0, 1)), "OUT_OF_RANGE", "")
	assertRefused(t, second(engine.New("azul-colored-2", local.ArenaSeedHex("7x"))), "BAD_SEED", "")
	assertRefused(t, second(engine.Parse("azul colored")), "BAD_POSITION_TEXT", "")
	assertRefused(t, second(engine.FromObservation("azul-colored-2", []byte{0, 0})), "BAD_OBSERVATION", "")
	assertRefused(t, second(engine.FromObservation("azul-colored-2", nil)), "BAD_OBSERVATION", "")
	assertRefused(t, second(engine.Verify("{}")), "BAD_RECORD", "")
}

func Test_absurd_batches_and_illegal_steps_are_refused(t *testing.T) {
	t.Parallel()
	engine := open(t)
	for _, games := range []int{0, 1<<20 + 1, -1, math.MaxInt} {
		assertRefused(t, second(engine.NewBatch("azul-colored-2", games, local.BatchOptions{})), "OUT_OF_RANGE", "")
	}
	// Five gigabytes.
	assertRefused(t, second(engine.NewBatch("summer-pavilion-gray-4", 1<<20, local.BatchOptions{})), "OUT_OF_MEMORY", "")
	for _, options := range []local.BatchOptions{
		{Start: "last"}, {Returns: "draw"}, {View: "top"}, {Learner: "0", Opponents: "chess"},
	} {
		assertRefused(t, second(engine.NewBatch("azul-colored-2", 4, options)), "NO_SUCH_VALUE", "")
	}
	batch := must(engine.NewBatch("azul-colored-2", 4, local.BatchOptions{Seed: 1}))
	before := slices.Clone(batch.Obs)
	legal := slices.Clone(must(batch.Sample()))
	illegal := int32(slices.Index(batch.Mask[3*180:], 0))
	for action, reason := range map[int32]string{illegal: "ILLEGAL_MOVE", 180: "NO_SUCH_ACTION", -1: "NO_SUCH_ACTION"} {
		assertRefused(t, batch.Step(append(slices.Clone(legal[:3]), action)), reason, "")
	}
	assertRefused(t, batch.Step(nil), "WRONG_COUNT", "")
	assertRefused(t, second(batch.Game(4)), "OUT_OF_RANGE", "")
	check(t, batch.Observe())
	if !slices.Equal(batch.Obs, before) {
		t.Error("a refused step changed the games")
	}
	check(t, batch.Step(legal))
}

func Test_a_closed_game_batch_or_engine_is_refused(t *testing.T) {
	t.Parallel()
	engine := must(local.Open())
	game := must(engine.New("azul-colored-2"))
	batch := must(engine.NewBatch("azul-colored-2", 2, local.BatchOptions{}))
	game.Close()
	game.Close()
	batch.Close()
	batch.Close()
	next := must(engine.New("azul-colored-2"))
	for range 2 {
		for _, err := range []error{
			game.Apply(0), game.Apply(-1), game.ApplyText("3B2"), game.ApplyOutcome("B4"), game.SampleOutcome(1),
			second(game.Clone()), second(game.ActionText(0)), second(game.ActionID("3B2")),
			second(game.Observe(0)), second(game.ObserveScaled(0)), second(game.Returns(local.Win)),
			second(game.BestMove("greedy", 1)), second(game.PlayOut(1)), second(game.Playouts(1, 1)),
			second(game.ChanceOutcomes()), game.CopyFrom(next), next.CopyFrom(game),
			batch.Step([]int32{0, 0}), batch.Reset(1), batch.Observe(), second(batch.Sample()), second(batch.Game(0)),
		} {
			assertRefused(t, err, "CLOSED", "")
		}
		if !game.IsTerminal() || game.Legal() != nil || game.Text() != "" {
			t.Error("a closed game goes on")
		}
		assertRefused(t, engine.Err(), "CLOSED", "")
		check(t, engine.Close())
	}
	assertRefused(t, second(engine.New("azul-colored-2")), "CLOSED", "")
	next.Close()
}

func Test_two_goroutines_in_one_engine_are_refused_and_do_no_harm(t *testing.T) {
	t.Parallel()
	engine := must(local.Open())
	game := must(engine.New("azul-colored-2", local.Seed(1)))
	var group sync.WaitGroup
	var mu sync.Mutex
	busy := 0
	for number := range uint64(4) {
		own := must(game.Clone())
		group.Go(func() {
			for range 200 {
				if _, err := own.BestMove("strong:20n", number); errors.Is(err, local.ErrBusy) {
					mu.Lock()
					busy++
					mu.Unlock()
				} else if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if busy == 0 {
		t.Error("no call was refused")
	}
	if must(game.PlayOut(1)) == 0 || engine.Close() != nil {
		t.Error("the engine does not work afterwards")
	}
}

func Test_engines_run_side_by_side(t *testing.T) {
	t.Parallel()
	texts := make([]string, 4)
	var group sync.WaitGroup
	for number := range texts {
		group.Go(func() {
			engine := must(local.Open())
			game := must(engine.New("azul-gray-2", local.ArenaSeed(5)))
			chosen := choices(5)
			for !game.IsTerminal() {
				if err := game.Apply(chosen.of(game.Legal())); err != nil {
					t.Error(err)
				}
			}
			texts[number] = game.Text()
			check(t, engine.Close())
		})
	}
	group.Wait()
	if slices.Min(texts) != slices.Max(texts) || texts[0] == "" {
		t.Error(texts)
	}
}

func Test_two_goroutines_that_begin_games_in_one_engine_are_refused_and_leave_nothing_behind(t *testing.T) {
	t.Parallel()
	engine := must(local.Open())
	var group sync.WaitGroup
	var done, busy atomic.Int64
	// allowed reports whether the call was carried out; the only refusal is BUSY.
	allowed := func(err error) bool {
		if errors.Is(err, local.ErrBusy) {
			busy.Add(1)
		} else if err != nil {
			t.Error(err)
		}
		return err == nil
	}
	play := func(ruleset string) {
		if layout, err := engine.Layout(ruleset); allowed(err) && (layout.Size == 0 || len(layout.Sections) == 0) {
			t.Error(ruleset, layout)
		}
		game, err := engine.New(ruleset, local.Seed(1))
		if !allowed(err) {
			return
		}
		defer game.Close()
		// Nil if the engine is busy.
		if legal := game.Legal(); legal != nil && allowed(game.Apply(int(legal[0]))) {
			done.Add(1)
		}
		_, err = game.BestMove("strong:20n", 1)
		allowed(err)
		if mask := game.Mask(); mask != nil && len(mask) != game.ActionCount() {
			t.Error(ruleset, len(mask))
		}
		if clone, err := game.Clone(); allowed(err) {
			_, err := clone.Observe(0)
			allowed(err)
			_, err = clone.ObserveScaled(1)
			allowed(err)
			clone.Close()
		}
		if batch, err := engine.NewBatch(ruleset, 2, local.BatchOptions{}); allowed(err) {
			_, err := batch.Sample()
			allowed(err)
			batch.Close()
		}
	}
	rulesets := engine.Rulesets()
	for _, first := range []int{0, 6} {
		group.Go(func() {
			for round := range 300 {
				play(rulesets[(first+round)%len(rulesets)])
			}
		})
	}
	group.Wait()
	if done.Load() == 0 || busy.Load() == 0 {
		t.Error(done.Load(), busy.Load())
	}
	// What could not be released at once is released by the next object.
	must(engine.New("azul-colored-2")).Close()
	if living := engine.Living(); living != 0 {
		t.Errorf("%d games are left", living)
	}
	check(t, engine.Close())
}
