package tests

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// dialAs opens a connection with a token, which may be empty.
func dialAs(t *testing.T, s *server, token string) *grpc.ClientConn {
	t.Helper()
	conn := must(azulejo.Dial(azulejo.WithServer(s.url()), azulejo.WithToken(token)))
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// refusedFor says whether an error has this reason.
func refusedFor(err error, wanted reason.Reason) bool {
	var refused *azulejo.Error
	return errors.As(err, &refused) && refused.Reason == wanted
}

// requestID returns a random UUID (version 4). A fixed one could be used only once on a shared server.
func requestID() string {
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x",
		rand.Uint32(), rand.N(1<<16), rand.N(1<<12), rand.N(1<<12), rand.N(int64(1)<<48))
}

func Test_a_repeated_registration_returns_the_same_bot_and_a_valid_token(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	bots := arenav1.NewBotsServiceClient(dialAs(t, s, ""))
	request := &arenav1.RegisterBotRequest{
		Owner: ownerOf(t, ""), Name: "bot", RequestId: requestID(),
	}
	first := must(bots.RegisterBot(t.Context(), request))
	second := must(bots.RegisterBot(t.Context(), request))
	if first.GetBot().GetId() != second.GetBot().GetId() || second.GetToken() == "" {
		t.Errorf("registered %v, then %v", first.GetBot(), second.GetBot())
	}
	bot := &recorder{}
	play(t, s, second.GetToken(), bot, azulejo.WithMatches(1), azulejo.WithTimeClasses(azulejo.Bullet),
		azulejo.WithChallenge(azulejo.Azul(azulejo.Colored, 2), "random")).mustEnd()
	finished(t, bot.ended[0])
	if seat := bot.ended[0].GetMatch().GetSeats()[bot.ended[0].GetSeat()]; seat.GetBot() != first.GetBot().GetId() {
		t.Errorf("%s played", seat.GetBot())
	}
	owner := arenav1.NewBotsServiceClient(dialAs(t, s, second.GetOwnerToken()))
	if _, err := owner.CreateToken(t.Context(), &arenav1.CreateTokenRequest{Bot: first.GetBot().GetId()}); err != nil {
		t.Errorf("the owner's token: %v", err)
	}

	other := proto.CloneOf(request)
	other.Name = "another-bot"
	if _, err := bots.RegisterBot(t.Context(), other); !refusedFor(err, reason.RequestIdReused) {
		t.Errorf("another bot with the same request id: %v", err)
	}
	request.RequestId = "not-a-uuid"
	if _, err := bots.RegisterBot(t.Context(), request); !refusedFor(err, reason.BadRequestId) {
		t.Errorf("a request id that is not a UUID: %v", err)
	}
}

// openStream opens a stream of the generated client and returns it with its snapshot.
func openStream(ctx context.Context, t *testing.T, conn *grpc.ClientConn) (grpc.ServerStreamingClient[arenav1.PlayResponse], *arenav1.Snapshot) {
	t.Helper()
	offer := &arenav1.Offer{MaxConcurrentMatches: 1, PlaysLadder: proto.Bool(false)}
	hello := &arenav1.Hello{Version: "1", Offer: offer}
	stream := must(arenav1.NewPlayServiceClient(conn).Play(ctx, &arenav1.PlayRequest{Hello: hello}))
	return stream, must(stream.Recv()).GetEvent().GetSnapshot()
}

func Test_a_repeated_challenge_returns_the_same_match(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	conn := dialAs(t, s, s.register(t, ownerOf(t, "")))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	openStream(ctx, t, conn)
	house := &arenav1.Opponent{Opponent: &arenav1.Opponent_House{House: "random"}}
	request := &arenav1.CreateChallengeRequest{
		Ruleset: azulejo.Azul(azulejo.Colored, 2), Opponents: []*arenav1.Opponent{house},
		RequestId: requestID(),
	}
	calls := arenav1.NewChallengesServiceClient(conn)
	first := must(calls.CreateChallenge(ctx, request)).GetMatch().GetId()
	if second := must(calls.CreateChallenge(ctx, request)).GetMatch().GetId(); first == "" || second != first {
		t.Errorf("matches %q and %q", first, second)
	}
	request.Seat = 1
	if _, err := calls.CreateChallenge(ctx, request); !refusedFor(err, reason.RequestIdReused) {
		t.Errorf("another challenge with the same request id: %v", err)
	}
}

