package azulejo

import (
	"context"
	"regexp"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

var uuid4 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func Test_request_ids_are_random_UUIDs_of_version_4(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := newRequestID()
		if !uuid4.MatchString(id) || seen[id] {
			t.Fatalf("%q", id)
		}
		seen[id] = true
	}
}

// registrations loses the first two answers.
type registrations struct {
	arenav1.UnimplementedBotsServiceServer
	list[string]
	refuse error
}

func (r *registrations) RegisterBot(_ context.Context, request *arenav1.RegisterBotRequest) (*arenav1.RegisterBotResponse, error) {
	if number := r.add(request.GetRequestId()); number <= 2 {
		return nil, r.refuse
	}
	return &arenav1.RegisterBotResponse{Token: "azb_new"}, nil
}

func Test_a_registration_is_retried_with_the_same_request_id(t *testing.T) {
	server := &registrations{refuse: status.Error(codes.Unavailable, "connection lost")}
	address := fakeServer(t, func(s *grpc.Server) { arenav1.RegisterBotsServiceServer(s, server) })
	registered, err := Register(t.Context(), "you/bot", WithServer(address))
	if err != nil || registered.GetToken() != "azb_new" {
		t.Fatalf("%v, %v", registered, err)
	}
	ids := server.all()
	if len(ids) != 3 || !uuid4.MatchString(ids[0]) || ids[0] != ids[1] || ids[0] != ids[2] {
		t.Errorf("request ids: %q", ids)
	}
	if _, err = Register(t.Context(), "you/bot", WithServer(address)); err != nil {
		t.Fatal(err)
	}
	if again := server.all()[3]; again == ids[0] {
		t.Error("two registrations share a request id")
	}
}

func Test_a_registration_that_is_refused_is_not_retried(t *testing.T) {
	server := &registrations{refuse: refusal(codes.AlreadyExists, reason.NameTaken)}
	address := fakeServer(t, func(s *grpc.Server) { arenav1.RegisterBotsServiceServer(s, server) })
	if _, err := Register(t.Context(), "you/bot", WithServer(address)); asError(err).Reason != reason.NameTaken {
		t.Errorf("it ended with %v", err)
	}
	if ids := server.all(); len(ids) != 1 {
		t.Errorf("%d calls", len(ids))
	}
}

// challenges loses the first two answers.
type challenges struct {
	arenav1.UnimplementedChallengesServiceServer
	list[string]
}

func (c *challenges) CreateChallenge(_ context.Context, request *arenav1.CreateChallengeRequest) (*arenav1.CreateChallengeResponse, error) {
	if number := c.add(request.GetRequestId()); number <= 2 {
		return nil, status.Error(codes.Unavailable, "connection lost")
	}
	return &arenav1.CreateChallengeResponse{Match: &arenav1.Match{Id: "aaaaaaaaaaaaaaaa"}}, nil
}

func Test_a_challenge_is_retried_with_the_same_request_id(t *testing.T) {
	server := &challenges{}
	address := fakeServer(t, func(s *grpc.Server) { arenav1.RegisterChallengesServiceServer(s, server) })
	p := fakePlayer(t, counting(), WithServer(address), WithToken("azb_any"), WithChallenge(Azul(Colored, 2), "random"))
	p.challengeIfFree()
	p.shutDown()
	ids := server.all()
	if len(ids) != 3 || !uuid4.MatchString(ids[0]) || ids[0] != ids[1] || ids[0] != ids[2] {
		t.Errorf("request ids: %q", ids)
	}
	if !p.challenged["aaaaaaaaaaaaaaaa"] {
		t.Error("the match is not known")
	}
}
