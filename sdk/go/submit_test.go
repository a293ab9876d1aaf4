package azulejo

import (
	"context"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// submissions answers every SubmitMove by a function.
type submissions struct {
	arenav1.UnimplementedPlayServiceServer
	list[*arenav1.SubmitMoveRequest]
	answer func(number int) error
}

func (s *submissions) SubmitMove(_ context.Context, move *arenav1.SubmitMoveRequest) (*arenav1.SubmitMoveResponse, error) {
	if err := s.answer(s.add(move)); err != nil {
		return nil, err
	}
	return &arenav1.SubmitMoveResponse{}, nil
}

// counting chooses the action ids 1, 2 and so on.
func counting() Bot {
	chosen := uint32(0)
	return BotFunc(func(context.Context, *Turn) (*Move, error) {
		chosen++
		return MoveByID(chosen), nil
	})
}

func turnEvent(number uint32) *arenav1.PlayEvent {
	turn := &Turn{MatchId: "aaaaaaaaaaaaaaaa", Turn: number, TimeLeft: durationpb.New(time.Minute)}
	return &arenav1.PlayEvent{Event: &arenav1.PlayEvent_Turn{Turn: turn}}
}

// hasDecided says whether the turn of the only match is answered.
func (p *player) hasDecided() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.matches["aaaaaaaaaaaaaaaa"].deciding == nil
}

func serveSubmissions(t *testing.T, server *submissions, bot Bot) *player {
	t.Helper()
	address := fakeServer(t, func(s *grpc.Server) { arenav1.RegisterPlayServiceServer(s, server) })
	return fakePlayer(t, bot, WithServer(address), WithToken("azb_any"))
}

// A server that has just restarted refuses a turn as stale until it has sent it; its refusal may arrive
// after the turn.
func Test_an_answer_that_is_refused_while_its_turn_is_repeated_is_submitted_again(t *testing.T) {
	server := &submissions{}
	p := serveSubmissions(t, server, counting())
	server.answer = func(number int) error {
		if number == 1 {
			p.handle(turnEvent(3))
			return refusal(codes.Aborted, reason.StaleTurn)
		}
		return nil
	}
	p.handle(turnEvent(3))
	eventually(t, "the answer is accepted", p.hasDecided)
	p.shutDown()
	if sent := server.all(); len(sent) != 2 || sent[1].GetActionId() != 1 {
		t.Errorf("submitted %v", sent)
	}
}

func Test_the_turn_is_always_set_also_if_it_is_0(t *testing.T) {
	server := &submissions{answer: func(int) error { return nil }}
	p := serveSubmissions(t, server, counting())
	p.handle(turnEvent(0))
	eventually(t, "the answer is accepted", p.hasDecided)
	p.shutDown()
	sent := server.all()
	if len(sent) != 1 || sent[0].Turn == nil || *sent[0].Turn != 0 {
		t.Errorf("submitted %v", sent)
	}
}

func Test_a_turn_that_a_previous_process_answered_is_not_decided_again(t *testing.T) {
	server := &submissions{}
	p := serveSubmissions(t, server, counting())
	server.answer = func(int) error {
		p.handle(turnEvent(3))
		return refusal(codes.AlreadyExists, reason.MoveAlreadyAccepted)
	}
	p.handle(turnEvent(3))
	eventually(t, "the answer is refused", p.hasDecided)
	p.shutDown()
	if sent := server.all(); len(sent) != 1 {
		t.Errorf("submitted %v", sent)
	}
}
