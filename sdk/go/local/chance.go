package local

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// Option is how a game starts.
type Option func(*start)

type start struct {
	chance string
	seat   int
}

// Seed starts the small, fast generator that deals: the same seed and the same moves give the same
// deals. Without an option it is random.
func Seed(number uint64) Option {
	return func(s *start) { s.chance = "auto:" + strconv.FormatUint(number, 10) }
}

// ArenaSeed is a seed as in the arena, a number: each tile depends on the seed and on how many were
// drawn before.
func ArenaSeed(number uint64) Option {
	return func(s *start) { s.chance = "seed:" + strconv.FormatUint(number, 10) }
}

// ArenaSeedHex is a seed as in the arena, 64 hexadecimal digits.
func ArenaSeedHex(digits string) Option {
	return func(s *start) { s.chance = "seed:" + digits }
}

// Explicit leaves all deals to the caller: see [Game.ChanceOutcomes].
func Explicit() Option {
	return func(s *start) { s.chance = "explicit" }
}

// StartSeat is the seat that starts; 0 without it. Positions that are parsed have their own.
func StartSeat(seat int) Option {
	return func(s *start) { s.seat = seat }
}

func read(options []Option) start {
	s := start{chance: "auto:" + strconv.FormatUint(rand.Uint64(), 10)}
	for _, option := range options {
		if option != nil {
			option(&s)
		}
	}
	return s
}

// lines joins options; each is one line.
func lines(all ...string) (string, error) {
	for _, line := range all {
		if strings.Contains(line, "\n") {
			return "", &Error{Reason: "BAD_MESSAGE", Message: "an option must be a text of one line"}
		}
	}
	return strings.Join(all, "\n"), nil
}
