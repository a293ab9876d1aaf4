package azulejo

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff returns the delay before a retry: exponential with jitter, and not much shorter than the
// server asks for.
func backoff(attempt int, failure *Error) time.Duration {
	delay := min(50*time.Millisecond<<min(attempt, 7), 5*time.Second)
	if failure != nil {
		delay = max(delay, failure.RetryAfter)
	}
	return time.Duration(float64(delay) * (0.5 + rand.Float64()))
}

// pause waits. It returns false if the context ended first.
func pause(ctx context.Context, delay time.Duration) bool {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
