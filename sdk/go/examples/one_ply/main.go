// One_ply looks one move ahead: it rates the effect of every legal move and plays the best. Ties are
// broken at random. The effects come with the turn, so it needs no call and no knowledge of the rules.
package main

import (
	"context"
	"math"
	"math/rand/v2"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

func main() {
	azulejo.Main(azulejo.BotFunc(choose), azulejo.WithRegistration("cleo/one-ply"), azulejo.WithMaxConcurrentMatches(4))
}

func choose(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	var best []*azulejo.LegalMove
	highest := math.Inf(-1)
	for _, legal := range turn.LegalMoves {
		switch worth := value(legal); {
		case worth > highest || best == nil:
			best, highest = []*azulejo.LegalMove{legal}, worth
		case worth == highest:
			best = append(best, legal)
		}
	}
	return azulejo.Pick(best[rand.IntN(len(best))]), nil
}

func value(legal *azulejo.LegalMove) float64 {
	if azul := legal.GetAzulEffect(); azul != nil {
		return azulValue(azul)
	}
	if legal.GetMove().GetSummerPavilion().GetPass() != nil {
		return math.Inf(-1) // Only if there is nothing else.
	}
	return pavilionValue(legal.GetSummerPavilionEffect())
}

func azulValue(effect *gamev1.AzulEffect) float64 {
	value := float64(effect.WallPoints) + 0.25*float64(effect.TilesToLine)
	if effect.CompletesLine {
		value++
	}
	return value - float64(effect.FloorPenalty) - float64(effect.TilesToLid)
}

func pavilionValue(effect *gamev1.SummerPavilionEffect) float64 {
	gain := float64(effect.Points) + 2*float64(effect.BonusTiles) + 0.5*float64(effect.TilesTaken)
	return gain - 0.5*float64(effect.WildsPaid) - float64(effect.PointsLost)
}
