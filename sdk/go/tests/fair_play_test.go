package tests

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	"github.com/azulejo-arena/azulejo/sdk/go/fairplay"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// testimony is everything that a seat received about a match.
type testimony struct {
	nonce    [32]byte
	starting *arenav1.MatchStarting
	started  *arenav1.MatchStarted
	turns    []*arenav1.Turn
	moves    []*arenav1.MoveMade
	ended    *arenav1.MatchEnded
}

// clone copies what the tests change; of turns and moves only the lists.
func (h *testimony) clone() *testimony {
	return &testimony{
		nonce:    h.nonce,
		starting: proto.CloneOf(h.starting),
		started:  proto.CloneOf(h.started),
		turns:    slices.Clone(h.turns),
		moves:    slices.Clone(h.moves),
		ended:    proto.CloneOf(h.ended),
	}
}

// turn is a turn that may be changed.
func (h *testimony) turn(index int) *arenav1.Turn {
	h.turns[index] = proto.CloneOf(h.turns[index])
	return h.turns[index]
}

// move is a move that may be changed.
func (h *testimony) move(index int) *arenav1.MoveMade {
	h.moves[index] = proto.CloneOf(h.moves[index])
	return h.moves[index]
}

func (h *testimony) check() (bool, *fairplay.UnfairError) {
	watch := fairplay.NewWatch(h.starting, h.nonce)
	watch.Started(h.started)
	for _, turn := range h.turns {
		watch.Turn(turn)
	}
	for _, made := range h.moves {
		watch.Moved(made)
	}
	return watch.Check(h.ended)
}

// record plays a match against house bots with the generated client, and keeps everything.
func record(t *testing.T, ruleset *azulejo.Ruleset, opponents int, token string) *testimony {
	t.Helper()
	s := sharedServer(t)
	conn, err := azulejo.Dial(azulejo.WithServer(s.url()), azulejo.WithToken(token))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	calls := arenav1.NewPlayServiceClient(conn)
	offer := &arenav1.Offer{MaxConcurrentMatches: 1, PlaysLadder: proto.Bool(false)}
	stream, err := calls.Play(ctx, &arenav1.PlayRequest{Hello: &arenav1.Hello{Version: "1", Offer: offer}})
	if err != nil {
		t.Fatal(err)
	}
	made := &testimony{}
	_, _ = rand.Read(made.nonce[:])
	for made.ended == nil {
		answer, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		switch event := answer.GetEvent().GetEvent().(type) {
		case *arenav1.PlayEvent_Snapshot:
			request := &arenav1.CreateChallengeRequest{Ruleset: ruleset, Seat: 1}
			for range opponents {
				house := &arenav1.Opponent{Opponent: &arenav1.Opponent_House{House: "random"}}
				request.Opponents = append(request.Opponents, house)
			}
			_, err = arenav1.NewChallengesServiceClient(conn).CreateChallenge(ctx, request)
		case *arenav1.PlayEvent_MatchStarting:
			made.starting = event.MatchStarting
			_, err = calls.Ready(ctx, &arenav1.ReadyRequest{MatchId: made.starting.GetMatch().GetId(), Nonce: made.nonce[:]})
		case *arenav1.PlayEvent_MatchStarted:
			made.started = event.MatchStarted
		case *arenav1.PlayEvent_Turn:
			turn := event.Turn
			made.turns = append(made.turns, turn)
			legal := turn.GetLegalMoves()
			chosen := &arenav1.SubmitMoveRequest_ActionId{ActionId: legal[int(turn.GetTurn())%len(legal)].GetActionId()}
			_, err = calls.SubmitMove(ctx, &arenav1.SubmitMoveRequest{MatchId: turn.GetMatchId(), Turn: proto.Uint32(turn.GetTurn()), Action: chosen})
		case *arenav1.PlayEvent_MoveMade:
			made.moves = append(made.moves, event.MoveMade)
		case *arenav1.PlayEvent_MatchEnded:
			made.ended = event.MatchEnded
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return made
}

func Test_a_real_match_is_fair_and_every_change_of_it_is_detected(t *testing.T) {
	for _, key := range []string{"azul-colored-4", "azul-gray-4", "summer-pavilion-colored-4", "summer-pavilion-gray-4"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			ruleset, err := azulejo.ParseRuleset(key)
			if err != nil {
				t.Fatal(err)
			}
			match := record(t, ruleset, 3, sharedServer(t).register(t, ownerOf(t, "")))
			if complete, unfair := match.check(); !complete || unfair != nil {
				t.Fatalf("complete: %v, unfair: %v", complete, unfair)
			}
			tampered(t, match)
			tamperedEvents(t, match)
		})
	}
}

