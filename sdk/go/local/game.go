package local

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"runtime"
	"strconv"
	"sync/atomic"

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
	engine *Engine
	// 0 if it is closed.
	handle  atomic.Uint32
	status  atomic.Uint32
	layout  *Layout
	ruleset string
	cleanup runtime.Cleanup
	// What is returned, used again by the next call.
	legal  []uint16
	mask   []byte
	raw    []byte
	scaled []float32
}

// New starts a game of a ruleset: azul-colored-2, summer-pavilion-gray-4, …
func (e *Engine) New(ruleset string, options ...Option) (*Game, error) {
	s := read(options)
	input, err := lines(ruleset, s.chance, strconv.Itoa(s.seat))
	if err != nil {
		return nil, err
	}
	return e.begin(func() (uint32, error) { return e.checkText(fnGameNew, input) })
}

// Parse returns the game at a position in the notation.
func (e *Engine) Parse(text string, options ...Option) (*Game, error) {
	input, err := lines(read(options).chance, text)
	if err != nil {
		return nil, err
	}
	return e.begin(func() (uint32, error) { return e.checkText(fnGameParse, input) })
}

// FromObservation returns the game at the position of an observation, in raw values.
func (e *Engine) FromObservation(ruleset string, values []byte, options ...Option) (*Game, error) {
	header, err := lines(ruleset, read(options).chance)
	if err != nil {
		return nil, err
	}
	return e.begin(func() (uint32, error) { return e.checkBehind(fnGameObserved, header, values) })
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
	return e.begin(func() (uint32, error) { return e.checkBehind(fnGameState, header, values) })
}

// begin is the game of the handle that a call returns: all in one call, so that no other goroutine comes
// between, and nothing is left if a part of it fails.
func (e *Engine) begin(open func() (uint32, error)) (*Game, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	e.sweep()
	handle, err := open()
	if err != nil {
		return nil, err
	}
	g, err := e.describe(handle)
	if err != nil {
		e.drop(dropped{fnGameFree, handle})
		return nil, err
	}
	return g, nil
}

// describe reads what a new game is.
func (e *Engine) describe(handle uint32) (*Game, error) {
	if _, err := e.check(fnGameRuleset, uint64(handle)); err != nil {
		return nil, err
	}
	ruleset, err := e.output()
	if err != nil {
		return nil, err
	}
	key := string(ruleset)
	layout, err := e.layoutOf(key)
	if err != nil {
		return nil, err
	}
	status, err := e.check(fnGameStatus, uint64(handle))
	if err != nil {
		return nil, err
	}
	return e.own(handle, status, layout, key), nil
}

// own returns a game that is released with its last reference.
func (e *Engine) own(handle, status uint32, layout *Layout, ruleset string) *Game {
	g := &Game{engine: e, layout: layout, ruleset: ruleset}
	g.handle.Store(handle)
	g.status.Store(status)
	g.cleanup = runtime.AddCleanup(g, e.drop, dropped{fnGameFree, handle})
	return g
}

// id is the handle as an argument.
func (g *Game) id() uint64 { return uint64(g.handle.Load()) }

