package local

import (
	"encoding/json"
	"strconv"
)

// Error says what was refused, and why. What was refused changed nothing.
type Error struct {
	// Reason is stable, as in the API: ILLEGAL_MOVE, NO_SUCH_ACTION, CLOSED, …
	Reason string `json:"reason"`
	// Rule is the rule that forbids the move or the deal, if there is one: COLOR_ABSENT, …
	Rule string `json:"rule"`
	// Message is for people.
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message + " (" + e.Reason + ")" }

// Is reports whether the target has the same reason, so that errors.Is works with the values below.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Reason == e.Reason && (other.Rule == "" || other.Rule == e.Rule)
}

var (
	// ErrClosed is the error of a game, batch or engine that is used after Close.
	ErrClosed = &Error{Reason: "CLOSED", Message: "it is closed"}
	// ErrBusy is the error of a call while another goroutine is in a call of the same engine.
	ErrBusy = &Error{Reason: "BUSY", Message: "the engine is in a call of another goroutine: open one for each"}
	// ErrIllegalMove is the error of a move that the rules forbid.
	ErrIllegalMove = &Error{Reason: "ILLEGAL_MOVE", Message: "illegal move"}
)

func parseError(text []byte) error {
	refusal := new(Error)
	if err := json.Unmarshal(text, refusal); err != nil {
		return failed("unexpected answer: " + err.Error())
	}
	return refusal
}

// failed is the error of an instance that cannot be used any more.
func failed(message string) error {
	return &Error{Reason: "ENGINE_FAILED", Message: "the engine has failed, open another one: " + message}
}

func outOfRange(message string) error {
	return &Error{Reason: "OUT_OF_RANGE", Message: message}
}

func noSuchSeat(seat, seats int) error {
	message := "seat " + strconv.Itoa(seat) + " does not exist: this game has " + strconv.Itoa(seats) + " seats, numbered from 0"
	return &Error{Reason: "NO_SUCH_SEAT", Message: message}
}