// detects fails unless a change to a match is detected.
func detects(t *testing.T, match *testimony, what string, element fairplay.Element, change func(*testimony)) {
	t.Helper()
	changed := match.clone()
	change(changed)
	if complete, unfair := changed.check(); !complete || unfair == nil || unfair.Element != element {
		t.Errorf("%s: complete: %v, unfair: %v", what, complete, unfair)
	}
}

func tampered(t *testing.T, match *testimony) {
	t.Helper()
	seat := match.starting.GetSeat()
	detects(t, match, "secret", fairplay.SecretChanged, func(m *testimony) { m.ended.Reveal.Secret[0] ^= 1 })
	detects(t, match, "short secret", fairplay.SecretChanged, func(m *testimony) { m.ended.Reveal.Secret = nil })
	detects(t, match, "commitment", fairplay.SecretChanged, func(m *testimony) { m.starting.Match.Commitment[31] ^= 1 })
	detects(t, match, "own nonce", fairplay.NonceChanged, func(m *testimony) { m.ended.Reveal.Nonces[seat][5] ^= 1 })
	detects(t, match, "no own nonce", fairplay.NonceChanged, func(m *testimony) { m.ended.Reveal.Nonces[seat] = nil })
	detects(t, match, "no nonces", fairplay.NonceChanged, func(m *testimony) { m.ended.Reveal.Nonces = nil })
	detects(t, match, "other nonce", fairplay.NonceChanged, func(m *testimony) { m.ended.Reveal.Nonces[0] = []byte{1} })
	detects(t, match, "both nonces of another seat", fairplay.FirstDealChanged, func(m *testimony) {
		m.started.Nonces[0], m.ended.Reveal.Nonces[0] = []byte{1}, []byte{1}
	})
	detects(t, match, "points", fairplay.ScoreChanged, func(m *testimony) { m.ended.Match.Result.Score.Seats[0].Points++ })
	detects(t, match, "total", fairplay.ScoreChanged, func(m *testimony) { m.ended.Match.Result.Score.Seats[2].Total++ })
	detects(t, match, "seats", fairplay.ScoreChanged, func(m *testimony) { m.ended.Match.Result.Score.Seats = nil })
	detects(t, match, "factories", fairplay.FirstDealChanged, func(m *testimony) { swapFirst(m.started.State) })
	detects(t, match, "first bag", fairplay.FirstDealChanged, func(m *testimony) { spoilBag(m.started.State) })
	for index := range match.turns {
		what := fmt.Sprintf("turn %d", index)
		detects(t, match, what, fairplay.MoveChanged, func(m *testimony) { spoilBag(m.turn(index).State) })
		detects(t, match, what, fairplay.MoveChanged, func(m *testimony) { spoilDrawn(m.turn(index).State) })
	}
	brokenRules(t, match)
	missing := match.clone()
	missing.moves = missing.moves[1:]
	if complete, unfair := missing.check(); complete || unfair != nil {
		t.Error("a match with a missing move counts as checked")
	}
}

