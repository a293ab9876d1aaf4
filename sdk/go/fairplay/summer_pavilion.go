package fairplay

import (
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

const (
	supplySpaces = 10
	firstPoints  = 5
)

// The wild color of each round, counted from 0: purple, green, orange, yellow, blue, red.
var wildColors = [...]int{5, 4, 0, 3, 2, 1}

type pavilionLedger struct {
	table
	supply Tiles
	round  int
}

func newPavilionLedger(rules *gamev1.SummerPavilionRules, seed [32]byte) *pavilionLedger {
	made := newTable(seed, rules.GetPlayers(), 6, 22, firstPoints)
	return &pavilionLedger{table: made, supply: make(Tiles, 6), round: 1}
}

func pavilionTiles(tiles *gamev1.SummerPavilionTiles) Tiles {
	return Tiles{
		tiles.GetOrange(), tiles.GetRed(), tiles.GetBlue(),
		tiles.GetYellow(), tiles.GetGreen(), tiles.GetPurple(),
	}
}

func (l *pavilionLedger) topUp() (made []deal) {
	if room := supplySpaces - l.supply.total(); room > 0 && !l.stock.empty() {
		made = append(made, l.fill(supply, room))
		l.supply.add(made[0].tiles)
	}
	return made
}

func (l *pavilionLedger) start(first *gamev1.GameState) error {
	var reported deals
	reported.dealt(supply, pavilionTiles(first.GetSummerPavilion().GetSupply()))
	for index, tiles := range first.GetSummerPavilion().GetFactories() {
		reported.dealt(uint32(index)+1, pavilionTiles(tiles))
	}
	expected := append(l.topUp(), l.fillFactories()...)
	if !reported.are(expected) || pavilionTiles(first.GetSummerPavilion().GetCenter()).total() != 0 {
		return errDifferent
	}
	return l.compareState(first)
}

func (l *pavilionLedger) compareState(state *gamev1.GameState) error {
	pavilion := state.GetSummerPavilion()
	return l.compareStock(pavilionTiles(pavilion.GetBag()), pavilionTiles(pavilion.GetTower()), pavilion.GetDrawn())
}

// Consequences of a move on which the deals depend.
type aftermath struct {
	earned, turnOver, newRound bool
}

func (l *pavilionLedger) follow(made *arenav1.MoveMade) error {
	var reported deals
	var after aftermath
	for _, event := range made.GetEvents() {
		switch event := event.GetSummerPavilion().GetEvent().(type) {
		case *gamev1.SummerPavilionEvent_TowerTipped:
			reported.tip(pavilionTiles(event.TowerTipped.GetTiles()))
		case *gamev1.SummerPavilionEvent_Dealt:
			// GetFactory returns 0 for the supply.
			reported.dealt(event.Dealt.GetFactory(), pavilionTiles(event.Dealt.GetTiles()))
		default:
			if err := l.apply(event, made.GetMove().GetMove().GetSummerPavilion(), &after); err != nil {
				return err
			}
		}
	}
	if !reported.are(l.due(made, after)) {
		return errDifferent
	}
	return nil
}

// due draws the deals that follow a move.
func (l *pavilionLedger) due(made *arenav1.MoveMade, after aftermath) []deal {
	placed := made.GetMove().GetMove().GetSummerPavilion().GetPlace() != nil
	waits := after.earned && l.supply.total() > 0
	switch {
	case l.over:
		return nil
	case after.newRound:
		return append(l.topUp(), l.fillFactories()...)
	case after.turnOver, placed && !waits:
		return l.topUp()
	}
	return nil
}

// apply moves tiles to the tower and from the supply, and points to the score track.
func (l *pavilionLedger) apply(event any, move *gamev1.SummerPavilionMove, after *aftermath) error {
	switch event := event.(type) {
	case *gamev1.SummerPavilionEvent_TokenTaken:
		return l.score(event.TokenTaken.GetSeat(), -int64(event.TokenTaken.GetLost()))
	case *gamev1.SummerPavilionEvent_Placed:
		return l.placed(event.Placed, move.GetPlace().GetNaturals())
	case *gamev1.SummerPavilionEvent_BonusEarned:
		after.earned = true
	case *gamev1.SummerPavilionEvent_BonusTaken:
		after.turnOver = true
		for color, count := range pavilionTiles(event.BonusTaken.GetTiles()) {
			if count > l.supply[color] {
				return errDifferent
			}
			l.supply[color] -= count
		}
	case *gamev1.SummerPavilionEvent_Passed:
		after.turnOver = true
		l.stock.Discards.add(pavilionTiles(event.Passed.GetDiscarded()))
		return l.score(event.Passed.GetSeat(), -int64(event.Passed.GetLost()))
	case *gamev1.SummerPavilionEvent_RoundBegan:
		after.newRound = true
		l.round++
	case *gamev1.SummerPavilionEvent_FinalScore:
		final := event.FinalScore
		if !l.has(final.GetSeat(), 0) {
			return errDifferent
		}
		l.bonuses[final.GetSeat()] = int64(final.GetStars()) + int64(final.GetNumbers()) - int64(final.GetLost())
	case *gamev1.SummerPavilionEvent_GameEnded:
		l.over = true
	}
	return nil
}

// placed moves the tiles that were paid, except the placed one, to the tower.
func (l *pavilionLedger) placed(placed *gamev1.SummerPavilionPlaced, naturals uint32) error {
	color := int(placed.GetColor()) - 1
	if !l.has(placed.GetSeat(), color) || naturals == 0 || l.round > len(wildColors) {
		return errDifferent
	}
	l.stock.Discards[color] += naturals - 1
	l.stock.Discards[wildColors[l.round-1]] += placed.GetWilds()
	return l.score(placed.GetSeat(), int64(placed.GetPoints()))
}

func (l *pavilionLedger) score(seat uint32, points int64) error {
	if !l.has(seat, 0) {
		return errDifferent
	}
	l.points[seat] += points
	return nil
}
