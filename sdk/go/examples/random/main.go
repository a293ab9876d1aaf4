// Random plays any legal move: a floor for every other bot.
package main

import (
	"context"
	"math/rand/v2"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
)

func main() {
	azulejo.Main(azulejo.BotFunc(choose), azulejo.WithRegistration("ana/random"), azulejo.WithGamesAtOnce(4))
}

func choose(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	return azulejo.Pick(turn.LegalMoves[rand.IntN(len(turn.LegalMoves))]), nil
}