// brokenRules are changes that no deal and no points on the way depend on.
func brokenRules(t *testing.T, match *testimony) {
	t.Helper()
	detects(t, match, "a move of another turn", fairplay.RulesBroken, func(m *testimony) {
		late := 5
		// It may be the same move again.
		for m.moves[late].GetMove().GetActionId() == m.moves[1].GetMove().GetActionId() {
			late++
		}
		m.move(late).Move = m.moves[1].GetMove()
	})
	detects(t, match, "the seat that moved", fairplay.RulesBroken, func(m *testimony) {
		m.move(2).Seat = (m.moves[2].GetSeat() + 1) % 4
	})
	detects(t, match, "the notation of a move", fairplay.RulesBroken, func(m *testimony) {
		made := m.move(2)
		made.Move = proto.CloneOf(made.GetMove())
		made.Move.Notation += "1"
	})
	detects(t, match, "the start seat at a turn", fairplay.RulesBroken, func(m *testimony) {
		state := m.turn(0).GetState()
		if azul := state.GetAzul(); azul != nil {
			azul.StartSeat = (azul.GetStartSeat() + 1) % 4
		} else {
			pavilion := state.GetSummerPavilion()
			pavilion.StartSeat = (pavilion.GetStartSeat() + 1) % 4
		}
	})
	detects(t, match, "the winners", fairplay.ScoreChanged, func(m *testimony) {
		score := m.ended.Match.Result.Score
		score.Winners = append(score.Winners, 9)
	})
	detects(t, match, "the end of the game", fairplay.ScoreChanged, func(m *testimony) {
		m.ended.Match.Result.Score.End = gamev1.GameEnd_GAME_END_UNSPECIFIED
	})
}

func swapFirst(state *gamev1.GameState) {
	if azul := state.GetAzul(); azul != nil {
		azul.Factories[0], azul.Factories[1] = &gamev1.AzulTiles{Blue: 4}, &gamev1.AzulTiles{Blue: 4}
		return
	}
	state.GetSummerPavilion().Supply = &gamev1.SummerPavilionTiles{Red: 10}
}

func spoilBag(state *gamev1.GameState) {
	if azul := state.GetAzul(); azul != nil {
		azul.Bag = &gamev1.AzulTiles{Red: 99}
		return
	}
	state.GetSummerPavilion().Tower = &gamev1.SummerPavilionTiles{Red: 99}
}

func spoilDrawn(state *gamev1.GameState) {
	if azul := state.GetAzul(); azul != nil {
		azul.Drawn++
		return
	}
	state.GetSummerPavilion().Drawn++
}

// tamperedEvents changes every single deal of the match.
func tamperedEvents(t *testing.T, match *testimony) {
	t.Helper()
	dealt, tipped := 0, 0
	for turn, made := range match.moves {
		for index, event := range made.GetEvents() {
			what := fmt.Sprintf("event %d of move %d", index, turn)
			azul, pavilion := event.GetAzul(), event.GetSummerPavilion()
			switch {
			case azul.GetLidTipped() != nil, pavilion.GetTowerTipped() != nil:
				tipped++
			case azul.GetDealt() != nil, pavilion.GetDealt() != nil:
				dealt++
			default:
				continue
			}
			detects(t, match, what, fairplay.MoveChanged, func(m *testimony) { spoilDeal(m.move(turn).Events[index]) })
			detects(t, match, what+" omitted", fairplay.MoveChanged, func(m *testimony) {
				made := m.move(turn)
				made.Events = slices.Delete(made.Events, index, index+1)
			})
			detects(t, match, what+" twice", fairplay.MoveChanged, func(m *testimony) {
				made := m.move(turn)
				made.Events = append(made.Events, made.Events[index])
			})
		}
	}
	if dealt == 0 || tipped == 0 {
		t.Errorf("%d deals, %d returns of the discards: too few for this test", dealt, tipped)
	}
}

func spoilDeal(event *gamev1.Event) {
	azul, pavilion := event.GetAzul(), event.GetSummerPavilion()
	switch {
	case azul.GetLidTipped() != nil:
		azul.GetLidTipped().Tiles.White++
	case azul.GetDealt() != nil:
		azul.GetDealt().Tiles.White++
	case pavilion.GetTowerTipped() != nil:
		pavilion.GetTowerTipped().Tiles.Green++
	case pavilion.GetDealt() != nil:
		pavilion.GetDealt().Tiles.Green++
	}
}
