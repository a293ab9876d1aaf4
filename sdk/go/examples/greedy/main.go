// Greedy plays the move that scores most now. Among equal moves it prefers more tiles.
package main

import (
	"cmp"
	"context"
	"slices"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
)

func main() {
	azulejo.Main(azulejo.BotFunc(choose), azulejo.WithRegistration("bea/greedy"), azulejo.WithMaxConcurrentMatches(4))
}

func choose(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	best := slices.MaxFunc(turn.LegalMoves, func(a, b *azulejo.LegalMove) int {
		return cmp.Or(cmp.Compare(points(a), points(b)), cmp.Compare(tiles(a), tiles(b)))
	})
	return azulejo.Pick(best), nil
}

func points(legal *azulejo.LegalMove) int {
	if azul := legal.GetAzulEffect(); azul != nil {
		return int(azul.WallPoints) - int(azul.FloorPenalty)
	}
	pavilion := legal.GetSummerPavilionEffect()
	return int(pavilion.Points) - int(pavilion.PointsLost)
}

func tiles(legal *azulejo.LegalMove) uint32 {
	if azul := legal.GetAzulEffect(); azul != nil {
		return azul.TilesToLine
	}
	return legal.GetSummerPavilionEffect().TilesTaken
}