func Test_another_move_for_an_accepted_turn_is_refused_with_the_accepted_one(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	token := s.register(t, ownerOf(t, ""))
	calls := arenav1.NewPlayServiceClient(dialAs(t, s, token))
	isFirst := true
	bot := &recorder{}
	bot.choose = func(ctx context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
		if !isFirst {
			return first(ctx, turn)
		}
		isFirst = false
		submit := func(index int, number *uint32) (*arenav1.SubmitMoveResponse, error) {
			action := &arenav1.SubmitMoveRequest_ActionId{ActionId: turn.LegalMoves[index].ActionId}
			// Not ctx: it ends as soon as the next turn arrives.
			return calls.SubmitMove(t.Context(), &arenav1.SubmitMoveRequest{MatchId: turn.MatchId, Turn: number, Action: action})
		}
		if _, err := submit(0, nil); !refusedFor(err, reason.FieldMissing) {
			t.Errorf("a move without a turn: %v", err)
		}
		one, err := submit(0, &turn.Turn)
		if err != nil {
			t.Error(err)
		}
		if again, err := submit(0, &turn.Turn); err != nil || !proto.Equal(one, again) || one.Receipt.TimeLeft == nil {
			t.Errorf("receipts %v and %v, %v", one, again, err)
		}
		var refused *azulejo.Error
		if _, err := submit(1, &turn.Turn); !errors.As(err, &refused) || refused.Reason != reason.MoveAlreadyAccepted ||
			refused.Metadata["accepted"] != turn.LegalMoves[0].Notation {
			t.Errorf("another move: %#v", err)
		}
		return azulejo.Pick(turn.LegalMoves[1]), nil
	}
	mine := play(t, s, token, bot, azulejo.WithMatches(1), azulejo.WithChallenge(azulejo.Azul(azulejo.Colored, 2), "random"))
	mine.mustEnd()
	finished(t, bot.ended[0])
	if mine.log.count("call refused") > 0 {
		t.Error("a turn that is already answered is logged as a refusal")
	}
}

func Test_ends_are_acknowledged_without_a_ping_and_not_repeated(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	token := s.register(t, ownerOf(t, ""))
	bot := &recorder{}
	mine := play(t, s, token, bot, azulejo.WithMatches(1), azulejo.WithTimeClasses(azulejo.Bullet),
		azulejo.WithChallenge(azulejo.Azul(azulejo.Colored, 2), "random"))
	mine.mustEnd()
	finished(t, bot.ended[0])
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, snapshot := openStream(ctx, t, dialAs(t, s, token)); snapshot == nil || len(snapshot.GetEnded()) > 0 {
		t.Errorf("the snapshot repeats %v", snapshot.GetEnded())
	}
}

// The generated client acknowledges nothing by itself.
func Test_an_end_that_is_not_acknowledged_is_repeated_until_the_bot_has_received_it(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	token := s.register(t, ownerOf(t, ""))
	ended := record(t, azulejo.Azul(azulejo.Colored, 2), 1, token).ended.GetMatch().GetId()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn := dialAs(t, s, token)
	if _, snapshot := openStream(ctx, t, conn); len(snapshot.GetEnded()) != 1 || snapshot.GetEnded()[0].GetMatch().GetId() != ended {
		t.Errorf("ended: %v", snapshot.GetEnded())
	}
	bot := &recorder{}
	mine := play(t, s, token, bot, azulejo.PlaysLadder(false))
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		bot.mu.Lock()
		received := len(bot.ended)
		bot.mu.Unlock()
		if received == 1 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the end is not repeated")
		}
	}
	mine.stop()
	mine.mustEnd()
	if _, snapshot := openStream(ctx, t, conn); len(snapshot.GetEnded()) > 0 {
		t.Errorf("repeated again: %v", snapshot.GetEnded())
	}
}
