package azulejo

import (
	"context"

	"google.golang.org/grpc"

	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
)

// Engine is a client of the stateless engine: every call carries the state that it is about. Errors are
// of type [Error].
//
// Calls are distributed by round robin over all addresses of the server's name in DNS, for example of a
// headless service on Kubernetes. Calls that a stopped replica did not answer are retried.
type Engine struct {
	conn  *grpc.ClientConn
	calls enginev1.EngineServiceClient
}

// NewEngine creates a client. It uses the options [WithServer], [WithTLS] and [WithTraceparent]. The
// connection is opened by the first call.
func NewEngine(given ...Option) (*Engine, error) {
	o := optionsOf(given)
	o.token, o.balanceRoundRobin = "", true
	conn, err := dial(o)
	if err != nil {
		return nil, err
	}
	return &Engine{conn: conn, calls: enginev1.NewEngineServiceClient(conn)}, nil
}

// Close closes the connections.
func (e *Engine) Close() error { return e.conn.Close() }

// Calls returns the generated client.
func (e *Engine) Calls() enginev1.EngineServiceClient { return e.calls }

// ListRulesets lists all rulesets.
func (e *Engine) ListRulesets(ctx context.Context) (*enginev1.ListRulesetsResponse, error) {
	return e.calls.ListRulesets(ctx, &enginev1.ListRulesetsRequest{})
}

// NewGame starts a game. Without a chance (nil) the engine uses a random seed and returns it.
func (e *Engine) NewGame(ctx context.Context, ruleset *Ruleset, chance *Chance) (*enginev1.NewGameResponse, error) {
	request := &enginev1.NewGameRequest{Ruleset: ruleset}
	switch {
	case chance == nil:
	case chance.seed != nil:
		request.Chance = &enginev1.NewGameRequest_Seed{Seed: chance.seed}
	default:
		request.Chance = &enginev1.NewGameRequest_Displays{Displays: chance.displays}
	}
	return e.calls.NewGame(ctx, request)
}

// LegalMoves lists all legal moves with their effects, in ascending order of action ids.
func (e *Engine) LegalMoves(ctx context.Context, state *State) (*enginev1.LegalMovesResponse, error) {
	return e.calls.LegalMoves(ctx, &enginev1.LegalMovesRequest{State: state})
}

// An Include requests additional parts of the response of Apply.
type Include func(*enginev1.ApplyRequest)

// IncludeLegalMoves requests the legal moves of the next state.
func IncludeLegalMoves(request *enginev1.ApplyRequest) { request.IncludeLegalMoves = true }

// IncludeScore requests the score of the next state.
func IncludeScore(request *enginev1.ApplyRequest) { request.IncludeScore = true }

// Apply carries out a move. Without a chance (nil) the next state waits for its deal.
func (e *Engine) Apply(ctx context.Context, state *State, move *Move, chance *Chance,
	includes ...Include) (*enginev1.ApplyResponse, error) {
	return e.calls.Apply(ctx, ApplyRequest(state, move, chance, includes...))
}

// ApplyRequest returns one request of a batch, for [Engine.BatchApply].
func ApplyRequest(state *State, move *Move, chance *Chance, includes ...Include) *enginev1.ApplyRequest {
	request := &enginev1.ApplyRequest{State: state}
	for _, include := range includes {
		include(request)
	}
	switch {
	case move == nil:
	case move.action != nil:
		request.Action = &enginev1.ApplyRequest_ActionId{ActionId: *move.action}
	case move.typed != nil:
		request.Action = &enginev1.ApplyRequest_Move{Move: move.typed}
	default:
		request.Action = &enginev1.ApplyRequest_Notation{Notation: move.notation}
	}
	switch {
	case chance == nil:
	case chance.seed != nil:
		request.Chance = &enginev1.ApplyRequest_Seed{Seed: chance.seed}
	default:
		request.Chance = &enginev1.ApplyRequest_Displays{Displays: chance.displays}
	}
	return request
}

// Deal fills displays that wait. With a seed, maxDisplays limits their number; 0 fills all.
func (e *Engine) Deal(ctx context.Context, state *State, chance *Chance, maxDisplays int) (*enginev1.DealResponse, error) {
	request := &enginev1.DealRequest{State: state, MaxDisplays: uint32(maxDisplays)}
	switch {
	case chance == nil:
	case chance.seed != nil:
		request.Chance = &enginev1.DealRequest_Seed{Seed: chance.seed}
	default:
		request.Chance = &enginev1.DealRequest_Displays{Displays: chance.displays}
	}
	return e.calls.Deal(ctx, request)
}

// DealOutcomes lists every outcome of the next deal with its exact probability.
func (e *Engine) DealOutcomes(ctx context.Context, state *State) (*enginev1.DealOutcomesResponse, error) {
	return e.calls.DealOutcomes(ctx, &enginev1.DealOutcomesRequest{State: state})
}

// Score computes the score, item by item, during a game or after it.
func (e *Engine) Score(ctx context.Context, state *State) (*enginev1.ScoreResponse, error) {
	return e.calls.Score(ctx, &enginev1.ScoreRequest{State: state})
}
