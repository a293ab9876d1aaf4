package azulejo

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

func Test_an_error_has_code_reason_metadata_fields_and_retry_delay(t *testing.T) {
	answer, err := status.New(codes.ResourceExhausted, "too much").WithDetails(
		&errdetails.ErrorInfo{Reason: "QUOTA", Metadata: map[string]string{"key": "calls", "rule": "DEAL_DUE"}},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "a.b", Description: "bad"}}},
		&errdetails.RetryInfo{RetryDelay: durationpb.New(3 * time.Second)},
	)
	if err != nil {
		t.Fatal(err)
	}
	made := asError(answer.Err())
	if made.Code != codes.ResourceExhausted || made.Reason != reason.Quota || made.Metadata["key"] != "calls" ||
		made.Rule() != reason.RuleDealDue || made.Violations[0].Field != "a.b" || made.RetryAfter != 3*time.Second {
		t.Errorf("converted to %#v", made)
	}
	if text := made.Error(); text != "too much (QUOTA); field a.b: bad" {
		t.Errorf("formatted as %q", text)
	}
	if wait := backoff(0, made); wait < 1500*time.Millisecond {
		t.Errorf("retried after %v", wait)
	}
}

func Test_only_transient_errors_are_retried(t *testing.T) {
	for code, transient := range map[codes.Code]bool{
		codes.Unavailable: true, codes.DeadlineExceeded: true, codes.ResourceExhausted: true, codes.Internal: true,
		codes.Unauthenticated: false, codes.InvalidArgument: false, codes.Aborted: false,
	} {
		if asError(status.Error(code, "")).isTransient() != transient {
			t.Errorf("%v: %v", code, !transient)
		}
	}
	if (&Error{Code: codes.Internal, Reason: reason.Internal}).isTransient() {
		t.Error("an internal error of the server is retried")
	}
	if !errors.Is(asError(context.Canceled), context.Canceled) || asError(nil) != nil {
		t.Error("errors of contexts are lost")
	}
}

func Test_the_backoff_grows_to_a_limit_with_jitter(t *testing.T) {
	seen := map[time.Duration]bool{}
	for range 20 {
		seen[backoff(3, nil)] = true
		if wait := backoff(0, nil); wait < 25*time.Millisecond || wait > 75*time.Millisecond {
			t.Errorf("first %v", wait)
		}
		if wait := backoff(1000, nil); wait < 2500*time.Millisecond || wait > 7500*time.Millisecond {
			t.Errorf("in the end %v", wait)
		}
	}
	if len(seen) < 10 {
		t.Error("no jitter")
	}
}

func Test_server_addresses_are_parsed(t *testing.T) {
	for address, wanted := range map[string]string{
		"http://127.0.0.1:7700":   "dns:///127.0.0.1:7700",
		"https://arena.example/":  "dns:///arena.example:443",
		"http://engine.azulejo":   "dns:///engine.azulejo:80",
		"http://[::1]:7700":       "dns:///[::1]:7700",
		"127.0.0.1:7700":          "",
		"ftp://arena.example":     "",
		"http://":                 "",
		"http://arena.example/at": "",
	} {
		target, secure, err := parseServer(address)
		if target != wanted || (err == nil) != (wanted != "") || secure != (target == "dns:///arena.example:443") {
			t.Errorf("%s: %q, %v, %v", address, target, secure, err)
		}
	}
}

func Test_rulesets_are_parsed_from_their_keys(t *testing.T) {
	ruleset, err := ParseRuleset("summer-pavilion-gray-4")
	if err != nil || ruleset.GetSummerPavilion().GetPlayers() != 4 || ruleset.GetSummerPavilion().GetSide() != Gray {
		t.Errorf("%v, %v", ruleset, err)
	}
	for _, wrong := range []string{"", "azul", "azul-colored-5", "azul-blue-2", "chess-colored-2", "azul-colored-2-blitz"} {
		if _, err := ParseRuleset(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}

func Test_a_bot_without_a_token_or_with_wrong_options_does_not_start(t *testing.T) {
	t.Setenv("AZULEJO_TOKEN", "")
	if err := Run(t.Context(), BotFunc(nil)); !errors.Is(err, ErrNoToken) {
		t.Errorf("it ended with %v", err)
	}
	if err := Run(t.Context(), BotFunc(nil), WithRegistration("no-owner")); err == nil {
		t.Error("a name without an owner was registered")
	}
	if err := Run(t.Context(), BotFunc(nil), WithToken("azb_1"), WithMaxConcurrentMatches(9)); err == nil {
		t.Error("nine concurrent matches")
	}
}

// headers keeps the headers of a call.
type headers struct {
	enginev1.UnimplementedEngineServiceServer
	kept metadata.MD
}

func (h *headers) ListRulesets(ctx context.Context, _ *enginev1.ListRulesetsRequest) (*enginev1.ListRulesetsResponse, error) {
	h.kept, _ = metadata.FromIncomingContext(ctx)
	return &enginev1.ListRulesetsResponse{}, nil
}

func Test_the_trace_is_sent_with_a_call_and_the_token_is_not_sent_to_the_engine(t *testing.T) {
	server := &headers{}
	address := fakeServer(t, func(s *grpc.Server) { enginev1.RegisterEngineServiceServer(s, server) })
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	engine, err := NewEngine(WithServer(address), WithToken("azb_secret"),
		WithTraceparent(func(context.Context) string { return parent }))
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	if _, err := engine.ListRulesets(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := server.kept.Get("traceparent"); len(got) != 1 || got[0] != parent {
		t.Errorf("traceparent: %v", got)
	}
	if got := server.kept.Get("authorization"); len(got) != 0 {
		t.Errorf("authorization: %v", got)
	}
}
