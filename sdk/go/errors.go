package azulejo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// ErrReplaced is why [Run] ends when another process uses the bot's token. It is final: coming back
// would only throw that process out.
var ErrReplaced = errors.New("another process uses this token; stop it first, or give this one a token of its own")

// ErrNoToken is why [Run] does not begin without a token.
var ErrNoToken = errors.New("a token is needed: set AZULEJO_TOKEN, or register with WithRegistration(\"you/first-bot\")")

// Error is a refusal, by the server or on the way to it. Get at it by [errors.As].
type Error struct {
	// Code is the gRPC code.
	Code codes.Code
	// Reason never changes for the same cause; the package reason lists them. Empty if the server
	// did not answer.
	Reason reason.Reason
	// Message is for people.
	Message string
	// Metadata is for programs: for an illegal move `rule`.
	Metadata map[string]string
	// Violations are the fields that are to blame.
	Violations []FieldViolation
	// RetryAfter is when the server asks to try again; 0 if it does not.
	RetryAfter time.Duration
}

// FieldViolation is a field that is to blame for an error.
type FieldViolation struct {
	// Field is its path within the request.
	Field string
	// Description is for people.
	Description string
}

func (e *Error) Error() string {
	name := string(e.Reason)
	if name == "" {
		name = e.Code.String()
	}
	text := fmt.Sprintf("%s (%s)", e.Message, name)
	for _, violation := range e.Violations {
		if violation.Description == e.Message {
			continue // The message names the field already.
		}
		text += fmt.Sprintf("; field %s: %s", violation.Field, violation.Description)
	}
	return text
}

// Rule is which rule forbids the move or the deal; empty if none does.
func (e *Error) Rule() reason.Rule { return reason.Rule(e.Metadata["rule"]) }

// Unwrap makes errors.Is work for the errors of contexts.
func (e *Error) Unwrap() error {
	switch e.Code {
	case codes.Canceled:
		return context.Canceled
	case codes.DeadlineExceeded:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// GRPCStatus makes status.Code and its like work.
func (e *Error) GRPCStatus() *status.Status { return status.New(e.Code, e.Message) }

// asError reads what a call returned; nil of nil.
func asError(err error) *Error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	answer := status.Convert(err)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		answer = status.FromContextError(err)
	}
	made := &Error{Code: answer.Code(), Message: answer.Message()}
	for _, detail := range answer.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			made.Reason, made.Metadata = reason.Reason(detail.GetReason()), detail.GetMetadata()
		case *errdetails.BadRequest:
			for _, each := range detail.GetFieldViolations() {
				violation := FieldViolation{Field: each.GetField(), Description: each.GetDescription()}
				made.Violations = append(made.Violations, violation)
			}
		case *errdetails.RetryInfo:
			made.RetryAfter = detail.GetRetryDelay().AsDuration()
		}
	}
	return made
}

// isPassing tells whether the same call may succeed a little later. The transport raises Canceled,
// Unknown and Internal by itself, without a reason, when a server goes away in the middle of a call.
func (e *Error) isPassing() bool {
	switch e.Code {
	case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted:
		return true
	case codes.Canceled, codes.Unknown, codes.Internal:
		return e.Reason == ""
	default:
		return false
	}
}

// isExpected tells whether the refusal is part of the game: too late, or said before.
func (e *Error) isExpected() bool {
	return e.Code == codes.Aborted || e.Code == codes.FailedPrecondition
}
