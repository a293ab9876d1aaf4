package local

import (
	"context"
	_ "embed"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed azulejo.wasm
var module []byte

// The code is compiled once and shared by all engines.
var compiled = sync.OnceValue(wazero.NewCompilationCache)

var began = time.Now()

// The place of what the module writes: see service/wasm/README.md.
const (
	placeOutput = iota
	placeOutputLength
	placeLegal
	placeMask
	placeRaw
	placeScaled
	places
)

// Engine is an instance of the module, with a memory of its own. It belongs to one goroutine at a time.
type Engine struct {
	runtime wazero.Runtime
	memory  api.Memory
	exports [functions]api.Function
	places  [places]uint32
	stack   [4]uint64
	// Whether a call is running.
	busy   atomic.Bool
	closed atomic.Bool
	broken error
	err    atomic.Pointer[error]
	// Objects whose last reference is gone: the garbage collector has its own goroutine.
	mu      sync.Mutex
	dropped []dropped
	layouts map[string]*Layout
}

type dropped struct {
	free   function
	handle uint32
}

// Open starts an engine. The first one takes a moment, because the module is compiled.
func Open() (*Engine, error) {
	ctx := context.Background()
	config := wazero.NewRuntimeConfig().WithCompilationCache(compiled())
	engine := &Engine{runtime: wazero.NewRuntimeWithConfig(ctx, config), layouts: map[string]*Layout{}}
	if err := engine.start(ctx); err != nil {
		_ = engine.runtime.Close(ctx)
		return nil, failed(err.Error())
	}
	return engine, nil
}

func (e *Engine) start(ctx context.Context) error {
	now := api.GoFunc(func(_ context.Context, stack []uint64) {
		stack[0] = api.EncodeF64(float64(time.Since(began)) / float64(time.Millisecond))
	})
	_, err := e.runtime.NewHostModuleBuilder("azulejo").NewFunctionBuilder().
		WithGoFunction(now, nil, []api.ValueType{api.ValueTypeF64}).Export("now").Instantiate(ctx)
	if err != nil {
		return err
	}
	instance, err := e.runtime.Instantiate(ctx, module)
	if err != nil {
		return err
	}
	e.memory = instance.Memory()
	for number, name := range names {
		e.exports[number] = instance.ExportedFunction(name)
	}
	for place := uint64(placeLegal); place < places; place++ {
		value, err := e.run(fnPlace, place)
		if err != nil {
			return err
		}
		e.places[place] = value
	}
	return nil
}

// Close releases the memory of the engine and of all its games and batches.
func (e *Engine) Close() error {
	if !e.busy.CompareAndSwap(false, true) {
		return ErrBusy
	}
	defer e.busy.Store(false)
	if e.closed.Swap(true) {
		return nil
	}
	return e.runtime.Close(context.Background())
}

// Err returns the first error of a method that returns none; nil if there was none.
func (e *Engine) Err() error {
	if err := e.err.Load(); err != nil {
		return *err
	}
	return nil
}

// note keeps an error of a method that returns none.
func (e *Engine) note(err error) {
	if err != nil {
		e.err.CompareAndSwap(nil, &err)
	}
}

// Rulesets returns the keys of all rulesets.
func (e *Engine) Rulesets() []string {
	text, err := e.text(fnRulesets)
	e.note(err)
	return strings.Fields(text)
}

// Living returns the number of games and batches that are not released yet.
func (e *Engine) Living() int {
	if err := e.enter(); err != nil {
		e.note(err)
		return 0
	}
	defer e.leave()
	e.sweep()
	value, err := e.check(fnLiving)
	e.note(err)
	return int(value)
}

// Memory returns the bytes of memory that the engine has.
func (e *Engine) Memory() int {
	if err := e.enter(); err != nil {
		e.note(err)
		return 0
	}
	defer e.leave()
	return int(e.memory.Size())
}
