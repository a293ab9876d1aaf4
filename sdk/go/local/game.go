package local

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"runtime"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// Returns is what a finished game is worth to each seat.
type Returns string

const (
	// Win: the winners share 1, the others -1; ties are broken as in the game.
	Win Returns = "win"
	// Margin is the lead over the best of the others, in points.
	Margin Returns = "margin"
	// Points are the points.
	Points Returns = "points"
)

// Outcome is one outcome of a deal.
type Outcome struct {
	// Tiles are for example B2YR: two blue tiles, a yellow and a red one.
	Tiles       string
	Probability float64
}

// The status of a game: the seat that has to decide, or one of these.
const (
	statusOver    = 4
	statusDealDue = 5
)

// Game is a game, at any point of it. Its memory is released by [Game.Close], or some time after the
// last reference is gone.
type Game struct {
	engine  *Engine
	handle  uint32
	status  uint32
	layout  *Layout
	ruleset string
	cleanup runtime.Cleanup
}

// New starts a game of a ruleset: azul-colored-2, summer-pavilion-gray-4, …
func (e *Engine) New(ruleset string, options ...Option) (*Game, error) {
	s := read(options)
	input, err := lines(ruleset, s.chance, strconv.Itoa(s.seat))
	if err != nil {
		return nil, err
	}
	return e.game(e.written(fnGameNew, input))
}

// Parse returns the game at a position in the notation.
func (e *Engine) Parse(text string, options ...Option) (*Game, error) {
	input, err := lines(read(options).chance, text)
	if err != nil {
		return nil, err
	}
	return e.game(e.written(fnGameParse, input))
}

// FromObservation returns the game at the position of an observation, in raw values.
func (e *Engine) FromObservation(ruleset string, values []byte, options ...Option) (*Game, error) {
	header, err := lines(ruleset, read(options).chance)
	if err != nil {
		return nil, err
	}
	return e.game(e.behind(fnGameObserved, header, values))
}

// FromState returns the game at the position of a message, such as the state of a turn. With
// [Explicit], the deals are the caller's.
func (e *Engine) FromState(state *gamev1.GameState, options ...Option) (*Game, error) {
	values, err := proto.Marshal(state)
	if err != nil {
		return nil, &Error{Reason: "BAD_MESSAGE", Message: err.Error()}
	}
	header, err := lines(read(options).chance)
	if err != nil {
		return nil, err
	}
	return e.game(e.behind(fnGameState, header, values))
}

// game is the game of a new handle.
func (e *Engine) game(handle uint32, err error) (*Game, error) {
	if err != nil {
		return nil, err
	}
	ruleset, err := e.text(fnGameRuleset, uint64(handle))
	if err != nil {
		return nil, err
	}
	layout, err := e.Layout(ruleset)
	if err != nil {
		return nil, err
	}
	status, err := e.call(fnGameStatus, uint64(handle))
	if err != nil {
		return nil, err
	}
	return e.own(&Game{handle: handle, status: status, layout: layout, ruleset: ruleset}), nil
}

func (e *Engine) own(g *Game) *Game {
	e.sweep()
	g.engine = e
	g.cleanup = runtime.AddCleanup(g, e.drop, dropped{fnGameFree, g.handle})
	return g
}

// Close releases the memory at once. The game cannot be used any more.
func (g *Game) Close() {
	if g.handle != 0 {
		g.cleanup.Stop()
		_, err := g.engine.call(fnGameFree, uint64(g.handle))
		if err != nil && g.engine.closed.Load() {
			err = nil // The memory is gone with the engine.
		}
		g.engine.note(err)
		g.handle, g.status = 0, statusOver
	}
}

// Ruleset is the key: azul-colored-2, …
func (g *Game) Ruleset() string { return g.ruleset }

// Players is the number of seats.
func (g *Game) Players() int { return g.layout.Players }

// ActionCount is the length of a mask.
func (g *Game) ActionCount() int { return g.layout.Actions }

// ObservationSize is the length of an observation.
func (g *Game) ObservationSize() int { return g.layout.Size }

// Layout says where each part of a position is in its observation.
func (g *Game) Layout() *Layout { return g.layout }

// IsTerminal reports whether the game is over, or closed.
func (g *Game) IsTerminal() bool { return g.status == statusOver }

// IsChance reports whether tiles are to be dealt. Only with [Explicit].
func (g *Game) IsChance() bool { return g.status == statusDealDue }

// CurrentPlayer is the seat that has to decide; -1 before a deal and after the end.
func (g *Game) CurrentPlayer() int {
	if g.status >= statusOver {
		return -1
	}
	return int(g.status)
}

// Round is the round, counted from 1.
func (g *Game) Round() int {
	round, err := g.engine.call(fnGameRound, uint64(g.handle))
	g.engine.note(err)
	return int(round)
}