// Close releases the memory at once. The game cannot be used any more.
func (g *Game) Close() {
	if handle := g.handle.Swap(0); handle != 0 {
		g.cleanup.Stop()
		g.status.Store(statusOver)
		g.engine.release(dropped{fnGameFree, handle})
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

// Layout says where each part of a position is in its observation; a copy.
func (g *Game) Layout() *Layout { return g.layout.copied() }

// IsTerminal reports whether the game is over, or closed.
func (g *Game) IsTerminal() bool { return g.status.Load() == statusOver }

// IsChance reports whether tiles are to be dealt. Only with [Explicit].
func (g *Game) IsChance() bool { return g.status.Load() == statusDealDue }

// CurrentPlayer is the seat that has to decide; -1 before a deal and after the end.
func (g *Game) CurrentPlayer() int {
	if status := g.status.Load(); status < statusOver {
		return int(status)
	}
	return -1
}

// Round is the round, counted from 1.
func (g *Game) Round() int {
	round, err := g.engine.call(fnGameRound, g.id())
	g.engine.note(err)
	return int(round)
}

// Legal returns the ids of all legal moves, in ascending order. The slice is valid until the next call
// of Legal of this game.
func (g *Game) Legal() []uint16 {
	e := g.engine
	if err := e.enter(); err != nil {
		e.note(err)
		return nil
	}
	defer e.leave()
	count, err := e.check(fnGameLegal, g.id())
	if err != nil {
		e.note(err)
		return nil
	}
	view, err := e.view(e.places[placeLegal], 2*count)
	if err != nil {
		e.note(err)
		return nil
	}
	legal := g.legal[:0]
	for at := 0; at+1 < len(view); at += 2 {
		legal = append(legal, binary.LittleEndian.Uint16(view[at:]))
	}
	g.legal = legal
	return legal
}

// Mask returns a byte for each action id, 1 if the move is legal. The slice is valid until the next
// call of Mask of this game.
func (g *Game) Mask() []byte {
	e := g.engine
	if err := e.enter(); err != nil {
		e.note(err)
		return nil
	}
	defer e.leave()
	_, err := e.check(fnGameMask, g.id())
	if err != nil {
		e.note(err)
		return nil
	}
	view, err := e.view(e.places[placeMask], uint32(g.layout.Actions))
	if err != nil {
		e.note(err)
		return nil
	}
	mask := append(g.mask[:0], view...)
	g.mask = mask
	return mask
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
	status, err := e.check(fnGameApply, g.id(), uint64(action))
	if err == nil {
		g.status.Store(status)
	}
	e.leave()
	return err
}

func (g *Game) noSuchAction(action int) error {
	if g.handle.Load() == 0 {
		return ErrClosed
	}
	count := strconv.Itoa(g.layout.Actions)
	message := "action " + strconv.Itoa(action) + " is not in the action space, which has " + count + " ids from 0"
	return &Error{Reason: "NO_SUCH_ACTION", Message: message}
}

// become takes the status that a call returns, inside of it.
func (g *Game) become(status uint32, err error) error {
	if err == nil {
		g.status.Store(status)
	}
	return err
}

// ApplyText plays a move in the notation: 3B2.
func (g *Game) ApplyText(action string) error {
	e := g.engine
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return g.become(e.checkText(fnGameApplyText, action, g.id()))
}

// ActionText returns the move with this id, in the notation.
func (g *Game) ActionText(action int) (string, error) {
	if action < 0 || action > math.MaxInt32 {
		return "", g.noSuchAction(action)
	}
	return g.engine.text(fnGameActionText, g.id(), uint64(action))
}

// ActionID returns the id of a move in the notation. It need not be legal now.
func (g *Game) ActionID(text string) (int, error) {
	id, err := g.engine.written(fnGameActionId, text, g.id())
	return int(id), err
}

// Clone returns a copy, which continues with the same deals.
func (g *Game) Clone() (*Game, error) {
	e := g.engine
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	e.sweep()
	handle, err := e.check(fnGameClone, g.id())
	if err != nil {
		return nil, err
	}
	return e.own(handle, g.status.Load(), g.layout, g.ruleset), nil
}

// CopyFrom makes the game equal to another one of the same ruleset: cheaper than a clone.
func (g *Game) CopyFrom(other *Game) error {
	e := g.engine
	if other == nil || other.engine != e || other.ruleset != g.ruleset {
		return &Error{Reason: "OTHER_GAME", Message: "expected a game of " + g.ruleset + ", of the same engine"}
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return g.become(e.check(fnGameCopy, g.id(), other.id()))
}

// ChanceOutcomes returns every outcome of the deal that is due, with its exact probability.
func (g *Game) ChanceOutcomes() ([]Outcome, error) {
	text, err := g.engine.bytes(fnGameOutcomes, g.id())
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
	e := g.engine
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return g.become(e.checkText(fnGameDeal, tiles, g.id()))
}

// SampleOutcome deals one display at random.
func (g *Game) SampleOutcome(seed uint64) error {
	e := g.engine
	if err := e.enter(); err != nil {
		return err
	}
	defer e.leave()
	return g.become(e.check(fnGameSample, g.id(), seed))
}

// Returns is what the game is worth to each seat; all zero until it is over.
func (g *Game) Returns(kind Returns) ([]float32, error) {
	output, err := g.engine.answer(fnGameReturns, string(kind), g.id())
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
	output, err := g.engine.bytes(fnGameScores, g.id())
	g.engine.note(err)
	scores := make([]int, len(output)/2)
	for seat := range scores {
		scores[seat] = int(binary.LittleEndian.Uint16(output[2*seat:]))
	}
	return scores
}

// Ranks are the rank of each seat, 1 for the leader; equal seats share a rank.
func (g *Game) Ranks() []int {
	output, err := g.engine.bytes(fnGameRanks, g.id())
	g.engine.note(err)
	ranks := make([]int, len(output))
	for seat, rank := range output {
		ranks[seat] = int(rank)
	}
	return ranks
}

// Observe returns the position as a seat sees it: raw values. The slice is valid until the next call of
// Observe of this game.
func (g *Game) Observe(seat int) ([]byte, error) {
	e := g.engine
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	view, err := g.observe(fnGameObserve, placeRaw, seat, 1)
	if err != nil {
		return nil, err
	}
	raw := append(g.raw[:0], view...)
	g.raw = raw
	return raw, nil
}

// ObserveScaled returns the same, divided by the scales of the layout. The slice is valid until the
// next call of ObserveScaled of this game.
func (g *Game) ObserveScaled(seat int) ([]float32, error) {
	e := g.engine
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	view, err := g.observe(fnGameObserveScaled, placeScaled, seat, 4)
	if err != nil {
		return nil, err
	}
	scaled := floats(g.scaled, view)
	g.scaled = scaled
	return scaled, nil
}

// observe writes an observation, inside of a call, and returns a view of it.
func (g *Game) observe(fn function, place, seat, bytes int) ([]byte, error) {
	e, handle := g.engine, g.id()
	if seat < 0 || seat > math.MaxInt32 {
		if handle == 0 {
			return nil, ErrClosed
		}
		return nil, noSuchSeat(seat, g.layout.Players)
	}
	if _, err := e.check(fn, handle, uint64(seat)); err != nil {
		return nil, err
	}
	return e.view(e.places[place], uint32(bytes*g.layout.Size))
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
	output, err := g.engine.bytes(fnGameHash, g.id())
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
	text, err := g.engine.text(fn, g.id())
	g.engine.note(err)
	return text
}

// BestMove returns the id of the move that a house bot chooses: random, greedy, strong (100 ms),
// strong:250 (ms), strong:5000n (iterations).
func (g *Game) BestMove(bot string, seed uint64) (int, error) {
	id, err := g.engine.written(fnGameBestMove, bot, g.id(), seed)
	return int(id), err
}

// PlayOut plays random moves to the end, inside of the engine. The deals are drawn from this seed, too,
// and not from the seed or generator of the game. It returns the number of moves.
func (g *Game) PlayOut(seed uint64) (int, error) {
	e := g.engine
	if err := e.enter(); err != nil {
		return 0, err
	}
	defer e.leave()
	moves, err := e.check(fnGamePlayOut, g.id(), seed)
	if err == nil {
		g.status.Store(statusOver)
	}
	return int(moves), err
}
