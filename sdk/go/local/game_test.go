package local_test

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

// middle is a game after some moves.
func middle(t testing.TB, engine *local.Engine, ruleset string, moves int) *local.Game {
	t.Helper()
	game := must(engine.New(ruleset, local.Seed(3)))
	chosen := choices(3)
	for move := 0; move < moves && !game.IsTerminal(); move++ {
		check(t, game.Apply(chosen.of(game.Legal())))
	}
	return game
}

func Test_legal_moves_the_mask_IDs_and_texts_agree(t *testing.T) {
	t.Parallel()
	engine := open(t)
	for _, ruleset := range engine.Rulesets() {
		game := middle(t, engine, ruleset, 15)
		legal := slices.Clone(game.Legal())
		var masked []uint16
		for id, byte := range game.Mask() {
			if byte == 1 {
				masked = append(masked, uint16(id))
			}
		}
		if !slices.Equal(legal, masked) || len(game.Mask()) != game.ActionCount() {
			t.Errorf("%s: %v, %v", ruleset, legal, masked)
		}
		for _, id := range legal {
			if text := must(game.ActionText(int(id))); must(game.ActionID(text)) != int(id) {
				t.Errorf("%s: %s", ruleset, text)
			}
		}
	}
}

func Test_a_position_is_the_same_after_text_observation_clone_and_copy(t *testing.T) {
	t.Parallel()
	engine := open(t)
	for _, ruleset := range engine.Rulesets() {
		game := middle(t, engine, ruleset, 20)
		text := game.Text()
		parsed := must(engine.Parse(text))
		clone, copied := must(game.Clone()), must(engine.New(ruleset))
		check(t, copied.CopyFrom(game))
		for _, same := range []*local.Game{parsed, clone, copied} {
			if same.Text() != text || same.Hash() != game.Hash() || same.CurrentPlayer() != game.CurrentPlayer() {
				t.Errorf("%s: %s", ruleset, same)
			}
		}
		values := slices.Clone(must(game.Observe(0)))
		seen := must(engine.FromObservation(ruleset, values, local.Explicit()))
		if !slices.Equal(must(seen.Observe(0)), values) {
			t.Errorf("%s: another observation", ruleset)
		}
		// A copy continues with the same deals.
		chosen, again := choices(5), choices(5)
		for !game.IsTerminal() {
			check(t, game.Apply(chosen.of(game.Legal())))
			check(t, clone.Apply(again.of(clone.Legal())))
		}
		if clone.Text() != game.Text() {
			t.Errorf("%s: a clone has other deals", ruleset)
		}
	}
}

func Test_a_scaled_observation_is_the_raw_one_divided_by_the_scales(t *testing.T) {
	t.Parallel()
	engine := open(t)
	game := middle(t, engine, "summer-pavilion-gray-3", 30)
	raw, scaled := must(game.Observe(1)), must(game.ObserveScaled(1))
	sections := game.Layout().Sections
	for number, section := range sections {
		end := game.Layout().Size
		if number+1 < len(sections) {
			end = sections[number+1].Offset
		}
		for at := section.Offset; at < end; at++ {
			if math.Abs(float64(scaled[at])-float64(raw[at])/float64(section.Scale)) > 1e-6 {
				t.Fatalf("%s: %v, %v", section.Name, raw[at], scaled[at])
			}
		}
	}
	if len(raw) != game.ObservationSize() || len(scaled) != len(raw) {
		t.Error(len(raw), len(scaled))
	}
}

func Test_explicit_chance_has_outcomes_whose_probabilities_sum_to_one(t *testing.T) {
	t.Parallel()
	game := must(open(t).New("azul-colored-2", local.Explicit()))
	deals := 0
	for ; game.IsChance(); deals++ {
		outcomes := must(game.ChanceOutcomes())
		sum := 0.0
		for _, outcome := range outcomes {
			sum += outcome.Probability
		}
		if math.Abs(sum-1) > 1e-9 || game.CurrentPlayer() != -1 {
			t.Fatal(sum, game.CurrentPlayer())
		}
		if deals%2 == 0 {
			check(t, game.ApplyOutcome(outcomes[0].Tiles))
		} else {
			check(t, game.SampleOutcome(4))
		}
	}
	if deals != 5 || game.CurrentPlayer() != 0 {
		t.Error(deals, game.CurrentPlayer())
	}
}

