package tests

import gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"

func (r *reader) events(events []*gamev1.Event) {
	for _, event := range events {
		isRight := false
		if azul := event.GetAzul(); azul != nil {
			isRight = r.azulEvent(azul)
		} else {
			isRight = r.pavilionEvent(event.GetSummerPavilion())
		}
		if !isRight {
			r.t.Errorf("event %v", event)
		}
	}
}

func (r *reader) azulEvent(event *gamev1.AzulEvent) bool {
	switch event := event.Event.(type) {
	case *gamev1.AzulEvent_Took:
		return event.Took.Tiles > 0 && event.Took.Color != 0 && event.Took.Source != nil
	case *gamev1.AzulEvent_MarkerTaken:
		return event.MarkerTaken.Seat < 4
	case *gamev1.AzulEvent_LaidOnLine:
		return event.LaidOnLine.Tiles > 0 && event.LaidOnLine.Row > 0 && event.LaidOnLine.Color != 0
	case *gamev1.AzulEvent_FellToFloor:
		return event.FellToFloor.Tiles > 0 && event.FellToFloor.Color != 0
	case *gamev1.AzulEvent_FellToLid:
		return event.FellToLid.Tiles > 0 && event.FellToLid.Color != 0
	case *gamev1.AzulEvent_TilePlaced:
		placed := event.TilePlaced
		return placed.Points > 0 && placed.Row > 0 && placed.Column > 0 && placed.Color != 0
	case *gamev1.AzulEvent_LineDropped:
		return event.LineDropped.Tiles > 0 && event.LineDropped.Row > 0 && event.LineDropped.Color != 0
	case *gamev1.AzulEvent_FloorCleared:
		return event.FloorCleared.Lost <= event.FloorCleared.Penalty
	case *gamev1.AzulEvent_RoundBegan:
		return event.RoundBegan.Round > 0 && event.RoundBegan.StartSeat < 4
	case *gamev1.AzulEvent_LidTipped:
		r.seen["azul lid_tipped"]++
		return azulSum(event.LidTipped.Tiles) > 0
	case *gamev1.AzulEvent_Dealt:
		r.seen["azul dealt"]++
		return azulSum(event.Dealt.Tiles) <= 4 && event.Dealt.Factory > 0
	case *gamev1.AzulEvent_Bonus:
		return event.Bonus.Points == 2*event.Bonus.Rows+7*event.Bonus.Columns+10*event.Bonus.Colors
	case *gamev1.AzulEvent_GameEnded:
		return event.GameEnded.End != 0
	}
	return false
}

func (r *reader) pavilionEvent(event *gamev1.SummerPavilionEvent) bool {
	switch event := event.Event.(type) {
	case *gamev1.SummerPavilionEvent_Took:
		return event.Took.Tiles > event.Took.Wilds || event.Took.Tiles == 1 && event.Took.Source != nil
	case *gamev1.SummerPavilionEvent_TokenTaken:
		return event.TokenTaken.Seat < 4 && event.TokenTaken.Lost <= 132
	case *gamev1.SummerPavilionEvent_PlacingBegan:
		return event.PlacingBegan.Seat < 4
	case *gamev1.SummerPavilionEvent_Placed:
		placed := event.Placed
		return placed.Points > 0 && placed.Space > 0 && placed.Star != 0 && placed.Color != 0 && placed.Wilds < 6
	case *gamev1.SummerPavilionEvent_BonusEarned:
		return event.BonusEarned.Tiles > 0
	case *gamev1.SummerPavilionEvent_BonusTaken:
		r.seen["pavilion bonus_taken"]++
		return pavilionSum(event.BonusTaken.Tiles) > 0
	case *gamev1.SummerPavilionEvent_Passed:
		r.seen["pavilion passed"]++
		return pavilionSum(event.Passed.Kept) <= 4 && pavilionSum(event.Passed.Discarded) >= event.Passed.Lost
	case *gamev1.SummerPavilionEvent_RoundBegan:
		return event.RoundBegan.Round > 0 && event.RoundBegan.Wild != 0 && event.RoundBegan.StartSeat < 4
	case *gamev1.SummerPavilionEvent_TowerTipped:
		r.seen["pavilion tower_tipped"]++
		return pavilionSum(event.TowerTipped.Tiles) > 0
	case *gamev1.SummerPavilionEvent_Dealt:
		r.seen["pavilion dealt"]++
		return pavilionSum(event.Dealt.Tiles) <= 10 && event.Dealt.Display != nil
	case *gamev1.SummerPavilionEvent_FinalScore:
		return event.FinalScore.Seat < 4 && event.FinalScore.Stars+event.FinalScore.Numbers+event.FinalScore.Lost < 1000
	case *gamev1.SummerPavilionEvent_GameEnded:
		return event.GameEnded != nil
	}
	return false
}
