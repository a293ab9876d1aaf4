package local

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// Statistics are what came of many games, one after the other.
type Statistics struct {
	Games, Seats int
	// Scores and Ranks are of each seat of each game.
	Scores []uint16
	Ranks  []uint8
	// Lengths are the moves of each game, Rounds its rounds.
	Lengths []uint32
	Rounds  []uint8
}

// Playouts plays many new games of a ruleset, each with deals of its own. House bots play the seats as in
// [Game.Playouts].
func (e *Engine) Playouts(ruleset string, games int, seed uint64, bots ...string) (*Statistics, error) {
	start, err := e.New(ruleset, Explicit())
	if err != nil {
		return nil, err
	}
	defer start.Close()
	return start.Playouts(games, seed, bots...)
}

// Playouts plays many games from here to the end, inside of the engine; this game does not change. The
// deals are drawn from this seed, too, and not from the seed or generator of the game. House bots play the seats: fewer than seats take them in turn; random without any.
func (g *Game) Playouts(games int, seed uint64, bots ...string) (*Statistics, error) {
	if games < 0 || games > math.MaxInt32 {
		return nil, outOfRange("the number of games must not be " + strconv.Itoa(games))
	}
	if len(bots) == 0 {
		bots = []string{"random"}
	}
	names := strings.Join(bots, " ")
	output, err := g.engine.answer(fnGamePlayouts, names, g.id(), uint64(games), seed)
	if err != nil {
		return nil, err
	}
	seats := g.layout.Players
	if len(output) != games*(3*seats+5) {
		return nil, failed("unexpected length of statistics")
	}
	s := &Statistics{Games: games, Seats: seats, Scores: make([]uint16, games*seats), Lengths: make([]uint32, games)}
	for at := range s.Scores {
		s.Scores[at] = binary.LittleEndian.Uint16(output[2*at:])
	}
	output = output[2*games*seats:]
	for at := range s.Lengths {
		s.Lengths[at] = binary.LittleEndian.Uint32(output[4*at:])
	}
	output = output[4*games:]
	s.Ranks, s.Rounds = output[:games*seats], output[games*seats:]
	return s, nil
}
