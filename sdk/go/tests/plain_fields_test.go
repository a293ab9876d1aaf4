package tests

import (
	"testing"

	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// reader reads every field of a game by plain access: `state.Center.Blue`, not `state.GetCenter()`. The
// getters choose the game, and nothing else.
type reader struct {
	t    *testing.T
	seen map[string]int
}

func azulSum(tiles *gamev1.AzulTiles) uint32 {
	return tiles.Blue + tiles.Yellow + tiles.Red + tiles.Black + tiles.White
}

func pavilionSum(tiles *gamev1.SummerPavilionTiles) uint32 {
	return tiles.Orange + tiles.Red + tiles.Blue + tiles.Yellow + tiles.Green + tiles.Purple
}

func (r *reader) state(state *gamev1.GameState) {
	if azul := state.GetAzul(); azul != nil {
		r.azulState(azul)
		return
	}
	r.pavilionState(state.GetSummerPavilion())
}

func (r *reader) azulState(state *gamev1.AzulState) {
	players := int(state.Rules.Players)
	tiles := azulSum(state.Bag) + azulSum(state.Lid) + azulSum(state.Center)
	for index := range 2*players + 1 {
		tiles += azulSum(state.Factories[index])
	}
	markers := 0
	for seat := range players {
		board := state.Boards[seat]
		for line := range 5 {
			if pattern := board.Lines[line]; (pattern.Color == 0) != (pattern.Tiles == 0) {
				r.t.Errorf("line %d of seat %d: %v", line, seat, pattern)
			}
			tiles += board.Lines[line].Tiles
		}
		for space := range 25 {
			if board.Wall[space] != gamev1.AzulColor_AZUL_COLOR_UNSPECIFIED {
				tiles++
			}
		}
		tiles += azulSum(board.Floor)
		if board.HasMarker {
			markers++
		}
	}
	if tiles != 100 || markers > 1 || state.Rules.Version == 0 || state.Rules.RoundLimit == 0 || state.Rules.Side == 0 || state.Round == 0 {
		r.t.Errorf("%d tiles, %d markers: %v", tiles, markers, state)
	}
	over := state.Phase == gamev1.AzulPhase_AZUL_PHASE_OVER
	waits := over || state.Phase == gamev1.AzulPhase_AZUL_PHASE_DEAL
	if (state.End != 0) != over || waits && (markers > 0 || state.TurnSeat != state.StartSeat) {
		r.t.Errorf("%v: %v", state.Phase, state)
	}
}

func (r *reader) pavilionState(state *gamev1.SummerPavilionState) {
	players := int(state.Rules.Players)
	tiles := pavilionSum(state.Bag) + pavilionSum(state.Tower) + pavilionSum(state.Supply) + pavilionSum(state.Center)
	for index := range 2*players + 1 {
		tiles += pavilionSum(state.Factories[index])
	}
	tokens := 0
	for seat := range players {
		board := state.Boards[seat]
		for space := range 42 {
			if board.Spaces[space] != gamev1.SummerPavilionColor_SUMMER_PAVILION_COLOR_UNSPECIFIED {
				tiles++
			}
		}
		tiles += pavilionSum(board.Hand)
		if board.HasToken {
			tokens++
		}
		if board.Points == 0 {
			r.t.Errorf("seat %d has no points", seat)
		}
	}
	if tiles != 132 || tokens > 1 || state.Rules.Version == 0 || state.Rules.Side == 0 || state.Round == 0 {
		r.t.Errorf("%d tiles, %d tokens: %v", tiles, tokens, state)
	}
	over := state.Phase == gamev1.SummerPavilionPhase_SUMMER_PAVILION_PHASE_OVER
	waits := over || state.Phase == gamev1.SummerPavilionPhase_SUMMER_PAVILION_PHASE_DEAL
	if waits && (tokens > 0 || len(state.PassedSeats) > 0 || state.TurnSeat != state.StartSeat) {
		r.t.Errorf("%v: %v", state.Phase, state)
	}
}

func (r *reader) moves(legal []*gamev1.LegalMove) {
	for _, each := range legal {
		if azul := each.Move.GetAzul(); azul != nil {
			r.azulMove(azul, each.Effect.(*gamev1.LegalMove_AzulEffect).AzulEffect)
			continue
		}
		r.pavilionMove(each.Move.GetSummerPavilion(), each.Effect.(*gamev1.LegalMove_SummerPavilionEffect).SummerPavilionEffect)
	}
}

func (r *reader) azulMove(move *gamev1.AzulMove, effect *gamev1.AzulEffect) {
	wrong := effect.TilesTaken != effect.TilesToLine+effect.TilesToFloor+effect.TilesToLid
	switch move := move.Move.(type) {
	case *gamev1.AzulMove_Take:
		r.seen["azul take"]++
		wrong = wrong || effect.TilesTaken == 0 || effect.WallPoints > 0 && !effect.CompletesLine ||
			(effect.FloorPenalty > 0) && effect.TilesToFloor == 0 && !effect.TakesMarker || move.Take.Color == 0
	case *gamev1.AzulMove_PlaceTile:
		r.seen["azul place_tile"]++
		wrong = wrong || effect.TilesTaken > 0 || effect.WallPoints == 0 || effect.TakesMarker || effect.FloorPenalty > 0 ||
			move.PlaceTile.Row == 0 || move.PlaceTile.Column == 0
	default:
		wrong = true
	}
	if wrong {
		r.t.Errorf("the effect of %v is %v", move, effect)
	}
}

func (r *reader) pavilionMove(move *gamev1.SummerPavilionMove, effect *gamev1.SummerPavilionEffect) {
	wrong := false
	switch move := move.Move.(type) {
	case *gamev1.SummerPavilionMove_Take:
		r.seen["pavilion take"]++
		wrong = effect.TilesTaken == 0 || effect.WildsTaken > effect.TilesTaken || effect.PointsLost > 0 && !effect.TakesToken ||
			move.Take.Color == 0
	case *gamev1.SummerPavilionMove_Place:
		r.seen["pavilion place"]++
		wrong = effect.Points == 0 || effect.Cost != move.Place.Naturals+effect.WildsPaid || effect.BonusTiles > 3
	case *gamev1.SummerPavilionMove_TakeBonus:
		r.seen["pavilion take_bonus"]++
		wrong = effect.TilesTaken != pavilionSum(move.TakeBonus.Tiles)
	case *gamev1.SummerPavilionMove_Pass:
		r.seen["pavilion pass"]++
		wrong = effect.PointsLost > effect.TilesDiscarded || effect.TilesTaken > 0
	case *gamev1.SummerPavilionMove_Keep:
		r.seen["pavilion keep"]++
		wrong = pavilionSum(move.Keep.Tiles) != 4 || effect.TilesDiscarded == 0
	default:
		wrong = true
	}
	if wrong {
		r.t.Errorf("the effect of %v is %v", move, effect)
	}
}

func (r *reader) score(score *gamev1.Score) {
	for _, seat := range score.Seats {
		bonuses := uint32(0)
		switch bonus := seat.Bonuses.(type) {
		case *gamev1.SeatScore_Azul:
			bonuses = 2*bonus.Azul.Rows + 7*bonus.Azul.Columns + 10*bonus.Azul.Colors
		case *gamev1.SeatScore_SummerPavilion:
			stars, numbers := bonus.SummerPavilion.Stars, bonus.SummerPavilion.Numbers
			bonuses = stars.Orange + stars.Red + stars.Blue + stars.Yellow + stars.Green + stars.Purple + stars.Center +
				numbers.Ones + numbers.Twos + numbers.Threes + numbers.Fours
		default:
			r.t.Errorf("a score without bonuses: %v", score)
		}
		if seat.Rank == 0 || seat.Points+bonuses != seat.Total+seat.Penalty {
			r.t.Errorf("seat %v", seat)
		}
	}
	if len(score.Winners) == 0 {
		r.t.Errorf("no leader: %v", score)
	}
}
