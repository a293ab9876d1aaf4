// Random plays a random legal move: the baseline for every other bot.
package main

import (
	"context"
	"math/rand/v2"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
)

func main() {
	azulejo.Main(azulejo.BotFunc(choose), azulejo.WithRegistration("ana/random"), azulejo.WithMaxConcurrentMatches(4))
}

func choose(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	return azulejo.Pick(turn.LegalMoves[rand.IntN(len(turn.LegalMoves))]), nil
}
