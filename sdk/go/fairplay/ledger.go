package fairplay

import (
	"errors"
	"slices"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// errOther is the one answer to everything that is not as it should be; the Watch names the place.
var errOther = errors.New("not what the seed makes")

// A ledger follows the tiles of a game through what its moves brought about.
type ledger interface {
	// start makes the first deal and compares it with the first position.
	start(first *gamev1.GameState) error
	// follow compares the deals after a move with those that the seed makes.
	follow(made *arenav1.MoveMade) error
	// sees compares the stock with that of a position.
	sees(state *gamev1.GameState) error
	// closes compares the points with the final ones.
	closes(score *gamev1.Score) error
}

// newLedger is nil for a ruleset that this version does not know.
func newLedger(ruleset *gamev1.Ruleset, seed [32]byte) ledger {
	switch game := ruleset.GetGame().(type) {
	case *gamev1.Ruleset_Azul:
		return newAzulLedger(game.Azul, seed)
	case *gamev1.Ruleset_SummerPavilion:
		return newPavilionLedger(game.SummerPavilion, seed)
	}
	return nil
}

// supply is the display that is no factory.
const supply = 0

// A deal is the filling of one display.
type deal struct {
	display uint32
	// What the discards held, if they were tipped before; else nil.
	tipped Tiles
	tiles  Tiles
}

// deals gathers the deals that were told.
type deals struct {
	told    []deal
	pending Tiles
}

func (d *deals) tip(tiles Tiles) { d.pending = tiles }

func (d *deals) dealt(display uint32, tiles Tiles) {
	d.told = append(d.told, deal{display: display, tipped: d.pending, tiles: tiles})
	d.pending = nil
}

func (d *deals) are(expected []deal) bool {
	return d.pending == nil && slices.EqualFunc(d.told, expected, func(a, b deal) bool {
		return a.display == b.display && (a.tipped == nil) == (b.tipped == nil) &&
			slices.Equal(a.tipped, b.tipped) && slices.Equal(a.tiles, b.tiles)
	})
}

// table is what both games have.
type table struct {
	seed      [32]byte
	stock     Stock
	factories uint32
	// By seat: on the score track, and bonuses less penalties at the end.
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

// fillFactories fills them in order while there are tiles.
func (t *table) fillFactories() (made []deal) {
	for factory := uint32(1); factory <= t.factories && !t.stock.empty(); factory++ {
		made = append(made, t.fill(factory, 4))
	}
	return made
}

// has tells whether the table has this seat, and a color is one.
func (t *table) has(seat uint32, color int) bool {
	return int(seat) < len(t.points) && color >= 0 && color < len(t.stock.Bag)
}

func (t *table) sees(bag, discards Tiles, drawn uint32) error {
	if slices.Equal(bag, t.stock.Bag) && slices.Equal(discards, t.stock.Discards) && drawn == t.stock.Drawn {
		return nil
	}
	return errOther
}

func (t *table) closes(score *gamev1.Score) error {
	if len(score.GetSeats()) != len(t.points) {
		return errOther
	}
	for seat, told := range score.GetSeats() {
		total := t.points[seat] + t.bonuses[seat]
		if int64(told.GetPoints()) != t.points[seat] || t.over && int64(told.GetTotal()) != total {
			return errOther
		}
	}
	return nil
}
