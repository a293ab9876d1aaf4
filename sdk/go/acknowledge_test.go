package azulejo

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// heartbeats sends a snapshot and never a ping.
type heartbeats struct {
	arenav1.UnimplementedPlayServiceServer
	list[*arenav1.HeartbeatRequest]
	snapshot *arenav1.Snapshot
	// Number of heartbeats whose answer is lost.
	lost int
}

func (h *heartbeats) Play(_ *arenav1.PlayRequest, stream grpc.ServerStreamingServer[arenav1.PlayResponse]) error {
	event := &arenav1.PlayEvent{Seq: 1, Event: &arenav1.PlayEvent_Snapshot{Snapshot: h.snapshot}}
	if err := stream.Send(&arenav1.PlayResponse{Event: event}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (h *heartbeats) Heartbeat(_ context.Context, request *arenav1.HeartbeatRequest) (*arenav1.HeartbeatResponse, error) {
	if h.add(request) <= h.lost {
		return nil, status.Error(codes.Unavailable, "connection lost")
	}
	return &arenav1.HeartbeatResponse{}, nil
}

// acknowledged returns all ids that were acknowledged, without repetitions.
func (h *heartbeats) acknowledged(t *testing.T) []string {
	t.Helper()
	var ids []string
	for _, request := range h.all() {
		if request.GetPing() != 0 || len(request.GetEndedMatchIds()) > maxAcknowledged {
			t.Errorf("heartbeat %v", request)
		}
		ids = append(ids, request.GetEndedMatchIds()...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func endOf(id string) *arenav1.MatchEnded {
	return &arenav1.MatchEnded{Match: &arenav1.Match{Id: id, Status: arenav1.MatchStatus_MATCH_STATUS_ENDED}}
}

func endEvent(id string) *arenav1.PlayEvent {
	return &arenav1.PlayEvent{Event: &arenav1.PlayEvent_MatchEnded{MatchEnded: endOf(id)}}
}

func serveHeartbeats(t *testing.T, server *heartbeats) (address string) {
	t.Helper()
	return fakeServer(t, func(s *grpc.Server) { arenav1.RegisterPlayServiceServer(s, server) })
}

// waiting is a bot whose MatchEnded hook returns when the test allows it.
type waiting struct {
	BotFunc
	reached, release chan struct{}
}

func (w *waiting) MatchEnded(context.Context, *MatchEnded) {
	w.reached <- struct{}{}
	<-w.release
}

func Test_ends_of_a_snapshot_are_acknowledged_without_a_ping(t *testing.T) {
	snapshot := &arenav1.Snapshot{}
	var wanted []string
	for number := range 100 {
		id := fmt.Sprintf("match-%010d", number)
		wanted = append(wanted, id)
		snapshot.Ended = append(snapshot.Ended, endOf(id))
	}
	server := &heartbeats{snapshot: snapshot, lost: 1}
	address := serveHeartbeats(t, server)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	result := make(chan error, 1)
	go func() { result <- Run(ctx, counting(), WithServer(address), WithToken("azb_any")) }()
	eventually(t, "all ends are acknowledged", func() bool { return len(server.acknowledged(t)) == len(wanted) })
	stop()
	if err := <-result; err != nil {
		t.Error(err)
	}
	if got := server.acknowledged(t); !slices.Equal(got, wanted) {
		t.Errorf("acknowledged: %v", got)
	}
	if calls := len(server.all()); calls > 20 {
		t.Errorf("%d calls for 100 ends", calls)
	}
}

func Test_an_end_is_acknowledged_when_its_hook_has_returned_and_again_when_it_is_repeated(t *testing.T) {
	server := &heartbeats{}
	bot := &waiting{reached: make(chan struct{}), release: make(chan struct{})}
	p := fakePlayer(t, bot, WithServer(serveHeartbeats(t, server)), WithToken("azb_any"))
	p.handle(endEvent("aaaaaaaaaaaaaaaa"))
	<-bot.reached
	p.handle(endEvent("aaaaaaaaaaaaaaaa"))
	if calls := len(server.all()); calls > 0 {
		t.Error("acknowledged before the hook returned")
	}
	close(bot.release)
	p.shutDown()
	if calls := len(server.all()); calls != 1 {
		t.Errorf("acknowledged %d times", calls)
	}
	p.handle(endEvent("aaaaaaaaaaaaaaaa"))
	p.shutDown()
	if calls := len(server.all()); calls != 2 || len(p.unacknowledged) != 0 {
		t.Errorf("acknowledged %d times, %v left", calls, p.unacknowledged)
	}
}
