package azulejo

import (
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// The time after which a test that waits fails.
const patience = 20 * time.Second

// fakeServer serves what a test registers, and returns its address. Fakes answer at moments that a
// test of a real server cannot choose.
func fakeServer(t *testing.T, register func(*grpc.Server)) string {
	t.Helper()
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	register(server)
	go func() { _ = server.Serve(socket) }()
	t.Cleanup(server.Stop)
	return "http://" + socket.Addr().String()
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// refusal is an error with a reason, as a server returns it.
func refusal(code codes.Code, why reason.Reason) error {
	made, err := status.New(code, "refused").WithDetails(&errdetails.ErrorInfo{Reason: string(why)})
	if err != nil {
		return err
	}
	return made.Err()
}

// fakePlayer is a player of a bot that is connected to nothing.
func fakePlayer(t *testing.T, bot Bot, given ...Option) *player {
	t.Helper()
	o := optionsOf(given)
	conn, err := dial(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return newPlayer(t.Context(), bot, o, conn)
}

// A list that calls of a fake server append to.
type list[V any] struct {
	mu     sync.Mutex
	values []V
}

func (l *list[V]) add(value V) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.values = append(l.values, value)
	return len(l.values)
}

func (l *list[V]) all() []V {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]V(nil), l.values...)
}
