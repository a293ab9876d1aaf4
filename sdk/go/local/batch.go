package local

import (
	"encoding/binary"
	"math"
	"runtime"
	"strconv"
	"sync/atomic"
)

// BatchOptions are how the games of a batch are set up. The zero value is a good start.
type BatchOptions struct {
	// Seed decides all deals and everything else that is random.
	Seed uint64
	// Raw: observations are bytes in Batch.Raw, instead of numbers in Batch.Obs.
	Raw bool
	// Start is the seat that starts each game: a number, "rotating" or "random". Default: 0.
	Start string
	// Returns is Win if it is empty.
	Returns Returns
	// View is the seat that an observation begins with: "seat", the one that has to decide (the
	// default), or "table", always the first one.
	View string
	// Learner is the seat of the caller, as in Start; house bots play the others. Without it the caller
	// plays all seats.
	Learner string
	// Opponents is the house bot of the other seats.
	Opponents string
}

// Batch is many games of one ruleset side by side. A finished game starts again at once. The slices are
// written by every call, and are always the same ones.
type Batch struct {
	// Obs is what the seat that has to decide sees: Layout().Size values for each game.
	Obs []float32
	// Raw is the same in bytes, with BatchOptions.Raw.
	Raw []byte
	// Mask has a byte for each action id of each game, 1 if the move is legal.
	Mask []byte
	// Seat is the seat that has to decide.
	Seat []byte
	// Reward is what the game that has just ended is worth to each of its seats; zero while it goes on.
	Reward []float32
	// Done is 1 if a game has just ended. The others show the game that has begun instead.
	Done []byte
	// FinalObs and FinalRaw are the last observations of the games that have just ended; others are left
	// as they are.
	FinalObs []float32
	FinalRaw []byte

	engine  *Engine
	handle  atomic.Uint32
	games   int
	options BatchOptions
	layout  *Layout
	ruleset string
	places  [batchPlaces]uint32
	actions []int32
	cleanup runtime.Cleanup
}

// The order of the export batch_places.
const (
	batchActions = 4 + iota
	batchObservations
	batchMasks
	batchSeats
	batchRewards
	batchEnds
	batchLast
	batchPlaces
)

// NewBatch starts this many games of a ruleset.
func (e *Engine) NewBatch(ruleset string, games int, options BatchOptions) (*Batch, error) {
	if games < 0 || games > math.MaxInt32 {
		return nil, outOfRange("the number of games must not be " + strconv.Itoa(games))
	}
	raw := ""
	if options.Raw {
		raw = "raw"
	}
	input, err := lines(ruleset, strconv.Itoa(games), raw, strconv.FormatUint(options.Seed, 10),
		options.Start, string(options.Returns), options.View, options.Learner, options.Opponents)
	if err != nil {
		return nil, err
	}
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	e.sweep()
	handle, err := e.checkText(fnBatchNew, input)
	if err != nil {
		return nil, err
	}
	b := &Batch{engine: e, games: games, options: options, ruleset: ruleset}
	if err := b.describe(handle); err != nil {
		e.drop(dropped{fnBatchFree, handle})
		return nil, err
	}
	b.handle.Store(handle)
	b.cleanup = runtime.AddCleanup(b, e.drop, dropped{fnBatchFree, handle})
	return b, nil
}

// describe reads where the arrays are, and copies them.
func (b *Batch) describe(handle uint32) error {
	e := b.engine
	var err error
	if b.layout, err = e.layoutOf(b.ruleset); err != nil {
		return err
	}
	if _, err := e.check(fnBatchPlaces, uint64(handle)); err != nil {
		return err
	}
	places, err := e.output()
	if err != nil {
		return err
	}
	for at := range b.places {
		b.places[at] = binary.LittleEndian.Uint32(places[4*at:])
	}
	return b.fetch()
}

// run calls an export that writes the arrays, and copies them.
func (b *Batch) run(fn function, arguments ...uint64) error {
	if err := b.engine.enter(); err != nil {
		return err
	}
	defer b.engine.leave()
	return b.inside(fn, arguments...)
}

func (b *Batch) inside(fn function, arguments ...uint64) error {
	handle := [2]uint64{uint64(b.handle.Load())}
	if _, err := b.engine.check(fn, append(handle[:1], arguments...)...); err != nil {
		return err
	}
	return b.fetch()
}

