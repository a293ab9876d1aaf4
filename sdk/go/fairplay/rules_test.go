package fairplay

import (
	"testing"

	"github.com/azulejo-arena/azulejo/sdk/go/local"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

var testSeed = [32]byte{7}

// begun is a match that has just begun: the first deal of the seed, and empty boards.
func begun() *Watch {
	rules := &gamev1.AzulRules{Players: 2, Side: gamev1.BoardSide_BOARD_SIDE_COLORED, Version: 1}
	ledger := newAzulLedger(rules, testSeed)
	state := &gamev1.AzulState{Rules: rules, Phase: gamev1.AzulPhase_AZUL_PHASE_OFFER, Round: 1}
	message := func(tiles Tiles) *gamev1.AzulTiles {
		return &gamev1.AzulTiles{Blue: tiles[0], Yellow: tiles[1], Red: tiles[2], Black: tiles[3], White: tiles[4]}
	}
	for _, made := range ledger.fillFactories() {
		state.Factories = append(state.Factories, message(made.tiles))
	}
	state.Bag, state.Drawn = message(ledger.stock.Bag), ledger.stock.Drawn
	state.Center, state.Lid = &gamev1.AzulTiles{}, &gamev1.AzulTiles{}
	for range 2 {
		board := &gamev1.AzulBoard{Wall: make([]gamev1.AzulColor, 25), Floor: &gamev1.AzulTiles{}}
		for range 5 {
			board.Lines = append(board.Lines, &gamev1.AzulPatternLine{})
		}
		state.Boards = append(state.Boards, board)
	}
	return &Watch{
		id:      "match",
		ruleset: &gamev1.Ruleset{Game: &gamev1.Ruleset_Azul{Azul: rules}},
		first:   &gamev1.GameState{Game: &gamev1.GameState_Azul{Azul: state}},
	}
}

// assertFair fails unless the match counts as checked and fair.
func assertFair(t *testing.T, match *Watch) {
	t.Helper()
	if complete, unfair := match.playAgain(testSeed, nil); !complete || unfair != nil {
		t.Errorf("complete: %v, unfair: %v", complete, unfair)
	}
}

func Test_an_engine_that_has_failed_is_replaced_and_does_not_make_a_match_unfair(t *testing.T) {
	match := begun()
	assertFair(t, match)
	// No call of this engine succeeds any more.
	broken := shared
	if err := broken.Close(); err != nil {
		t.Fatal(err)
	}
	assertFair(t, match)
	if shared == broken {
		t.Error("the failed engine is used again")
	}
	assertFair(t, match)
}

func Test_a_method_without_an_error_that_failed_does_not_make_a_match_unfair(t *testing.T) {
	match := begun()
	assertFair(t, match)
	game, err := shared.New("azul-colored-2")
	if err != nil {
		t.Fatal(err)
	}
	game.Close()
	// Noted in Err.
	_ = game.Text()
	assertFair(t, match)
	if shared.Err() != nil {
		t.Error(shared.Err())
	}
}

func Test_only_refusals_of_the_rules_are_unfair(t *testing.T) {
	match := begun()
	other := begun()
	other.first.GetAzul().StartSeat, other.first.GetAzul().TurnSeat = 9, 9
	if complete, unfair := other.playAgain(testSeed, nil); !complete || unfair == nil || unfair.Element != FirstDealChanged {
		t.Errorf("a state with a seat that does not exist: %v, %v", complete, unfair)
	}
	illegal := begun()
	illegal.moves = []*arenav1.MoveMade{{Move: &gamev1.LegalMove{ActionId: 100_000}}}
	if complete, unfair := illegal.playAgain(testSeed, nil); !complete || unfair == nil || unfair.Element != RulesBroken {
		t.Errorf("a move that does not exist: %v, %v", complete, unfair)
	}
	// A ruleset that this version does not know.
	match.ruleset.GetAzul().Players = 5
	if complete, unfair := match.playAgain(testSeed, nil); complete || unfair != nil {
		t.Errorf("an unknown ruleset: %v, %v", complete, unfair)
	}
	for _, reason := range []string{"OUT_OF_MEMORY", "TOO_MANY_OPEN", "ENGINE_FAILED", "BUSY", "CLOSED"} {
		if isRefusal(&local.Error{Reason: reason}) {
			t.Errorf("%s counts as a refusal of the rules", reason)
		}
	}
}