// Legal returns the ids of all legal moves, in ascending order. The slice is valid until the next call
// of Legal of any game of the engine.
func (g *Game) Legal() []uint16 {
	e := g.engine
	if err := e.enter(); err != nil {
		e.note(err)
		return nil
	}
	count, err := e.check(fnGameLegal, uint64(g.handle))
	if err == nil {
		var view []byte
		view, err = e.view(e.places[placeLegal], 2*count)
		e.legal = e.legal[:0]
		for at := 0; at+1 < len(view); at += 2 {
			e.legal = append(e.legal, binary.LittleEndian.Uint16(view[at:]))
		}
	}
	e.leave()
	if err != nil {
		e.note(err)
		return nil
	}
	return e.legal
}

// Mask returns a byte for each action id, 1 if the move is legal. The slice is valid until the next
// call of Mask of any game of the engine.
func (g *Game) Mask() []byte {
	e := g.engine
	if err := e.enter(); err != nil {
		e.note(err)
		return nil
	}
	defer e.leave()
	_, err := e.check(fnGameMask, uint64(g.handle))
	if err == nil {
		e.mask, err = e.copied(e.mask, e.places[placeMask], g.layout.Actions)
	}
	if err != nil {
		e.note(err)
		return nil
	}
	return e.mask
}

// copied copies a part of the memory, which later calls overwrite.
func (e *Engine) copied(to []byte, address uint32, length int) ([]byte, error) {
	view, err := e.view(address, uint32(length))
	return append(to[:0], view...), err
}

// Apply plays a move, and deals as far as chance allows.
func (g *Game) Apply(action int) error {
	if action < 0 || action > math.MaxInt32 {
		return g.noSuchAction(action)
	}
	e := g.engine
	if err := e.enter(); err != nil {
		return err
	}
	status, err := e.check(fnGameApply, uint64(g.handle), uint64(action))
	e.leave()
	if err == nil {
		g.status = status
	}
	return err
}

func (g *Game) noSuchAction(action int) error {
	if g.handle == 0 {
		return ErrClosed
	}
	count := strconv.Itoa(g.layout.Actions)
	message := "action " + strconv.Itoa(action) + " is not in the action space, which has " + count + " ids from 0"
	return &Error{Reason: "NO_SUCH_ACTION", Message: message}
}

// become takes the status of a call that changes the game.
func (g *Game) become(status uint32, err error) error {
	if err == nil {
		g.status = status
	}
	return err
}

// ApplyText plays a move in the notation: 3B2.
func (g *Game) ApplyText(action string) error {
	return g.become(g.engine.written(fnGameApplyText, action, uint64(g.handle)))
}

// ActionText returns the move with this id, in the notation.
func (g *Game) ActionText(action int) (string, error) {
	if action < 0 || action > math.MaxInt32 {
		return "", g.noSuchAction(action)
	}
	return g.engine.text(fnGameActionText, uint64(g.handle), uint64(action))
}

// ActionID returns the id of a move in the notation. It need not be legal now.
func (g *Game) ActionID(text string) (int, error) {
	id, err := g.engine.written(fnGameActionId, text, uint64(g.handle))
	return int(id), err
}

// Clone returns a copy, which continues with the same deals.
func (g *Game) Clone() (*Game, error) {
	handle, err := g.engine.call(fnGameClone, uint64(g.handle))
	if err != nil {
		return nil, err
	}
	return g.engine.own(&Game{handle: handle, status: g.status, layout: g.layout, ruleset: g.ruleset}), nil
}

// CopyFrom makes the game equal to another one of the same ruleset: cheaper than a clone.
func (g *Game) CopyFrom(other *Game) error {
	if other == nil || other.engine != g.engine || other.ruleset != g.ruleset {
		return &Error{Reason: "OTHER_GAME", Message: "expected a game of " + g.ruleset + ", of the same engine"}
	}
	return g.become(g.engine.call(fnGameCopy, uint64(g.handle), uint64(other.handle)))
}

// ChanceOutcomes returns every outcome of the deal that is due, with its exact probability.
func (g *Game) ChanceOutcomes() ([]Outcome, error) {
	text, err := g.engine.bytes(fnGameOutcomes, uint64(g.handle))
	if err != nil {
		return nil, err
	}
	var outcomes []Outcome
	if err := json.Unmarshal(text, &outcomes); err != nil {
		return nil, failed(err.Error())
	}
	return outcomes, nil
}

// UnmarshalJSON reads a pair.
func (o *Outcome) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[2]any{&o.Tiles, &o.Probability})
}

// ApplyOutcome deals these tiles: B2YR.
func (g *Game) ApplyOutcome(tiles string) error {
	return g.become(g.engine.written(fnGameDeal, tiles, uint64(g.handle)))
}

// SampleOutcome deals one display at random.
func (g *Game) SampleOutcome(seed uint64) error {
	return g.become(g.engine.call(fnGameSample, uint64(g.handle), seed))
}

