package azulejo

import (
	"context"
	"errors"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// batches answers the first request of a batch and refuses all others.
type batches struct {
	enginev1.UnimplementedEngineServiceServer
	requests []*enginev1.ApplyRequest
}

func (b *batches) BatchApply(_ context.Context, batch *enginev1.BatchApplyRequest) (*enginev1.BatchApplyResponse, error) {
	b.requests = batch.GetRequests()
	refused, err := status.New(codes.FailedPrecondition, "state: missing").WithDetails(
		&errdetails.ErrorInfo{Reason: "FIELD_MISSING", Metadata: map[string]string{"rule": "GAME_OVER"}},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "state", Description: "missing"}}},
	)
	if err != nil {
		return nil, err
	}
	answer := &enginev1.BatchApplyResponse{}
	for index := range b.requests {
		result := &enginev1.BatchApplyResult{Result: &enginev1.BatchApplyResult_Error{Error: refused.Proto()}}
		if index == 0 {
			result.Result = &enginev1.BatchApplyResult_Response{Response: &enginev1.ApplyResponse{}}
		}
		answer.Results = append(answer.Results, result)
	}
	return answer, nil
}

func Test_errors_of_a_batch_are_typed_like_those_of_a_single_call(t *testing.T) {
	server := &batches{}
	address := fakeServer(t, func(s *grpc.Server) { enginev1.RegisterEngineServiceServer(s, server) })
	engine, err := NewEngine(WithServer(address))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	results, err := engine.BatchApply(t.Context(), ApplyRequest(nil, MoveByID(1), nil, IncludeLegalMoves, IncludeScore),
		ApplyRequest(nil, MoveByID(1), nil))
	if err != nil || len(results) != 2 || results[0].Response == nil || results[0].Err != nil || results[1].Response != nil {
		t.Fatalf("results: %v, %v", results, err)
	}
	var refused *Error
	if !errors.As(results[1].Err, &refused) || refused.Code != codes.FailedPrecondition || refused.Reason != reason.FieldMissing ||
		refused.Rule() != reason.RuleGameOver || len(refused.Violations) != 1 || refused.Violations[0].Field != "state" {
		t.Errorf("the second one failed with %#v", results[1].Err)
	}
	first, second := server.requests[0], server.requests[1]
	if !first.IncludeLegalMoves || !first.IncludeScore || second.IncludeLegalMoves || second.IncludeScore {
		t.Errorf("requests: %v, %v", first, second)
	}
}

func Test_the_offer_says_what_the_options_say(t *testing.T) {
	usual := optionsOf(nil).hello(1).GetOffer()
	if usual.PlaysLadder == nil || !*usual.PlaysLadder || !usual.AcceptsChallenges || usual.MaxConcurrentMatches != 1 {
		t.Errorf("by default %v", usual)
	}
	none := optionsOf([]Option{PlaysLadder(false), AcceptsChallenges(false)}).hello(3).GetOffer()
	if none.PlaysLadder == nil || *none.PlaysLadder || none.AcceptsChallenges || none.MaxConcurrentMatches != 3 {
		t.Errorf("with both refused %v", none)
	}
	challenge := optionsOf([]Option{WithChallenge(Azul(Gray, 2), "random")}).hello(1).GetOffer()
	if challenge.PlaysLadder == nil || *challenge.PlaysLadder || challenge.AcceptsChallenges {
		t.Errorf("with a challenge %v", challenge)
	}
}
