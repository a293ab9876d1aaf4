package azulejo

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff is how long to wait before the attempt with this number: longer and longer, never the
// same, and not shorter than the server asks for.
func backoff(attempt int, failure *Error) time.Duration {
	wait := min(50*time.Millisecond<<min(attempt, 7), 5*time.Second)
	if failure != nil {
		wait = max(wait, failure.RetryAfter)
	}
	return time.Duration(float64(wait) * (0.5 + rand.Float64()))
}

// pause waits, and tells whether it waited to the end.
func pause(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