// fetch copies the arrays. They are copied because a view of the memory ends when the memory grows.
func (b *Batch) fetch() error {
	size, seats := b.layout.Size, b.layout.Players
	var err error
	get := func(place int, length int) (view []byte) {
		if err == nil {
			view, err = b.engine.view(b.places[place], uint32(b.games*length))
		}
		return view
	}
	if b.options.Raw {
		b.Raw = append(b.Raw[:0], get(batchObservations, size)...)
		b.FinalRaw = append(b.FinalRaw[:0], get(batchLast, size)...)
	} else {
		b.Obs = floats(b.Obs, get(batchObservations, 4*size))
	}
	b.Mask = append(b.Mask[:0], get(batchMasks, b.layout.Actions)...)
	b.Seat = append(b.Seat[:0], get(batchSeats, 1)...)
	b.Reward = floats(b.Reward, get(batchRewards, 4*seats))
	b.Done = append(b.Done[:0], get(batchEnds, 1)...)
	if !b.options.Raw {
		b.fetchLast(get(batchLast, 4*size))
	}
	return err
}

// fetchLast copies the last observations of games that have ended, which are few.
func (b *Batch) fetchLast(view []byte) {
	size := b.layout.Size
	if b.FinalObs == nil {
		b.FinalObs = make([]float32, b.games*size)
	}
	for game, done := range b.Done {
		if done == 1 && len(view) >= 4*(game+1)*size {
			floats(b.FinalObs[game*size:game*size:(game+1)*size], view[4*game*size:4*(game+1)*size])
		}
	}
}

// Games is the number of games.
func (b *Batch) Games() int { return b.games }

// Ruleset is the key.
func (b *Batch) Ruleset() string { return b.ruleset }

// Layout says where each part of a position is in its observation, and how long masks are; a copy.
func (b *Batch) Layout() *Layout { return b.layout.copied() }

// Step plays one move in every game. If one of them is illegal, none is played.
func (b *Batch) Step(actions []int32) error {
	if len(actions) != b.games {
		found, expected := strconv.Itoa(len(actions)), strconv.Itoa(b.games)
		message := "the array of actions has " + found + " elements, expected " + expected
		return &Error{Reason: "WRONG_COUNT", Message: message}
	}
	if err := b.engine.enter(); err != nil {
		return err
	}
	defer b.engine.leave()
	if b.handle.Load() == 0 {
		return ErrClosed
	}
	view, err := b.engine.view(b.places[batchActions], uint32(4*b.games))
	if err != nil {
		return err
	}
	for game, action := range actions {
		binary.LittleEndian.PutUint32(view[4*game:], uint32(action))
	}
	return b.inside(fnBatchStep)
}

// Sample returns a random legal action of each game; the slice is valid until the next call.
func (b *Batch) Sample() ([]int32, error) {
	if err := b.engine.enter(); err != nil {
		return nil, err
	}
	defer b.engine.leave()
	if _, err := b.engine.check(fnBatchSample, uint64(b.handle.Load())); err != nil {
		return nil, err
	}
	view, err := b.engine.view(b.places[batchActions], uint32(4*b.games))
	b.actions = b.actions[:0]
	for at := 0; at+3 < len(view); at += 4 {
		b.actions = append(b.actions, int32(binary.LittleEndian.Uint32(view[at:])))
	}
	return b.actions, err
}

// Reset starts all games again.
func (b *Batch) Reset(seed uint64) error { return b.run(fnBatchReset, seed) }

// Observe writes all slices again; rewards and ends are zero.
func (b *Batch) Observe() error { return b.run(fnBatchObserve) }

// Game returns a copy of one game.
func (b *Batch) Game(index int) (*Game, error) {
	if index < 0 || index >= b.games {
		return nil, outOfRange("the game must be 0 to " + strconv.Itoa(b.games-1) + ", not " + strconv.Itoa(index))
	}
	e := b.engine
	return e.begin(func() (uint32, error) {
		return e.check(fnBatchGame, uint64(b.handle.Load()), uint64(index))
	})
}

// Close releases the memory at once. The batch cannot be used any more.
func (b *Batch) Close() {
	if handle := b.handle.Swap(0); handle != 0 {
		b.cleanup.Stop()
		b.engine.release(dropped{fnBatchFree, handle})
	}
}
