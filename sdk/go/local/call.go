package local

import (
	"context"
	"errors"
	"strings"
)

// refused is the value of a call that was refused.
const refused = ^uint32(0)

// The longest input; the module refuses more.
const mostInput = 1 << 26

// enter begins a call of the module, and leave ends it.
func (e *Engine) enter() error {
	if !e.busy.CompareAndSwap(false, true) {
		return ErrBusy
	}
	if e.closed.Load() {
		e.busy.Store(false)
		return ErrClosed
	}
	if e.broken != nil {
		e.busy.Store(false)
		return e.broken
	}
	return nil
}

func (e *Engine) leave() { e.busy.Store(false) }

// run calls an export. The value may be that of a refusal.
func (e *Engine) run(fn function, arguments ...uint64) (uint32, error) {
	copy(e.stack[:], arguments)
	if err := e.exports[fn].CallWithStack(context.Background(), e.stack[:]); err != nil {
		e.broken = failed(strings.SplitN(err.Error(), "\n", 2)[0])
		return 0, e.broken
	}
	return uint32(e.stack[0]), nil
}

// check calls an export inside of a call.
func (e *Engine) check(fn function, arguments ...uint64) (uint32, error) {
	value, err := e.run(fn, arguments...)
	if err != nil {
		return 0, err
	}
	if value == refused {
		return 0, e.refusal()
	}
	return value, nil
}

func (e *Engine) refusal() error {
	output, err := e.output()
	if err != nil {
		return err
	}
	return parseError(output)
}

// output is what the last call wrote: a view of the memory.
func (e *Engine) output() ([]byte, error) {
	address, err := e.run(fnPlace, placeOutput)
	if err != nil {
		return nil, err
	}
	length, err := e.run(fnPlace, placeOutputLength)
	if err != nil {
		return nil, err
	}
	return e.view(address, length)
}

func (e *Engine) view(address, length uint32) ([]byte, error) {
	view, ok := e.memory.Read(address, length)
	if !ok {
		return nil, failed("no output")
	}
	return view, nil
}

// write writes the input of the next export.
func (e *Engine) write(text string) (uint64, error) {
	if len(text) > mostInput {
		return 0, &Error{Reason: "OUT_OF_MEMORY", Message: "the input is too long"}
	}
	address, err := e.check(fnRoom, uint64(len(text)))
	if err != nil {
		return 0, err
	}
	if !e.memory.WriteString(address, text) {
		return 0, failed("no input")
	}
	return uint64(len(text)), nil
}

// checkText calls an export that has a text as its input: its length is the argument after the first
// one.
func (e *Engine) checkText(fn function, text string, arguments ...uint64) (uint32, error) {
	length, err := e.write(text)
	if err != nil {
		return 0, err
	}
	return e.check(fn, insert(arguments, length)...)
}

// checkBehind calls an export with a text and the bytes behind it.
func (e *Engine) checkBehind(fn function, text string, bytes []byte) (uint32, error) {
	if _, err := e.write(text + string(bytes)); err != nil {
		return 0, err
	}
	return e.check(fn, uint64(len(text)), uint64(len(bytes)))
}

// copyOutput returns a copy of what the last call wrote.
func (e *Engine) copyOutput() ([]byte, error) {
	output, err := e.output()
	return append([]byte(nil), output...), err
}

// call calls an export.
func (e *Engine) call(fn function, arguments ...uint64) (uint32, error) {
	if err := e.enter(); err != nil {
		return 0, err
	}
	defer e.leave()
	return e.check(fn, arguments...)
}

// written is call with a text as the input.
func (e *Engine) written(fn function, text string, arguments ...uint64) (uint32, error) {
	if err := e.enter(); err != nil {
		return 0, err
	}
	defer e.leave()
	return e.checkText(fn, text, arguments...)
}

// insert puts the length of the input where the module expects it: after the handle.
func insert(arguments []uint64, length uint64) []uint64 {
	if len(arguments) == 0 {
		return []uint64{length}
	}
	return append([]uint64{arguments[0], length}, arguments[1:]...)
}

// bytes calls an export and returns a copy of its output.
func (e *Engine) bytes(fn function, arguments ...uint64) ([]byte, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	if _, err := e.check(fn, arguments...); err != nil {
		return nil, err
	}
	return e.copyOutput()
}

// text calls an export and returns its output as text.
func (e *Engine) text(fn function, arguments ...uint64) (string, error) {
	output, err := e.bytes(fn, arguments...)
	return string(output), err
}

// answer is written with the output as the result.
func (e *Engine) answer(fn function, text string, arguments ...uint64) ([]byte, error) {
	if err := e.enter(); err != nil {
		return nil, err
	}
	defer e.leave()
	if _, err := e.checkText(fn, text, arguments...); err != nil {
		return nil, err
	}
	return e.copyOutput()
}

// release releases an object, or leaves it to a later call if the engine is busy.
func (e *Engine) release(object dropped) {
	_, err := e.call(object.free, uint64(object.handle))
	if errors.Is(err, ErrBusy) {
		e.drop(object)
		return
	}
	if !e.closed.Load() { // The memory is gone with the engine.
		e.note(err)
	}
}

// drop releases an object later: the garbage collector has its own goroutine.
func (e *Engine) drop(object dropped) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dropped = append(e.dropped, object)
}

// sweep releases what was dropped, inside of a call.
func (e *Engine) sweep() {
	e.mu.Lock()
	all := e.dropped
	e.dropped = nil
	e.mu.Unlock()
	for _, object := range all {
		_, err := e.check(object.free, uint64(object.handle))
		e.note(err)
	}
}
