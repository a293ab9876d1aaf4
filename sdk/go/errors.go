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

// ErrReplaced is returned by [Run] when another process uses the bot's token. It is final: reconnecting
// would only replace that process in turn.
var ErrReplaced = errors.New("another process uses this token: stop it, or use a different token")

// ErrNoToken is returned by [Run] if there is neither a token nor a name to register.
var ErrNoToken = errors.New("no token: set AZULEJO_TOKEN, or register with WithRegistration(\"you/first-bot\")")

// Error is a failed call. Use [errors.As] to get it.
type Error struct {
	// Code is the gRPC code.
	Code codes.Code
	// Reason is the stable reason; the package reason lists them. Empty if the server did not
	// answer.
	Reason reason.Reason
	// Message is for people.
	Message string
	// Metadata is for programs, for example `rule` for an illegal move.
	Metadata map[string]string
	// Violations are the wrong fields of the request.
	Violations []FieldViolation
	// RetryAfter is the delay that the server asks for before a retry; 0 if none.
	RetryAfter time.Duration
}

// FieldViolation is a wrong field of a request.
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
			continue // The message already names the field.
		}
		text += fmt.Sprintf("; field %s: %s", violation.Field, violation.Description)
	}
	return text
}

// Rule returns the rule that forbids the move or the deal; empty if there is none.
func (e *Error) Rule() reason.Rule { return reason.Rule(e.Metadata["rule"]) }

// Unwrap makes errors.Is work for context errors.
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

// GRPCStatus makes status.Code and status.Convert work.
func (e *Error) GRPCStatus() *status.Status { return status.New(e.Code, e.Message) }

// asError converts the error of a call, or the error of one request of a batch. It returns nil for nil.
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

// isTransient says whether a retry may succeed. If a server disappears during a call, the transport
// returns Canceled, Unknown or Internal without a reason.
func (e *Error) isTransient() bool {
	switch e.Code {
	case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted:
		return true
	case codes.Canceled, codes.Unknown, codes.Internal:
		return e.Reason == ""
	default:
		return false
	}
}

// isExpected says whether the error is part of normal play: the call was too late, or was made before.
func (e *Error) isExpected() bool {
	return e.Code == codes.Aborted || e.Code == codes.FailedPrecondition || e.Reason == reason.MoveAlreadyAccepted
}
