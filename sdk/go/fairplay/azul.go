package fairplay

import (
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

type azulLedger struct {
	table
	// Tiles on the floor line, by seat. They go to the lid when it is cleared.
	floors []Tiles
}

func newAzulLedger(rules *gamev1.AzulRules, seed [32]byte) *azulLedger {
	made := &azulLedger{table: newTable(seed, rules.GetPlayers(), 5, 20, 0)}
	for range made.points {
		made.floors = append(made.floors, make(Tiles, 5))
	}
	return made
}

func azulTiles(tiles *gamev1.AzulTiles) Tiles {
	return Tiles{tiles.GetBlue(), tiles.GetYellow(), tiles.GetRed(), tiles.GetBlack(), tiles.GetWhite()}
}

func (l *azulLedger) start(first *gamev1.GameState) error {
	var reported deals
	for index, tiles := range first.GetAzul().GetFactories() {
		reported.dealt(uint32(index)+1, azulTiles(tiles))
	}
	if !reported.are(l.fillFactories()) || azulTiles(first.GetAzul().GetCenter()).total() != 0 {
		return errDifferent
	}
	return l.compareState(first)
}

func (l *azulLedger) compareState(state *gamev1.GameState) error {
	azul := state.GetAzul()
	return l.compareStock(azulTiles(azul.GetBag()), azulTiles(azul.GetLid()), azul.GetDrawn())
}

func (l *azulLedger) follow(made *arenav1.MoveMade) error {
	var reported deals
	due := false
	for _, event := range made.GetEvents() {
		switch event := event.GetAzul().GetEvent().(type) {
		case *gamev1.AzulEvent_RoundBegan:
			due = true
		case *gamev1.AzulEvent_LidTipped:
			reported.tip(azulTiles(event.LidTipped.GetTiles()))
		case *gamev1.AzulEvent_Dealt:
			reported.dealt(event.Dealt.GetFactory(), azulTiles(event.Dealt.GetTiles()))
		default:
			if err := l.apply(event); err != nil {
				return err
			}
		}
	}
	var expected []deal
	if due {
		expected = l.fillFactories()
	}
	if !reported.are(expected) {
		return errDifferent
	}
	return nil
}

// apply moves tiles to the floor lines and the lid, and points to the score track.
func (l *azulLedger) apply(event any) error {
	switch event := event.(type) {
	case *gamev1.AzulEvent_FellToFloor:
		fell := event.FellToFloor
		if !l.has(fell.GetSeat(), int(fell.GetColor())-1) {
			return errDifferent
		}
		l.floors[fell.GetSeat()][fell.GetColor()-1] += fell.GetTiles()
	case *gamev1.AzulEvent_FellToLid:
		fell := event.FellToLid
		if !l.has(fell.GetSeat(), int(fell.GetColor())-1) {
			return errDifferent
		}
		l.stock.Discards[fell.GetColor()-1] += fell.GetTiles()
	case *gamev1.AzulEvent_TilePlaced:
		placed := event.TilePlaced
		if !l.has(placed.GetSeat(), int(placed.GetColor())-1) || placed.GetRow() == 0 {
			return errDifferent
		}
		l.stock.Discards[placed.GetColor()-1] += placed.GetRow() - 1
		l.points[placed.GetSeat()] += int64(placed.GetPoints())
	case *gamev1.AzulEvent_FloorCleared:
		seat := event.FloorCleared.GetSeat()
		if !l.has(seat, 0) {
			return errDifferent
		}
		l.stock.Discards.add(l.floors[seat])
		clear(l.floors[seat])
		l.points[seat] -= int64(event.FloorCleared.GetLost())
	case *gamev1.AzulEvent_Bonus:
		if !l.has(event.Bonus.GetSeat(), 0) {
			return errDifferent
		}
		l.bonuses[event.Bonus.GetSeat()] += int64(event.Bonus.GetPoints())
	case *gamev1.AzulEvent_GameEnded:
		l.over = true
	}
	return nil
}
