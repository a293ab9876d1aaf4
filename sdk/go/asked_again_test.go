package azulejo

import (
	"context"
	"net"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// restarted answers as a server that has just begun again: it calls a turn stale, asks for it, and
// its refusal arrives after that. A real one does so too, but not when a test wants it.
type restarted struct {
	arenav1.UnimplementedPlayServiceServer
	ask      func()
	accepted chan uint32
	calls    int
}

func (s *restarted) SubmitMove(_ context.Context, move *arenav1.SubmitMoveRequest) (*arenav1.SubmitMoveResponse, error) {
	if s.calls++; s.calls == 1 {
		s.ask()
		stale, err := status.New(codes.Aborted, "stale").WithDetails(&errdetails.ErrorInfo{Reason: "STALE_TURN"})
		if err != nil {
			return nil, err
		}
		return nil, stale.Err()
	}
	s.accepted <- move.GetActionId()
	return &arenav1.SubmitMoveResponse{}, nil
}

func Test_an_answer_that_is_refused_while_its_turn_is_asked_again_is_given_again(t *testing.T) {
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	there, server := &restarted{accepted: make(chan uint32, 2)}, grpc.NewServer()
	arenav1.RegisterPlayServiceServer(server, there)
	go func() { _ = server.Serve(socket) }()
	defer server.Stop()
	o := optionsOf([]Option{WithServer("http://" + socket.Addr().String()), WithToken("azb_any")})
	conn, err := dial(o)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	chosen := uint32(0)
	p := newPlayer(t.Context(), BotFunc(func(context.Context, *Turn) (*Move, error) {
		chosen++
		return MoveByID(chosen), nil
	}), o, conn)
	turn := &Turn{MatchId: "aaaaaaaaaaaaaaaa", Turn: 3, Left: durationpb.New(time.Minute)}
	there.ask = func() { p.take(&arenav1.PlayEvent{Event: &arenav1.PlayEvent_Turn{Turn: turn}}) }
	there.ask()
	select {
	case answer := <-there.accepted:
		if answer != 1 {
			t.Errorf("the bot was asked %d times", answer)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the turn stays without an answer")
	}
	p.leave()
}