func Test_a_finished_game_has_returns_scores_and_ranks(t *testing.T) {
	t.Parallel()
	engine := open(t)
	for _, ruleset := range engine.Rulesets() {
		game := must(engine.New(ruleset, local.Seed(11), local.StartSeat(1)))
		if game.CurrentPlayer() != 1 || slices.Max(must(game.Returns(local.Win))) != 0 {
			t.Error(ruleset, game.CurrentPlayer())
		}
		if moves := must(game.PlayOut(1)); moves < 10 || !game.IsTerminal() || game.CurrentPlayer() != -1 {
			t.Error(ruleset, moves)
		}
		var sum float32
		for _, value := range must(game.Returns(local.Win)) {
			sum += value
		}
		best := slices.Index(game.Ranks(), 1)
		if math.Abs(float64(sum)) > 1e-6 || game.Scores()[best] != slices.Max(game.Scores()) {
			t.Error(ruleset, sum, game.Ranks(), game.Scores())
		}
	}
}

func Test_house_bots_choose_legal_moves_and_think_for_their_time(t *testing.T) {
	t.Parallel()
	game := middle(t, open(t), "azul-colored-2", 8)
	for _, bot := range []string{"random", "greedy", "strong:50n", "strong:5"} {
		if id := must(game.BestMove(bot, 3)); !slices.Contains(game.Legal(), uint16(id)) {
			t.Error(bot, id)
		}
	}
	first, again := must(game.BestMove("strong:200n", 1)), must(game.BestMove("strong:200n", 1))
	if first != again {
		t.Error("the same iterations choose different moves")
	}
	began := time.Now()
	must(game.BestMove("strong:60", 1))
	if took := time.Since(began); took < 59*time.Millisecond {
		t.Error(took)
	}
}

func Test_playouts_have_a_result_of_every_game(t *testing.T) {
	t.Parallel()
	game := must(open(t).New("azul-gray-3", local.Seed(1)))
	statistics := must(game.Playouts(40, 5, "greedy", "random"))
	if len(statistics.Scores) != 120 || len(statistics.Ranks) != 120 || slices.Min(statistics.Lengths) < 20 ||
		slices.Min(statistics.Rounds) < 5 || !slices.Equal(statistics.Scores, must(game.Playouts(40, 5, "greedy", "random")).Scores) {
		t.Error(statistics)
	}
}

func Test_playouts_of_a_ruleset_have_first_deals_of_their_own(t *testing.T) {
	t.Parallel()
	engine := open(t)
	statistics := must(engine.Playouts("azul-colored-3", 40, 5, "greedy", "random"))
	start := must(engine.New("azul-colored-3", local.Explicit()))
	if !slices.Equal(statistics.Scores, must(start.Playouts(40, 5, "greedy", "random")).Scores) || statistics.Seats != 3 {
		t.Error(statistics)
	}
	if start.Close(); engine.Living() != 0 {
		t.Error(engine.Living())
	}
}

func Test_random_moves_to_the_end_depend_on_their_seed_and_not_on_the_deals_of_the_game(t *testing.T) {
	t.Parallel()
	engine := open(t)
	text := middle(t, engine, "azul-colored-2", 8).Text()
	end := func(seed uint64, option local.Option) string {
		game := must(engine.Parse(text, option))
		must(game.PlayOut(seed))
		return game.Text()
	}
	first := end(5, local.Seed(1))
	if first != end(5, local.Seed(2)) || first != end(5, local.ArenaSeed(3)) || first != end(5, local.Explicit()) {
		t.Error("the game's own seed decides")
	}
	if first == end(6, local.Seed(1)) {
		t.Error("another seed plays the same game")
	}
}

func Test_a_list_is_valid_until_the_same_game_is_asked_again(t *testing.T) {
	t.Parallel()
	engine := open(t)
	one, other := middle(t, engine, "azul-gray-2", 3), middle(t, engine, "azul-gray-2", 9)
	legal, mask, raw, scaled := one.Legal(), one.Mask(), must(one.Observe(0)), must(one.ObserveScaled(0))
	before := [][]byte{slices.Clone(mask), slices.Clone(raw)}
	moves, values := slices.Clone(legal), slices.Clone(scaled)
	other.Legal()
	other.Mask()
	must(other.Observe(0))
	must(other.ObserveScaled(0))
	// The memory of the module grows.
	must(engine.NewBatch("summer-pavilion-gray-4", 2000, local.BatchOptions{})).Close()
	if !slices.Equal(legal, moves) || !slices.Equal(scaled, values) ||
		!slices.Equal(mask, before[0]) || !slices.Equal(raw, before[1]) {
		t.Error("another game or a growing memory changes a list")
	}
}

