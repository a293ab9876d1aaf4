// Greedy looks at each move alone, without an engine: it likes many tiles, lines that they fill
// exactly, and dear places; it dislikes the floor.
package main

import (
	"context"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

func main() {
	azulejo.Main(azulejo.BotFunc(choose), azulejo.WithRegistration("bea/greedy"), azulejo.WithGamesAtOnce(4))
}

func choose(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	best, value := turn.LegalMoves[0], worth(turn, turn.LegalMoves[0])
	for _, legal := range turn.LegalMoves[1:] {
		if worth := worth(turn, legal); worth > value {
			best, value = legal, worth
		}
	}
	return azulejo.Pick(best), nil
}

func worth(turn *azulejo.Turn, legal *azulejo.LegalMove) int {
	if azul := legal.GetMove().GetAzul(); azul != nil {
		return worthInAzul(turn.GetState().GetAzul(), int(turn.GetSeat()), azul)
	}
	return worthInSummerPavilion(turn.GetState().GetSummerPavilion(), legal.GetMove().GetSummerPavilion())
}

func worthInAzul(state *gamev1.AzulState, seat int, move *gamev1.AzulMove) int {
	take := move.GetTake()
	if take == nil {
		return -int(move.GetPlaceTile().GetColumn()) // On the gray wall: from the left.
	}
	offer := state.GetCenter()
	if factory := take.GetFactory(); factory > 0 {
		offer = state.GetFactories()[factory-1]
	}
	tiles := azulCount(offer, take.GetColor())
	if take.GetFloor() != nil {
		return -10 * tiles
	}
	line := int(take.GetLine())
	room := line
	if lines := state.GetBoards()[seat].GetLines(); len(lines) >= line {
		room -= int(lines[line-1].GetTiles())
	}
	fill, waste := min(tiles, room), max(tiles-room, 0)
	value := 2*fill - 5*waste
	if tiles >= room {
		value += 3 + line
	}
	return value
}

func azulCount(tiles *gamev1.AzulTiles, color gamev1.AzulColor) int {
	counts := []uint32{0, tiles.GetBlue(), tiles.GetYellow(), tiles.GetRed(), tiles.GetBlack(), tiles.GetWhite()}
	return int(counts[color])
}

func worthInSummerPavilion(state *gamev1.SummerPavilionState, move *gamev1.SummerPavilionMove) int {
	switch move := move.GetMove().(type) {
	case *gamev1.SummerPavilionMove_Take:
		offer := state.GetCenter()
		if factory := move.Take.GetFactory(); factory > 0 {
			offer = state.GetFactories()[factory-1]
		}
		return pavilionCount(offer, move.Take.GetColor())
	case *gamev1.SummerPavilionMove_Place:
		// Dear places first, paid with as few wild tiles as possible; anything rather than a pass.
		return 10*int(move.Place.GetSpace()) + int(move.Place.GetNaturals())
	case *gamev1.SummerPavilionMove_Pass:
		return -1
	default:
		return 0
	}
}

func pavilionCount(tiles *gamev1.SummerPavilionTiles, color gamev1.SummerPavilionColor) int {
	counts := []uint32{
		0, tiles.GetOrange(), tiles.GetRed(), tiles.GetBlue(),
		tiles.GetYellow(), tiles.GetGreen(), tiles.GetPurple(),
	}
	return int(counts[color])
}