// Returns is what the game is worth to each seat; all zero until it is over.
func (g *Game) Returns(kind Returns) ([]float32, error) {
	output, err := g.engine.answer(fnGameReturns, string(kind), uint64(g.handle))
	if err != nil {
		return nil, err
	}
	returns := make([]float32, len(output)/4)
	for seat := range returns {
		returns[seat] = math.Float32frombits(binary.LittleEndian.Uint32(output[4*seat:]))
	}
	return returns, nil
}

// Scores are the points of each seat: before the end, with the bonuses that are complete by now.
func (g *Game) Scores() []int {
	output, err := g.engine.bytes(fnGameScores, uint64(g.handle))
	g.engine.note(err)
	scores := make([]int, len(output)/2)
	for seat := range scores {
		scores[seat] = int(binary.LittleEndian.Uint16(output[2*seat:]))
	}
	return scores
}

// Ranks are the rank of each seat, 1 for the leader; equal seats share a rank.
func (g *Game) Ranks() []int {
	output, err := g.engine.bytes(fnGameRanks, uint64(g.handle))
	g.engine.note(err)
	ranks := make([]int, len(output))
	for seat, rank := range output {
		ranks[seat] = int(rank)
	}
	return ranks
}

// Observe returns the position as a seat sees it: raw values. The slice is valid until the next call of
// Observe of any game of the engine.
func (g *Game) Observe(seat int) ([]byte, error) {
	e := g.engine
	err := e.observe(fnGameObserve, g, seat)
	if err != nil {
		return nil, err
	}
	defer e.leave()
	e.raw, err = e.copied(e.raw, e.places[placeRaw], g.layout.Size)
	return e.raw, err
}

// ObserveScaled returns the same, divided by the scales of the layout. The slice is valid until the
// next call of ObserveScaled of any game of the engine.
func (g *Game) ObserveScaled(seat int) ([]float32, error) {
	e := g.engine
	if err := e.observe(fnGameObserveScaled, g, seat); err != nil {
		return nil, err
	}
	defer e.leave()
	view, err := e.view(e.places[placeScaled], uint32(4*g.layout.Size))
	e.scaled = floats(e.scaled, view)
	return e.scaled, err
}

// observe writes an observation, and stays in the call.
func (e *Engine) observe(fn function, g *Game, seat int) error {
	if seat < 0 || seat > math.MaxInt32 {
		return outOfRange("the seat must not be " + strconv.Itoa(seat))
	}
	if err := e.enter(); err != nil {
		return err
	}
	if _, err := e.check(fn, uint64(g.handle), uint64(seat)); err != nil {
		e.leave()
		return err
	}
	return nil
}

func floats(to []float32, view []byte) []float32 {
	to = to[:0]
	for at := 0; at+3 < len(view); at += 4 {
		to = append(to, math.Float32frombits(binary.LittleEndian.Uint32(view[at:])))
	}
	return to
}

// Hash is the same for positions that differ only in the order of factory displays.
func (g *Game) Hash() uint64 {
	output, err := g.engine.bytes(fnGameHash, uint64(g.handle))
	if err != nil || len(output) < 8 {
		g.engine.note(err)
		return 0
	}
	return binary.LittleEndian.Uint64(output)
}

// Text is the position in the notation; [Engine.Parse] reads it.
func (g *Game) Text() string { return g.show(fnGameText) }

func (g *Game) String() string { return g.Text() }

// SVG is a picture of the table.
func (g *Game) SVG() string { return g.show(fnGameSvg) }

// Drawing is the table as text for people.
func (g *Game) Drawing() string { return g.show(fnGameDrawing) }

func (g *Game) show(fn function) string {
	text, err := g.engine.text(fn, uint64(g.handle))
	g.engine.note(err)
	return text
}

// BestMove returns the id of the move that a house bot chooses: random, greedy, strong (100 ms),
// strong:250 (ms), strong:5000n (iterations).
func (g *Game) BestMove(bot string, seed uint64) (int, error) {
	id, err := g.engine.written(fnGameBestMove, bot, uint64(g.handle), seed)
	return int(id), err
}

// PlayOut plays random moves to the end, inside of the engine. It returns their number.
func (g *Game) PlayOut(seed uint64) (int, error) {
	moves, err := g.engine.call(fnGamePlayOut, uint64(g.handle), seed)
	if err == nil {
		g.status = statusOver
	}
	return int(moves), err
}

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

// Playouts plays many games from here to the end, inside of the engine; this game does not change.
// House bots play the seats: fewer than seats take them in turn; random without any.
func (g *Game) Playouts(games int, seed uint64, bots ...string) (*Statistics, error) {
	if games < 0 || games > math.MaxInt32 {
		return nil, outOfRange("the number of games must not be " + strconv.Itoa(games))
	}
	if len(bots) == 0 {
		bots = []string{"random"}
	}
	names := strings.Join(bots, " ")
	output, err := g.engine.answer(fnGamePlayouts, names, uint64(g.handle), uint64(games), seed)
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