func Test_a_layout_belongs_to_the_caller(t *testing.T) {
	t.Parallel()
	engine := open(t)
	game := must(engine.New("azul-colored-2"))
	batch := must(engine.NewBatch("azul-colored-2", 1, local.BatchOptions{}))
	hash := game.Layout().Hash
	for _, layout := range []*local.Layout{must(engine.Layout("azul-colored-2")), game.Layout(), batch.Layout()} {
		layout.Hash, layout.Size, layout.Actions, layout.Players = "", 0, 0, 0
		layout.Sections[0].Name, layout.Sections[0].Shape[0] = "", 99
	}
	for _, layout := range []*local.Layout{must(engine.Layout("azul-colored-2")), game.Layout(), batch.Layout()} {
		if layout.Hash != hash || layout.Sections[0].Name == "" || layout.Sections[0].Shape[0] == 99 || game.Players() != 2 {
			t.Error(layout)
		}
	}
	if len(game.Mask()) != 180 || len(must(game.Observe(0))) != 171 {
		t.Error("the game has other lengths")
	}
}

func Test_a_drawing_is_a_picture_and_a_text(t *testing.T) {
	t.Parallel()
	game := middle(t, open(t), "summer-pavilion-colored-2", 12)
	if !strings.HasPrefix(game.SVG(), "<svg ") || strings.Count(game.Drawing(), "\n") < 5 {
		t.Error(game.SVG(), game.Drawing())
	}
}

func Test_a_batch_plays_the_games_that_single_games_play(t *testing.T) {
	t.Parallel()
	engine := open(t)
	for _, raw := range []bool{false, true} {
		batch := must(engine.NewBatch("azul-gray-2", 8, local.BatchOptions{Seed: 3, Raw: raw}))
		size, actions, ends := batch.Layout().Size, batch.Layout().Actions, 0
		for range 300 {
			chosen := slices.Clone(must(batch.Sample()))
			games := make([]*local.Game, batch.Games())
			for index := range games {
				game := must(batch.Game(index))
				games[index] = game
				if int(batch.Seat[index]) != game.CurrentPlayer() ||
					!slices.Equal(batch.Mask[index*actions:(index+1)*actions], game.Mask()) {
					t.Fatal("another seat or mask")
				}
				if raw && !slices.Equal(batch.Raw[index*size:(index+1)*size], must(game.Observe(game.CurrentPlayer()))) {
					t.Fatal("another observation")
				}
				if !raw && !slices.Equal(batch.Obs[index*size:(index+1)*size], must(game.ObserveScaled(game.CurrentPlayer()))) {
					t.Fatal("another observation")
				}
				check(t, game.Apply(int(chosen[index])))
			}
			check(t, batch.Step(chosen))
			for index, game := range games {
				if (batch.Done[index] == 1) != game.IsTerminal() ||
					!slices.Equal(batch.Reward[2*index:2*index+2], must(game.Returns(local.Win))) {
					t.Fatal("another end")
				}
				ends += int(batch.Done[index])
				game.Close()
			}
		}
		if ends < 5 {
			t.Error(ends)
		}
		batch.Close()
	}
}

func Test_one_seat_of_a_batch_learns_against_a_house_bot(t *testing.T) {
	t.Parallel()
	options := local.BatchOptions{Seed: 3, Start: "rotating", Learner: "1", Opponents: "greedy"}
	batch := must(open(t).NewBatch("azul-colored-3", 16, options))
	for range 100 {
		if slices.Min(batch.Seat) != 1 || slices.Max(batch.Seat) != 1 {
			t.Fatal(batch.Seat)
		}
		check(t, batch.Step(must(batch.Sample())))
	}
	check(t, batch.Reset(9))
	first := slices.Clone(batch.Obs)
	check(t, batch.Step(must(batch.Sample())))
	check(t, batch.Reset(9))
	if !slices.Equal(batch.Obs, first) {
		t.Error("the same seed has other games")
	}
}

func Test_games_that_were_not_closed_are_released_with_the_last_reference(t *testing.T) {
	t.Parallel()
	engine := open(t)
	game := must(engine.New("azul-colored-2", local.Seed(1)))
	for range 10_000 {
		must(game.Clone())
	}
	for range 100 {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
		// A new object releases what was dropped.
		must(game.Clone()).Close()
		if engine.Living() == 1 {
			break
		}
	}
	if engine.Living() != 1 || game.Round() != 1 {
		t.Error(engine.Living())
	}
	runtime.KeepAlive(game)
}

func Test_closed_games_and_batches_leave_nothing_behind(t *testing.T) {
	t.Parallel()
	engine := open(t)
	play := func() {
		game := must(engine.New("summer-pavilion-gray-4", local.Seed(1)))
		clone := must(game.Clone())
		must(clone.PlayOut(2))
		clone.Close()
		game.Close()
		batch := must(engine.NewBatch("azul-gray-2", 64, local.BatchOptions{Seed: 2}))
		check(t, batch.Step(must(batch.Sample())))
		batch.Close()
	}
	play()
	before := engine.Memory()
	for range 2000 {
		play()
	}
	if engine.Memory() != before || engine.Living() != 0 {
		t.Error(before, engine.Memory(), engine.Living())
	}
}
