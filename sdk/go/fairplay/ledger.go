package fairplay

import (
	"errors"
	"slices"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// errDifferent is returned for every difference. The Watch adds where it is.
var errDifferent = errors.New("differs from what the seed gives")

// A ledger follows the tiles and points of a game through the events of its moves.
type ledger interface {
	// start draws the first deal and compares it with the first state.
	start(first *gamev1.GameState) error
	// follow compares the deals after a move with those that the seed gives.
	follow(made *arenav1.MoveMade) error
	// compareState compares the stock with that of a state.
	compareState(state *gamev1.GameState) error
	// compareScore compares the points with the final score.
	compareScore(score *gamev1.Score) error
}

// newLedger returns nil for a ruleset that this version does not know.
func newLedger(ruleset *gamev1.Ruleset, seed [32]byte) ledger {
	switch game := ruleset.GetGame().(type) {
	case *gamev1.Ruleset_Azul:
		return newAzulLedger(game.Azul, seed)
	case *gamev1.Ruleset_SummerPavilion:
		return newPavilionLedger(game.SummerPavilion, seed)
	}
	return nil
}

// supply is the number of the display that is not a factory display.
const supply = 0

// A deal is the filling of one display.
type deal struct {
	display uint32
	// Tiles of the discards if they were returned to the bag before; else nil.
	tipped Tiles
	tiles  Tiles
}

// deals collects the deals that the server reported.
type deals struct {
	list    []deal
	pending Tiles
}

func (d *deals) tip(tiles Tiles) { d.pending = tiles }

func (d *deals) dealt(display uint32, tiles Tiles) {
	d.list = append(d.list, deal{display: display, tipped: d.pending, tiles: tiles})
	d.pending = nil
}

func (d *deals) are(expected []deal) bool {
	return d.pending == nil && slices.EqualFunc(d.list, expected, func(a, b deal) bool {
		return a.display == b.display && (a.tipped == nil) == (b.tipped == nil) &&
			slices.Equal(a.tipped, b.tipped) && slices.Equal(a.tiles, b.tiles)
	})
}

// table is the part that both games share.
type table struct {
	seed      [32]byte
	stock     Stock
	factories uint32
	// By seat: points on the score track, and bonuses minus penalties at the end.
	points, bonuses []int64
	over            bool
}

func newTable(seed [32]byte, players uint32, colors, tilesOfEach, points int) table {
	if players < 2 || players > 4 {
		players = 2
	}
	made := table{
		seed:      seed,
		stock:     Stock{Bag: make(Tiles, colors), Discards: make(Tiles, colors)},
		factories: 2*players + 1,
		points:    make([]int64, players),
		bonuses:   make([]int64, players),
	}
	for color := range made.stock.Bag {
		made.stock.Bag[color] = uint32(tilesOfEach)
	}
	for seat := range made.points {
		made.points[seat] = int64(points)
	}
	return made
}

func (t *table) fill(display, room uint32) deal {
	tiles, tipped := t.stock.Fill(t.seed, room)
	return deal{display: display, tipped: tipped, tiles: tiles}
}

// fillFactories fills the factory displays in order while there are tiles.
func (t *table) fillFactories() (made []deal) {
	for factory := uint32(1); factory <= t.factories && !t.stock.empty(); factory++ {
		made = append(made, t.fill(factory, 4))
	}
	return made
}

// has says whether this seat and this color exist.
func (t *table) has(seat uint32, color int) bool {
	return int(seat) < len(t.points) && color >= 0 && color < len(t.stock.Bag)
}

func (t *table) compareStock(bag, discards Tiles, drawn uint32) error {
	if slices.Equal(bag, t.stock.Bag) && slices.Equal(discards, t.stock.Discards) && drawn == t.stock.Drawn {
		return nil
	}
	return errDifferent
}

func (t *table) compareScore(score *gamev1.Score) error {
	if len(score.GetSeats()) != len(t.points) {
		return errDifferent
	}
	for seat, reported := range score.GetSeats() {
		total := t.points[seat] + t.bonuses[seat]
		if int64(reported.GetPoints()) != t.points[seat] || t.over && int64(reported.GetTotal()) != total {
			return errDifferent
		}
	}
	return nil
}
